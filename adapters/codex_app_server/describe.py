"""The dialect described from its own tables: what docs/dialects/codex-app-server.md lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from turnreel.adapters import codex_items, codex_literals
from turnreel.adapters.describe import declaration, frames
from turnreel.lifecycle.describe import table

from . import asking, codes
from .adapter import INFO
from .frames import AnyItem, InFrame, OutFrame
from .grammar import ROLES


def phases() -> str:
    """What a phase says of a text."""
    rows = [(f"`{phase}`", role) for phase, role in ROLES.items()]
    return table(("`phase`", "role"), [*rows, ("none, or any other", "unclear")])


def tools(items: Mapping[str, str]) -> str:
    """The item types that are activities, as one stream spells them."""
    rows = [
        (f"`{name}`", kind, "no" if name in codex_items.UNFLAGGED else "yes")
        for name, kind in items.items()
    ]
    return table(("item", "kind", "has a status"), rows)


def states() -> str:
    """What a status of a completed item means."""
    rows = [(f"`{word}`", state) for word, state in codex_items.STATES.items()]
    return table(("`status`", "state"), [*rows, ("none, or any other", "unknown")])


def requests() -> str:
    """Requests of the agent that are gates."""
    rows = []
    for method, read in asking.READERS.items():
        asks = read("", {"threadId": "t"})
        rows.append((f"`{method}`", asks.kind if asks is not None else ""))
    return table(("request", "gate"), rows)


def words() -> str:
    """Typed words of a failure and their codes."""
    rows = [(f"`{word}`", code) for word, code in codes.INFOS.items()]
    carried = [(f"`{word}`", "by its HTTP status") for word in sorted(codes.CARRIERS)]
    rest = ("`other`, any other", "by the literals below, else unknown")
    return table(("`codexErrorInfo`", "code"), [*rows, *carried, rest])


def literals() -> str:
    """Fixed strings, what they mean, and the recordings that prove them."""
    rows: list[tuple[str, str, str]] = [
        (f"begins with `{one.head}`", one.code, f"`{one.proof}`") for one in codex_literals.CAUSES
    ]
    rows += [
        (f"a quoted body with `{one.head}`", one.code, f"`{one.proof}`")
        for one in codex_literals.QUOTED
    ]
    rows += [
        (f"begins with `{codex_literals.RETRY}`", "a retry; its cause follows in parentheses",
         f"`{codex_literals.RETRY_PROOF}`"),
        (f"begins with `{codex_literals.FALLBACK}`", "another transport, to the end of the turn",
         f"`{codex_literals.FALLBACK_PROOF}`"),
    ]  # fmt: skip
    return table(("sentence", "means", "proven by"), rows)


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "declaration": lambda: declaration(INFO),
    "printed": lambda: frames(OutFrame),
    "items": lambda: frames(AnyItem),
    "written": lambda: frames(InFrame),
    "phases": phases,
    "tools": lambda: tools(codex_items.ITEMS),
    "states": states,
    "requests": requests,
    "words": words,
    "literals": literals,
}
