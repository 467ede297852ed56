"""C7: commentary can be applied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Commentary

CLAUSE: Final = "C7"
SENTENCE: Final = (
    "Commentary is applied at its offset; a higher revision starts anew; what is done or "
    "taken back changes only by a higher revision; none is unfinished at the terminal."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Every event continues its message, or replaces it under a higher revision."""
    last: dict[str, Commentary] = {}
    length: dict[str, int] = {}
    for event in run.before:
        if not isinstance(event, Commentary):
            continue
        key = event.message_id
        former = last.get(key)
        if fault := _fault(event, former, length.get(key, 0)):
            yield broken(CLAUSE, event, fault)
        fresh = former is None or event.revision > former.revision
        length[key] = (0 if fresh else event.offset) + len(event.text)
        last[key] = event
    if run.terminal is not None:
        for event in last.values():
            if not event.done:
                yield broken(CLAUSE, event, "unfinished at the terminal")


def _fault(event: Commentary, former: Commentary | None, length: int) -> str:
    if former is None or event.revision > former.revision:
        return "a new revision does not begin at 0" if event.offset else ""
    if event.revision < former.revision:
        return f"revision {event.revision} after {former.revision}"
    if former.retracted:
        return "said on after it was taken back"
    if event.retracted:
        return "taken back without a higher revision"
    if former.done and event.text:
        return "said on after it was done"
    if event.offset > length:
        return f"offset {event.offset} behind the text's end at {length}"
    return ""
