"""Every clause of the contract and how it is checked: what docs/turn-protocol.md lists.

Watches and relations are read from where they are defined. The rest stands here: what a recording
with its golden shows, what tests of a room hold, and what only a reader of the code can judge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.lifecycle.describe import table

from .checkers import session_watches, watches
from .describe import BY_CHANGE, BY_CHILD

SIZES: Final[dict[str, int]] = {
    "E": 5, "C": 10, "T": 10, "O": 7, "R": 9, "G": 8, "V": 5, "S": 6, "Q": 5,
}  # fmt: skip
"""How many clauses a chapter has. The chapter of event types, Y, is one clause."""

READ_FROM: Final = {
    "events": "events",
    "both": "events, native frames where known",
    "native": "native frames and events",
}

GOLDEN: Final = "golden"
REVIEW: Final = "review"
OTHERWISE: Final[dict[str, tuple[str, ...]]] = {
    "E3": (REVIEW, "tests of lifecycle"),
    "E5": (GOLDEN, REVIEW),
    "C1": (GOLDEN, "tests of lifecycle"),
    "C2": (GOLDEN,),
    "C3": (GOLDEN, "tests of lifecycle"),
    "C6": (GOLDEN, "tests of lifecycle"),
    "C8": (REVIEW,),
    "C10": ("tests of adapters",),
    "T8": (GOLDEN,),
    "O4": (GOLDEN, "tests of lifecycle"),
    "O5": ("tests of lifecycle",),
    "O6": ("tests of lifecycle",),
    "O7": ("tests of lifecycle",),
    "R1": (GOLDEN, "tests of lifecycle"),
    "R4": ("tests of lifecycle",),
    "R5": ("tests of lifecycle",),
    "R6": ("tests of adapters",),
    "R8": (GOLDEN, "tests of lifecycle"),
    "R9": ("tests of adapters",),
    **{f"G{number}": ("tests of lifecycle",) for number in (1, 2, 3, 4, 6, 8)},
    "V2": (GOLDEN, "tests of lifecycle"),
    "V4": ("tests of lifecycle",),
    "V5": (REVIEW,),
    **{f"S{number}": ("tests of sanitizers",) for number in range(1, 6)},
    "S6": ("relation: sanitizing", "tests of conformance"),
    "Q1": ("relation: every scenario in every dialect", "evidence of each adapter"),
    "Q2": ("relation: one script in every dialect", "tests of conformance"),
    "Q3": ("relation: every scenario in every dialect", "requirements of the version"),
    "Q4": ("relation: declared limits and expected failures", "tests of conformance"),
    "Q5": ("tests of conformance",),
}
"""How a clause is checked beside watches and relations."""


def every_clause() -> tuple[str, ...]:
    """The ids of all clauses, in the contract's order."""
    numbered = [f"{letter}{n}" for letter, size in SIZES.items() for n in range(1, size + 1)]
    place = numbered.index("C1")
    return (*numbered[:place], "Y", *numbered[place:])


def checked_by(clause: str) -> tuple[str, ...]:
    """How a clause is checked; empty if nobody said."""
    watched = tuple(READ_FROM[watch.reads] for watch in watches() if watch.clause == clause)
    watched += tuple("journals" for watch in session_watches() if watch.clause == clause)
    related = tuple(f"relation: {check}" for known, _, check in BY_CHANGE if known == clause)
    foreign = tuple("relation: a child begun anew" for known, _ in BY_CHILD if known == clause)
    return (*watched, *related, *foreign, *OTHERWISE.get(clause, ()))


def checked() -> str:
    """The table of all clauses."""
    return table(
        ("clause", "checked by"),
        ((clause, "; ".join(checked_by(clause))) for clause in every_clause()),
    )


SECTIONS: Final[dict[str, Callable[[], str]]] = {"checked": checked}
"""What this room writes of docs/turn-protocol.md."""
