"""What a command left behind, as a person sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    status: int
    out: str
    err: str

    def one_line(self) -> str:
        """The single line on stderr that a mistake is answered with."""
        assert "Traceback" not in self.err
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("turnreel: ")
        return lines[0].removeprefix("turnreel: ")


Turnreel = Callable[..., Answer]
