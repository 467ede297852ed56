"""Which clause a line of a turn rests on, and which one to read on at where two lines differ.

The only place that says so: whatever compares turns, and whatever explains one, asks here.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Final

LINES: Final = {
    "run": "Y",
    "commentary": "C1",
    "activity": "T10",
    "plan": "Y",
    "gate": "G7",
    "health": "O2",
    "source": "Y",
    "artifact": "Y",
    "final": "C2",
    "needs_input": "T5",
    "failed": "T8",
    "cancelled": "T7",
    "open": "T3",
}
"""By the first word of a line."""

FAILURES: Final = {"startup": "T4", "incomplete": "T4", "missing_final": "C5", "abandoned": "O1"}
"""By the code of a failure, where that is not T8's."""

ENDS: Final = frozenset({"final", "needs_input", "failed", "cancelled", "open"})

_END: Final = re.compile(r'(?P<word>\w+)(?: (?P<said>"(?:[^"\\]|\\.)*"))?(?P<rest>.*)')


def of_line(line: str) -> str:
    """The clause by which a line of a turn stands there; empty for what is no such line."""
    word, _, rest = line.strip().partition(" ")
    if word == "failed":
        return FAILURES.get(rest.split(" ", 1)[0], LINES[word])
    return LINES.get(word, "")


def between(expected: str, actual: str) -> str:
    """The clause to read on at where `actual` came and `expected` should have, two lines of turns;
    either is empty where nothing stands against the other.
    """
    wanted, came = _word(expected), _word(actual)
    if wanted in ENDS and came in ENDS:
        return _between_ends(expected.strip(), actual.strip())
    if "run" in (wanted, came):
        return "R9"
    return of_line(actual or expected)


def first_difference(expected: Sequence[str], actual: Sequence[str]) -> tuple[str, str]:
    """The first line that should have come and did not, and the one that came in its place; one of
    them may be empty.
    """
    matcher = difflib.SequenceMatcher(None, expected, actual, autojunk=False)
    for change, i, _, j, _ in matcher.get_opcodes():
        if change != "equal":
            return (
                "" if change == "insert" else expected[i],
                "" if change == "delete" else actual[j],
            )
    return "", ""


def _between_ends(expected: str, actual: str) -> str:
    """Two terminals: of one type it is what they say that differs, else who decided the run."""
    wanted, came = _END.fullmatch(expected), _END.fullmatch(actual)
    assert wanted is not None and came is not None, "both begin with a word"
    match wanted["word"], came["word"]:
        case one, other if one == other:
            return _of_one_type(wanted, came)
        case "failed", "final" if of_line(expected) == "T8":
            return "C5"  # what a vendor puts where an answer goes is none
        case (_, "cancelled"):
            return "T7"
        case ("failed" | "open", _):
            return of_line(expected)
        case (_, "open"):
            return "T4"
        case ("final", _):
            return of_line(actual)
        case _:
            return of_line(expected)


def _of_one_type(wanted: re.Match[str], came: re.Match[str]) -> str:
    said, told = wanted["rest"].split(), came["rest"].split()
    if wanted["said"] != came["said"] or (wanted["word"] == "failed" and said[:1] != told[:1]):
        return of_line(wanted.string)
    if said[:-1] != told[:-1]:
        return "C8"
    return LINES["health"]


def place(clause: str) -> tuple[int, int]:
    """Where a clause stands in the contract: to sort by."""
    letter, number = re.fullmatch(r"([A-Z])(\d*)", clause).groups()  # type: ignore[union-attr]
    return "EYCTORGVSQ".index(letter), int(number or 0)


def _word(line: str) -> str:
    return line.strip().split(" ", 1)[0]
