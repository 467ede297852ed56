"""Whether an agent's stream broke off within a turn, told by its last frames."""

from __future__ import annotations

from collections import deque
from typing import Final

from turnreel.adapters import registry
from turnreel.adapters.arrivals import raw_arrival
from turnreel.lifecycle.observations import (
    AttemptStarted,
    Awoke,
    Began,
    Ended,
    Refused,
    Said,
    Saying,
    Thought,
    ToolMoved,
)
from turnreel.sanitizers import Raw

TAIL: Final = 64
"""Frames that tell it. One mistaken for unsettled costs a few rows nobody needs."""

_AT_WORK: Final = (Began, Awoke, AttemptStarted, Saying, Said, Thought, ToolMoved)
_OVER: Final = (Ended, Refused)


class Tail:
    """The last frames of one stdio track."""

    def __init__(self, dialect: str) -> None:
        self._adapter = registry.adapter(dialect)
        self._frames: deque[Raw] = deque(maxlen=TAIL)

    def see(self, raw: Raw) -> None:
        """The next record of the track."""
        if raw.code in ("in", "out"):
            self._frames.append(raw)

    @property
    def is_unsettled(self) -> bool:
        """Whether the adapter, reading these frames alone, sees a turn that does not end."""
        state = self._adapter.begin()
        at_work: set[str] = set()
        for number, raw in enumerate(self._frames):
            frame = raw_arrival(number, raw)
            assert frame is not None, "nothing else is kept"
            state, seen = self._adapter.step(state, frame)
            for one in seen:
                if isinstance(one, _AT_WORK):
                    at_work.add(one.turn)
                elif isinstance(one, _OVER):
                    at_work.discard(one.turn)
        return bool(at_work)
