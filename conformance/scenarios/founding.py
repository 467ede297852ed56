"""The defects turnreel was founded on, as scripted turns.

In a tool loop the model writes a line of progress before each call. A host that took every text
block for a piece of the answer showed the progress inside the final; one that took every
streamed text for already shown suppressed the final. Each scenario below is one way in which
that was seen.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters.steps import Answer, Break, Call, End, Return, Say, Step

from .scenario import Scenario

TABLE: Final = """Here are the totals:

| region | total |
| --- | ---: |
| north | 41 |
| south | 35 |"""


def _look(ordinal: int, progress: str, file: str) -> tuple[Step, Step]:
    """A line of progress beside a tool call, and the tool's return."""
    call = Call(f"toolu_{ordinal:04d}", "Read", {"file_path": file})
    return Answer((Say(progress), call), "tool_use"), Return(call.tool)


FOUNDING: Final = (
    Scenario(
        "progress-joined-to-the-final",
        "Progress text of a tool loop is commentary and never part of the answer.",
        (
            *_look(1, "I'll check the first sheet.", "north.csv"),
            *_look(2, "Now the second sheet.", "south.csv"),
            Answer((Say("The total is **76**."),)),
            End(),
        ),
    ),
    Scenario(
        "table-broken-by-joined-progress",
        "A table in the answer begins on its own line, whatever was said before the last tool.",
        (
            *_look(1, "Let me read both sheets before I draw the table.", "sheets.csv"),
            Answer((Say(TABLE),)),
            End(),
        ),
    ),
    Scenario(
        "sentences-joined-without-separator",
        "Two lines of progress are two messages: no \u201c…subtotal.The south…\u201d.",
        (
            *_look(1, "That is the north's subtotal.", "north.csv"),
            *_look(2, "The south comes next.", "south.csv"),
            Answer((Say("North and south together make 76."),)),
            End(),
        ),
    ),
    Scenario(
        "result-suppressed-after-streaming",
        "Text that had streamed before a retry never suppresses the authoritative answer.",
        (
            *_look(1, "I'll add up the sheets.", "sheets.csv"),
            Break("The total is "),
            Answer((Say("The total is 76, south included."),)),
            End(),
        ),
    ),
)
