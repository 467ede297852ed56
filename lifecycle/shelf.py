"""Where a run keeps what is settled: a mapping by native id that grows without copying itself.

A run may tell ten thousand messages. What is open is looked through at every step and stands in
tuples, in order; what is settled is only ever asked for by its native id and stands here, so that
neither the time of a step nor the memory of a kept state grows with how much was said before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Generic, TypeVar
from zlib import crc32

import msgspec

V = TypeVar("V")

BOXES: Final = 128
"""Into how many parts a shelf is divided; putting something there copies one of them."""

_EMPTY: Final[tuple[dict[str, Any], ...]] = ({},) * BOXES


class Shelf(msgspec.Struct, Generic[V], frozen=True):
    """An immutable mapping from native ids. Equal shelves hold equal things under equal names."""

    boxes: tuple[dict[str, V], ...] = _EMPTY

    def get(self, name: str) -> V | None:
        """What stands under `name`."""
        return self.boxes[_box(name)].get(name)

    def put(self, name: str, value: V) -> Shelf[V]:
        """The shelf with `value` under `name`."""
        return self._changed(name, {**self.boxes[_box(name)], name: value})

    def take(self, name: str) -> Shelf[V]:
        """The shelf without `name`; the same one if nothing stands there."""
        box = self.boxes[_box(name)]
        if name not in box:
            return self
        return self._changed(name, {k: v for k, v in box.items() if k != name})

    def values(self) -> Iterator[V]:
        """Everything, in no order that means anything."""
        return (value for box in self.boxes for value in box.values())

    def _changed(self, name: str, box: dict[str, V]) -> Shelf[V]:
        place = _box(name)
        return Shelf((*self.boxes[:place], box, *self.boxes[place + 1 :]))


def _box(name: str) -> int:
    return crc32(name.encode("utf-8", "surrogatepass")) % BOXES
