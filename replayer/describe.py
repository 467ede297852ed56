"""The fault vocabulary described from its own table: what docs/faults.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.lifecycle.describe import table

from .faults import WORDS, Side, Word
from .plan import placed

PERFORMERS: Final[dict[Side, str]] = {"server": "serve", "agent": "shim", "client": "client"}
"""Side to the name people know it by."""


def faults() -> str:
    """Every fault: who executes it, where it can be put, what it does, how it is written."""
    return table(
        ("fault", "played by", "place", "what happens", "example"),
        [
            (f"`{name}`", performers, places, meaning, ", ".join(f"`{one}`" for one in examples))
            for word in WORDS
            for name, performers, places, meaning, examples in (row(word),)
        ],
    )


def row(word: Word) -> tuple[str, str, str, str, tuple[str, ...]]:
    """A word as people read it: name, who plays it, its places, what happens, examples."""
    performers = ", ".join(known for side, known in PERFORMERS.items() if side in word.sides)
    places = ", ".join(word.places) or "the whole stream"
    if placed(word) == "perhaps":
        places = f"perhaps {places}"
    return word.name, performers, places, word.meaning, word.examples


SECTIONS: Final[dict[str, Callable[[], str]]] = {"faults": faults}
