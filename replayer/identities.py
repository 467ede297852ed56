"""The live host's ids in the place of the recorded host's.

A host chooses the ids of its requests and messages; a recorded agent answers under the recorded
ones. What the live host chose is learned from each line it sends, and stands in everything that
is played from then on. An id is recognised by the name of the field it stands in, which the dialect
declares, never by its look: in a sanitized recording ids of different kinds may look alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnreel.adapters.base import Program
from turnreel.wire.encode import encode
from turnreel.wire.units import Json, JsonUnit, Unit

from .steps import Send

_Known = dict[tuple[int, str], str]
"""Kind of identity and recorded one to the live one."""


class Identities:
    """What the live host calls what the recorded host called otherwise, as its agent's `program`
    declares where such identities stand.
    """

    def __init__(self, program: Program) -> None:
        self._kinds = {name: kind for kind, names in enumerate(program.host_ids) for name in names}
        self._calls = program.calls
        self._known: _Known = {}
        self._asked: dict[str | int, Json] = {}

    def learn(self, recorded: Unit, live: Unit) -> None:
        """Take in that `live` is what `recorded` was."""
        if isinstance(recorded, JsonUnit) and isinstance(live, JsonUnit):
            for kind, old, new in self._pairs(recorded.value, live.value):
                self._known[kind, old] = new
            if self._calls == "json-rpc":
                self._learn_call(recorded.value, live.value)

    def _learn_call(self, recorded: Json, live: Json) -> None:
        match recorded, live:
            case {"id": str() | int() as old, "method": _}, {"id": new, "method": _}:
                self._asked[old] = new
            case _:
                pass

    def spoken(self, send: Send) -> bytes:
        """The bytes of `send` with the live ids; its own bytes where there is nothing to change.
        Of a line that is sent in part, the same part.
        """
        unit, data = send.unit, send.data
        if not isinstance(unit, JsonUnit) or not (self._known or self._asked):
            return data
        value = self._answered(self._renamed(unit.value))
        if value == unit.value:
            return data
        whole, spoken = encode(unit), encode(msgspec.structs.replace(unit, value=value))
        end = send.start + len(data)
        return spoken[send.start : None if end == len(whole) else end]

    def _answered(self, value: Json) -> Json:
        """An answer to a request of the host, under the id that the live host gave it."""
        asked = value.get("id") if isinstance(value, dict) and "method" not in value else None
        if isinstance(value, dict) and isinstance(asked, str | int) and asked in self._asked:
            return {**value, "id": self._asked[asked]}
        return value

    def _pairs(self, recorded: Json, live: Json) -> Iterator[tuple[int, str, str]]:
        """The identities that stand at the same places of two messages and differ."""
        if not isinstance(recorded, dict) or not isinstance(live, dict):
            return
        for name, old in recorded.items():
            new, kind = live.get(name), self._kinds.get(name)
            if kind is None:
                yield from self._pairs(old, new)
            elif isinstance(old, str) and isinstance(new, str) and old != new:
                yield kind, old, new

    def _renamed(self, value: Json, kind: int | None = None) -> Json:
        match value:
            case dict():
                return {name: self._renamed(v, self._kinds.get(name)) for name, v in value.items()}
            case list():
                return [self._renamed(one, kind) for one in value]
            case str() if kind is not None:
                return self._known.get((kind, value), value)
        return value
