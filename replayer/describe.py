"""The fault vocabulary described from its own table: what docs/faults.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .faults import WORDS, Side

PERFORMERS: Final[dict[Side, str]] = {"server": "serve", "agent": "shim", "client": "client"}
"""Side to the name people know it by."""


def faults() -> str:
    """Every fault: who executes it, where it can be put, what it does, how it is written."""
    rows = ["| fault | played by | place | what happens | example |", "| --- " * 5 + "|"]
    for word in WORDS:
        sides = ", ".join(PERFORMERS[side] for side in PERFORMERS if side in word.sides)
        places = ", ".join(f"`{place}`" for place in word.places) or "the exchange"
        rows.append(f"| `{word.name}` | {sides} | {places} | {word.meaning} | `{word.example}` |")
    return "\n".join(rows)


SECTIONS: Final[dict[str, Callable[[], str]]] = {"faults": faults}
