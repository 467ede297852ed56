"""The defects turnreel was founded on, as scripted turns.

In a tool loop the model writes a line of progress before each call. A host that took every text
block for a piece of the answer showed the progress inside the final; one that took every
streamed text for already shown suppressed the final; one that believed a success without an
answer promoted the progress, or an error's text. Each scenario below is one way in which that was
seen, and `FOUNDED` says in which dialects.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters.steps import Answer, Break, Call, End, Fail, Reject, Return, Say, Step

from .scenario import Scenario

TABLE: Final = """Here are the totals:

| region | total |
| --- | ---: |
| north | 41 |
| south | 35 |"""


def _look(ordinal: int, progress: str, file: str) -> tuple[Step, Step]:
    """A line of progress beside a tool call, and the tool's return."""
    call = Call(f"toolu_{ordinal:04d}", "file_read", {"file_path": file})
    return Answer((Say(progress), call), "tool_use"), Return(call.tool)


FOUNDING: Final = (
    Scenario(
        "progress-joined-to-the-final",
        "Progress text of a tool loop is commentary and never part of the answer.",
        ("C1", "C2"),
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
        ("C1", "C6"),
        (
            *_look(1, "Let me read both sheets before I draw the table.", "sheets.csv"),
            Answer((Say(TABLE),)),
            End(),
        ),
    ),
    Scenario(
        "sentences-joined-without-separator",
        "Two lines of progress are two messages: no \u201c…subtotal.The south…\u201d.",
        ("C1", "C6"),
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
        ("R8", "C2"),
        (
            *_look(1, "I'll add up the sheets.", "sheets.csv"),
            Break("The total is "),
            Answer((Say("The total is 76, south included."),)),
            End(),
        ),
    ),
    Scenario(
        "commentary-promoted-to-final",
        "A turn that ends well and answers nothing has no final: its progress is none.",
        ("C5",),
        (*_look(1, "I'll add up the sheets.", "sheets.csv"), Answer(()), End()),
    ),
    Scenario(
        "error-taken-for-the-answer",
        "What the runtime says of an error is never an answer, whatever flags stand beside it.",
        ("C5", "T8"),
        (*_look(1, "I'll add up the sheets.", "sheets.csv"), Fail(400)),
    ),
    Scenario(
        "retry-counted-as-failure",
        "An error that the runtime says it will retry fails nothing.",
        ("O3",),
        (Reject(429), Answer((Say("The total is 76."),)), End()),
    ),
)

FOUNDED: Final[dict[str, tuple[str, ...]]] = {
    "claude-stream-json": (
        "progress-joined-to-the-final",
        "table-broken-by-joined-progress",
        "sentences-joined-without-separator",
        "result-suppressed-after-streaming",
    ),
    "codex-app-server": (
        "result-suppressed-after-streaming",
        "commentary-promoted-to-final",
        "retry-counted-as-failure",
    ),
    "codex-exec": ("retry-counted-as-failure",),
    "hermes-session": ("progress-joined-to-the-final", "error-taken-for-the-answer"),
    "hermes-responses": ("progress-joined-to-the-final", "error-taken-for-the-answer"),
}
"""Dialect to the scenarios that hosts of it were seen to get wrong, by name."""


def founded(dialect: str) -> tuple[Scenario, ...]:
    """The founding scenarios of a dialect."""
    names = FOUNDED.get(dialect, ())
    return tuple(scenario for scenario in FOUNDING if scenario.name in names)
