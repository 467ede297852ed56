"""Fixed strings of Claude Code that set health (E5), each with the version it was proven on.

They are what the runtime tells the model when it asks again. They decide no outcome and no
text's role; where partial messages are on, typed frames say the same and the literals are not
needed. The sanitizer's policy lets them through, or a sanitized stream would translate
differently (S6).
"""

from __future__ import annotations

from typing import Final, Literal

Meaning = Literal["empty answer", "cut answer"]

VERSION: Final = 1

HEALTH: Final[tuple[tuple[str, Meaning, str, str], ...]] = (
    (
        "[Your previous response had no visible output.",
        "empty answer",
        "2.1.215 2.1.332",
        "i2_empty_final",
    ),
    (
        "Your response above was cut off mid-stream.",
        "cut answer",
        "2.1.332",
        "c3_rst_after_text_block_stop",
    ),
)
"""The beginning of the string, its meaning, the versions, and the recording that proves it."""


def meaning(text: str) -> Meaning | None:
    """What a runtime's text to the model means, or None for any other text."""
    for head, means, _, _ in HEALTH:
        if text.startswith(head):
            return means
    return None
