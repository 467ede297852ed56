"""Fixed strings of Claude Code that set health (E5), each with the version it was proven on.

They begin what the runtime tells the model when it asks again. They decide no outcome and no
text's role; where partial messages are on, typed frames say the same and the literals are not
needed. The sanitizer's policy lets them through, or a sanitized stream would translate
differently (S6).
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Meaning = Literal["empty answer", "cut answer"]

TABLE: Final = 1
"""The version of this table."""


class Proven(msgspec.Struct, frozen=True):
    """A literal: the beginning of a text, what it means, and the recording that proves it."""

    head: str
    means: Meaning
    versions: tuple[str, ...]
    proof: str


EMPTY_ANSWER: Final = Proven(
    "[Your previous response had no visible output.",
    "empty answer",
    ("2.1.215", "2.1.332"),
    "i2_empty_final",
)
CUT_ANSWER: Final = Proven(
    "Your response above was cut off mid-stream.",
    "cut answer",
    ("2.1.332",),
    "c3_rst_after_text_block_stop",
)
LITERALS: Final = (EMPTY_ANSWER, CUT_ANSWER)


def meaning(text: str) -> Meaning | None:
    """What a runtime's text to the model means, or None for any other text."""
    for literal in LITERALS:
        if text.startswith(literal.head):
            return literal.means
    return None
