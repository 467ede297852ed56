"""C2: a text has one role."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Commentary
from turnreel.lifecycle.events import Final as Answer

CLAUSE: Final = "C2"
SENTENCE: Final = (
    "No message is commentary and final; a final rests on a native success or a receipt."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """The final's message was never published as commentary, unless it was taken back."""
    shown: dict[str, bool] = {}
    for event in run.before:
        if isinstance(event, Commentary):
            shown[event.message_id] = not event.retracted
    final = run.terminal
    if isinstance(final, Answer) and shown.get(final.message_id):
        yield broken(CLAUSE, final, "the final's message is commentary already")
