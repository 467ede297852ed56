"""C4: hidden reasoning stays hidden."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from turnreel.adapters.base import Frame
from turnreel.conformance.watching import Native, Watch
from turnreel.lifecycle.events import AnyEvent
from turnreel.wire.units import Json, JsonUnit

_KEYS: Final = frozenset(
    {
        "thinking", "signature", "reasoning", "reasoning_content", "reasoning_details",
        "encrypted_content",
    }
)  # fmt: skip
_TYPES: Final = frozenset({"thinking", "redacted_thinking", "reasoning"})
_TELLING: Final = 16
"""Characters from which a text is told apart from filler and from chance."""


class Checker(Watch):
    """Hidden reasoning stays hidden."""

    clause = "C4"
    sentence = "Thinking, reasoning, signatures and encrypted content appear in no event."
    reads = "native"

    def begin(self) -> None:
        self.hidden = _hidden(self.native) if self.native is not None else frozenset()

    def every(self, event: AnyEvent) -> Iterator[str]:
        if self.hidden:
            words = _words(event)
            if any(text in words for text in self.hidden):
                yield "hidden text is shown"


def _words(event: AnyEvent) -> str:
    parts = (getattr(event, name, None) for name in ("text", "prompt", "title", "name"))
    return "\n".join(part for part in parts if isinstance(part, str))


@lru_cache(maxsize=1)
def _hidden(native: Native) -> frozenset[str]:
    found: set[str] = set()
    for arrival in native.arrivals.values():
        if isinstance(arrival, Frame) and isinstance(arrival.unit, JsonUnit):
            _gather(arrival.unit.value, False, found)
    return frozenset(found)


def _gather(value: Json, inside: bool, found: set[str]) -> None:
    match value:
        case dict():
            kind = value.get("type")
            inside = inside or (isinstance(kind, str) and kind in _TYPES)
            for key, child in value.items():
                _gather(child, inside or key in _KEYS, found)
        case list():
            for child in value:
                _gather(child, inside, found)
        case str() if inside and len(value) >= _TELLING:
            found.add(value)
