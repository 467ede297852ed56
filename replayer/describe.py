"""The fault vocabulary described from its own table: what docs/faults.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.lifecycle.describe import table

from .faults import WORDS, Side

PERFORMERS: Final[dict[Side, str]] = {"server": "serve", "agent": "shim", "client": "client"}
"""Side to the name people know it by."""


def faults() -> str:
    """Every fault: who executes it, where it can be put, what it does, how it is written."""
    rows = [
        (
            f"`{word.name}`",
            ", ".join(known for side, known in PERFORMERS.items() if side in word.sides),
            ", ".join(f"`{place}`" for place in word.places) or "the exchange",
            word.meaning,
            f"`{word.example}`",
        )
        for word in WORDS
    ]
    return table(("fault", "played by", "place", "what happens", "example"), rows)


SECTIONS: Final[dict[str, Callable[[], str]]] = {"faults": faults}
