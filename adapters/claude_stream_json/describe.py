"""The dialect described from its own tables: what docs/dialects/claude-stream-json.md lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, get_args

from turnreel.lifecycle.describe import table

from . import catalogue, codes
from .adapter import INFO
from .frames import InFrame, OutFrame
from .grammar import STOPS
from .literals import LITERALS


def frames(union: Any) -> str:
    """Every frame of one direction: the adapter's word for it, and what it reads of it."""
    rows = []
    for frame in get_args(union):
        text = " ".join((frame.__doc__ or "").split())
        rows.append((frame.__name__, text))
    return table(("read as", "native frame and fields"), rows)


def tools() -> str:
    """Every tool name that may be shown, by kind."""
    kinds: dict[str, list[str]] = {}
    for name, kind in catalogue.KINDS.items():
        kinds.setdefault(kind, []).append(f"`{name}`")
    return table(("kind", "tools"), ((kind, ", ".join(names)) for kind, names in kinds.items()))


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


def declaration() -> str:
    """What the dialect declares of itself."""
    rows = [
        ("tier", INFO.tier),
        ("proven on", ", ".join(INFO.proven)),
        ("boundaries", "; ".join(INFO.boundary_evidence)),
        ("reports tool errors", "yes" if INFO.reports_tool_errors else "no"),
        ("cannot say", "; ".join(INFO.limits)),
    ]
    return table(("", ""), rows)


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "declaration": declaration,
    "printed": lambda: frames(OutFrame),
    "written": lambda: frames(InFrame),
    "tools": tools,
    "words": words,
    "stops": stops,
    "literals": literals,
}
