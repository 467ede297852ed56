"""Whole bodies: one unit from the first byte to the last."""

from __future__ import annotations

from .classify import classify
from .framer import UNIT_LIMIT
from .units import BodyFraming, TornUnit, Unit

_BODY = BodyFraming()


class BodyFramer:
    """A body that is one JSON document or one text. A `Framer`; an empty body has no unit."""

    def __init__(self, limit: int = UNIT_LIMIT) -> None:
        self._limit = limit
        self._pending = bytearray()
        self._size = 0

    def feed(self, data: bytes) -> list[Unit]:
        self._size += len(data)
        if self._size > self._limit:
            self._pending.clear()
        else:
            self._pending += data
        return []

    def close(self) -> list[Unit]:
        size, body = self._size, bytes(self._pending)
        self._size = 0
        self._pending.clear()
        if not size:
            return []
        if size > self._limit:
            return [TornUnit(size, "long", _BODY)]
        return [classify(body, _BODY)]
