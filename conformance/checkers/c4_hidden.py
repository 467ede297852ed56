"""C4: hidden reasoning stays hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnreel.adapters.base import Frame
from turnreel.conformance.sessions import Native, Run, Session, Violation, broken
from turnreel.lifecycle.events import AnyEvent
from turnreel.wire.units import Json, JsonUnit

CLAUSE: Final = "C4"
SENTENCE: Final = "Thinking, reasoning, signatures and encrypted content appear in no event."
READS: Final = "native"


_KEYS: Final = frozenset(
    {
        "thinking", "signature", "reasoning", "reasoning_content", "reasoning_details",
        "encrypted_content",
    }
)  # fmt: skip
_TYPES: Final = frozenset({"thinking", "redacted_thinking", "reasoning"})
_TELLING: Final = 16
"""Characters from which a text is told apart from filler and from chance."""


def check(run: Run, session: Session) -> Iterator[Violation]:
    """An event whose words contain a hidden text."""
    if session.native is None:
        return
    hidden = _hidden(session.native)
    for event in run.events if hidden else ():
        words = _words(event)
        if any(text in words for text in hidden):
            yield broken(CLAUSE, event, "hidden text is shown")


def _words(event: AnyEvent) -> str:
    parts = (getattr(event, name, None) for name in ("text", "prompt", "title", "name"))
    return "\n".join(part for part in parts if isinstance(part, str))


def _hidden(native: Native) -> set[str]:
    found: set[str] = set()
    for arrival in native.arrivals.values():
        if isinstance(arrival, Frame) and isinstance(arrival.unit, JsonUnit):
            _gather(arrival.unit.value, False, found)
    return found


def _gather(value: Json, inside: bool, found: set[str]) -> None:
    match value:
        case dict():
            inside = inside or value.get("type") in _TYPES
            for key, child in value.items():
                _gather(child, inside or key in _KEYS, found)
        case list():
            for child in value:
                _gather(child, inside, found)
        case str() if inside and len(value) >= _TELLING:
            found.add(value)
