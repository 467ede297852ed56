"""G7: a gate can be answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.conformance.watching import Native, Watch
from turnreel.lifecycle.events import AnyEvent, GateKind, InputRequested, InputResolved, Resolution
from turnreel.lifecycle.observations import Asked, Ended

_WORDS: Final[dict[GateKind, frozenset[Resolution]]] = {
    "approval": frozenset({"approved", "declined", "withdrawn", "expired", "parked"}),
    "question": frozenset({"answered", "declined", "withdrawn", "expired", "parked"}),
    "elicitation": frozenset({"answered", "declined", "withdrawn", "expired", "parked"}),
}


class Checker(Watch):
    """A gate can be answered."""

    clause = "G7"
    sentence = (
        "A gate has a prompt and a frame that asks, keeps its kind, and is resolved as its "
        "kind can be: an approval is not answered, a question not approved."
    )
    reads = "both"

    def begin(self) -> None:
        self.kinds: dict[str, GateKind] = {}

    def every(self, event: AnyEvent) -> Iterator[str]:
        match event:
            case InputRequested():
                self.kinds[event.request_id] = event.kind
                if not event.prompt.strip():
                    yield "no prompt"
                if self.native is not None and not _requested(event, self.native):
                    yield "asked, but no frame asks"
            case InputResolved():
                if self.kinds.get(event.request_id, event.kind) != event.kind:
                    yield f"asked as {self.kinds[event.request_id]}"
                elif event.resolution not in _WORDS[event.kind]:
                    yield f"{event.kind} {event.resolution}"
            case _:
                pass


def _requested(event: InputRequested, native: Native) -> bool:
    return any(
        isinstance(seen, Asked) or (isinstance(seen, Ended) and seen.deferred is not None)
        for seen in native.observed_at(event)
    )
