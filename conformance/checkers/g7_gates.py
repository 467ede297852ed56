"""G7: a gate can be answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Native, Run, Session, Violation, broken
from turnreel.lifecycle.events import GateKind, InputRequested, InputResolved, Resolution
from turnreel.lifecycle.observations import Asked, Ended

CLAUSE: Final = "G7"
SENTENCE: Final = (
    "A gate has a prompt, keeps its kind, and is resolved as its kind can be: an approval "
    "is not answered, a question not approved."
)
READS: Final = "run"


_WORDS: Final[dict[GateKind, frozenset[Resolution]]] = {
    "approval": frozenset({"approved", "declined", "withdrawn", "expired", "parked"}),
    "question": frozenset({"answered", "declined", "withdrawn", "expired", "parked"}),
    "elicitation": frozenset({"answered", "declined", "withdrawn", "expired", "parked"}),
}


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Empty prompts, changed kinds, words that do not fit the kind, and gates nobody opened."""
    kinds: dict[str, GateKind] = {}
    for event in run.events:
        if isinstance(event, InputRequested):
            kinds[event.request_id] = event.kind
            if not event.prompt.strip():
                yield broken(CLAUSE, event, "no prompt")
            if session.native is not None and not _requested(event, session.native):
                yield broken(CLAUSE, event, "asked, but no frame asks")
        elif isinstance(event, InputResolved):
            if kinds.get(event.request_id, event.kind) != event.kind:
                yield broken(CLAUSE, event, f"asked as {kinds[event.request_id]}")
            elif event.resolution not in _WORDS[event.kind]:
                yield broken(CLAUSE, event, f"{event.kind} {event.resolution}")


def _requested(event: InputRequested, native: Native) -> bool:
    return any(
        isinstance(seen, Asked) or (isinstance(seen, Ended) and seen.deferred is not None)
        for seen in native.observed_at(event)
    )
