"""One step of one run: the working copy that the machines write to.

A step begins with an immutable run, lets the machines change its copy and emit events, and ends
with the new run. Numbering (E2) and the envelope (E1, E4) happen here and nowhere else.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from .events import AnyEvent, Evidence
from .state import RunState


class Step:
    """The working copy of `run` while one arrival is applied to it.

    `at_us` is the arrival's time in microseconds since the session began, `cause` the frame it
    came from. `counts` gathers what was dropped; it is no part of any state.
    """

    __slots__ = ("at_us", "cause", "counts", "events", "run")

    def __init__(
        self, run: RunState, at_us: int, cause: Evidence | None, counts: Counter[str]
    ) -> None:
        self.run = run
        self.at_us = at_us
        self.cause = cause
        self.counts = counts
        self.events: list[AnyEvent] = []

    def set(self, **changes: Any) -> None:
        """Change fields of the run's copy."""
        self.run = replace(self.run, **changes)

    def emit(self, event: type[AnyEvent], **fields: Any) -> None:
        """Append the run's next event: its number, time and evidence are given here."""
        seq = self.run.seq + 1
        self.set(seq=seq)
        self.events.append(
            event(
                id=f"{self.run.run_id}:{seq}",
                run_id=self.run.run_id,
                seq=seq,
                at_ms=max(0, (self.at_us - self.run.began_us) // 1000),
                evidence=(self.cause,) if self.cause else (),
                **fields,
            )
        )

    def name(self, letter: str) -> tuple[int, str]:
        """The next number within the run and the id made of it."""
        number = self.run.numbered + 1
        self.set(numbered=number)
        return number, self.id_of(letter, number)

    def id_of(self, letter: str, number: int) -> str:
        """The id of what was numbered `number`."""
        return f"{self.run.run_id}/{letter}{number}"

    def drop(self, what: str) -> None:
        """Count something that changed nothing."""
        self.counts[what] += 1
