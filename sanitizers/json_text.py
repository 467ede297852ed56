"""A whole JSON value that stands in a string: treated as the same source is when it is streamed."""

from __future__ import annotations

from turnreel.wire.units import Json

from .json_source import JsonBlock
from .slots import Slot, Visit
from .tree import Node, Strict


class JsonText(Strict):
    """A string that holds the source of an object of `record`. It becomes what its deltas add up
    to, also where it is no JSON.
    """

    __slots__ = ("_record",)

    def __init__(self, record: Node, other: Node) -> None:
        super().__init__(None, None, other)
        self._record = record

    def clean(self, value: Json, visit: Visit) -> Json:
        if type(value) is not str:
            return super().clean(value, visit)
        slot = Slot(value, "json", {}, "")
        block = JsonBlock(self._record, visit)
        block.feed(slot)
        block.close()
        return slot.landed
