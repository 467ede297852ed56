"""A whole JSON value that stands in a string: read, treated as its record says, written again."""

from __future__ import annotations

import json

from turnreel.wire.units import Json

from .shape import shape
from .slots import Visit
from .tree import Node, Strict


class JsonText(Strict):
    """A string that holds the source of an object of `record`. What is no JSON object or array is
    shaped; a source with spaces after its separators stays one.
    """

    __slots__ = ("_record",)

    def __init__(self, record: Node, other: Node) -> None:
        super().__init__(None, None, other)
        self._record = record

    def clean(self, value: Json, visit: Visit) -> Json:
        if type(value) is not str:
            return super().clean(value, visit)
        try:
            read = json.loads(value)
        except (ValueError, RecursionError):
            return shape(value)
        if not isinstance(read, dict | list):
            return shape(value)
        separators = (", ", ": ") if '": ' in value else (",", ":")
        return json.dumps(
            self._record.clean(read, visit), ensure_ascii=False, separators=separators
        )
