"""The dialect described from its own tables: what docs/dialects/claude-stream-json.md lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from turnreel.adapters.describe import declaration, frames, tools
from turnreel.lifecycle.describe import table

from . import catalogue, codes
from .adapter import INFO
from .frames import InFrame, OutFrame
from .grammar import STOPS
from .literals import LITERALS


def words() -> str:
    """Typed words of a failure and their codes, in the order they are asked."""
    tables: Iterable[tuple[str, dict[str, Any]]] = (
        ("`terminal_reason`", codes.REASONS),
        ("`subtype`", codes.SUBTYPES),
        ("`error`, `api_error`", codes.STRONG),
        ("`error`, where no status says more", codes.WEAK),
    )
    rows = [(field, f"`{word}`", code) for field, found in tables for word, code in found.items()]
    return table(("field", "word", "code"), rows)


def stops() -> str:
    """Stop reasons of a message."""
    rows = [(f"`{word}`", kind) for word, kind in STOPS.items()]
    return table(("`stop_reason`", "means"), [*rows, ("any other", "unknown")])


def literals() -> str:
    """Fixed strings and the recordings that prove them."""
    rows = [
        (f"`{one.head}…`", one.means, ", ".join(one.versions), f"`{one.proof}`") for one in LITERALS
    ]
    return table(("begins with", "means", "versions", "proven by"), rows)


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "declaration": lambda: declaration(INFO),
    "printed": lambda: frames(OutFrame),
    "written": lambda: frames(InFrame),
    "tools": lambda: tools(catalogue.KINDS),
    "words": words,
    "stops": stops,
    "literals": literals,
}
