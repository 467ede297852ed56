"""C2: a text has one role."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.adapters.base import Edge
from turnreel.conformance.sessions import Native, Run, Session, Violation, broken
from turnreel.lifecycle.events import Commentary
from turnreel.lifecycle.events import Final as Answer
from turnreel.lifecycle.observations import Ended
from turnreel.lifecycle.signals import Receipt

CLAUSE: Final = "C2"
SENTENCE: Final = (
    "No message is commentary and final; a final rests on a native success or a receipt."
)
READS: Final = "run"


def check(run: Run, session: Session) -> Iterator[Violation]:
    """The final's message was never published as commentary, unless it was taken back; the frame
    that ends the run says success.
    """
    shown: dict[str, bool] = {}
    for event in run.before:
        if isinstance(event, Commentary):
            shown[event.message_id] = not event.retracted
    final = run.terminal
    if not isinstance(final, Answer):
        return
    if shown.get(final.message_id):
        yield broken(CLAUSE, final, "the final's message is commentary already")
    if session.native is not None and not _succeeded(final, session.native):
        yield broken(CLAUSE, final, "final without a native success or a receipt")


def _succeeded(final: Answer, native: Native) -> bool:
    ended = (seen for seen in native.observed_at(final) if isinstance(seen, Ended))
    edges = (one.signal for one in native.arrivals_of(final) if isinstance(one, Edge))
    return any(seen.ending == "completed" for seen in ended) or any(
        isinstance(signal, Receipt) for signal in edges
    )
