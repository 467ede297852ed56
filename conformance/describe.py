"""Conformance described from its own definitions: what docs/verifying.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .checkers import session_watches, watches
from .clauses import place

BY_CHANGE: Final[tuple[tuple[str, str, str], ...]] = (
    ("T4", "A stream that ends without a terminal settles, and takes the one T4 names.", "cut"),
    ("T7", "After a cancel request only a success is not cancelled.", "cancel"),
    ("O4", "What a provider's track adds to a turn is health alone.", "tracks"),
    ("R2", "What is delivered again changes nothing.", "duplicate, prefix"),
    ("R3", "How the bytes are cut changes nothing.", "bytes, rechunk"),
)
"""Clauses that are about a changed stream: what they demand, and which check changes it."""


BY_CHILD: Final[tuple[tuple[str, str], ...]] = (
    ("R4", "The ids of a session's runs begin with the session's: no two sessions share one."),
    ("R5", "A session that is begun anew and told the same tells the same."),
)
"""Clauses that an adapter in another process is asked for as well: here they hold by design."""


def demand(clause: str) -> str:
    """What a clause demands, in one sentence; empty for one that no program checks."""
    told = {watch.clause: watch.sentence for watch in watches()}
    told |= {watch.clause: watch.sentence for watch in session_watches()}
    told |= {clause: sentence for clause, sentence, _ in BY_CHANGE if clause not in told}
    told |= dict(BY_CHILD)
    return told.get(clause, "")


def clauses() -> str:
    """Every clause that is checked by a program: what it demands, and from what it is judged."""
    told = {
        "events": "events",
        "both": "events, native frames where known",
        "native": "events and native frames",
    }
    rows = [(watch.clause, watch.sentence, told[watch.reads]) for watch in watches()]
    rows += [(one.clause, one.sentence, "session journals") for one in session_watches()]
    rows += [(clause, sentence, f"relation: {check}") for clause, sentence, check in BY_CHANGE]
    body = [f"| {' | '.join(row)} |" for row in sorted(rows, key=lambda row: place(row[0]))]
    return "\n".join(["| clause | demands | judged from |", "| --- | --- | --- |", *body])


SECTIONS: Final[dict[str, Callable[[], str]]] = {"clauses": clauses}
"""The generated parts of docs/verifying.md."""
