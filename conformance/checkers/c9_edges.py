"""C9: texts have no white space around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Commentary
from turnreel.lifecycle.events import Final as Answer

CLAUSE: Final = "C9"
SENTENCE: Final = (
    "A finished message and a final have no white space at either end, and a finished "
    "message has text."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Texts as a reader puts them together."""
    texts: dict[str, str] = {}
    for event in run.before:
        if not isinstance(event, Commentary):
            continue
        text = texts.get(event.message_id, "")[: event.offset] + event.text
        texts[event.message_id] = text
        if event.done and not event.retracted and (not text or text != text.strip()):
            yield broken(CLAUSE, event, f"the message is {text[:40]!r}…{text[-10:]!r}")
    final = run.terminal
    if isinstance(final, Answer) and final.text != final.text.strip():
        yield broken(CLAUSE, final, "white space around the final")
