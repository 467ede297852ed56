"""The live host's ids in the place of the recorded host's.

A host chooses the ids of its requests and messages; a recorded agent answers under the recorded
ones. What the live host chose is learned from each line it sends, and stands in everything that
is played from then on. An id is recognised by the name of the field it stands in, never by its
look: in a sanitized recording ids of different kinds may look alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from turnreel.wire.encode import encode
from turnreel.wire.units import Json, JsonUnit, Unit

from .steps import Send

_REQUEST: Final = frozenset({"request_id"})
_MESSAGE: Final = frozenset(
    {
        "uuid",
        "command_uuid",
        "user_message_uuid",
        "user_message_uuids",
        "begun_message_ids",
        "still_queued",
        "cancelled",
    }
)
_KINDS: Final = {name: kind for kind in (_REQUEST, _MESSAGE) for name in kind}
"""Field name to the kind of identity it holds, alone or in a list."""

_Known = dict[tuple[frozenset[str], str], str]


class Identities:
    """What the live host calls what the recorded host called otherwise."""

    def __init__(self) -> None:
        self._known: _Known = {}

    def learn(self, recorded: Unit, live: Unit) -> None:
        """Take in that `live` is what `recorded` was."""
        if isinstance(recorded, JsonUnit) and isinstance(live, JsonUnit):
            for kind, old, new in _pairs(recorded.value, live.value):
                self._known[kind, old] = new

    def spoken(self, send: Send) -> bytes:
        """The bytes of `send` with the live ids; its own bytes where there is nothing to change.
        Of a line that is sent in part, the same part.
        """
        unit, data = send.unit, send.data
        if not isinstance(unit, JsonUnit) or not self._known:
            return data
        value = _renamed(unit.value, self._known)
        if value == unit.value:
            return data
        whole, spoken = encode(unit), encode(msgspec.structs.replace(unit, value=value))
        if data == whole:
            return spoken
        if whole.startswith(data):
            return spoken[: len(data)]
        return spoken[len(whole) - len(data) :]


def _pairs(recorded: Json, live: Json) -> Iterator[tuple[frozenset[str], str, str]]:
    """The identities that stand at the same places of two messages and differ."""
    if not isinstance(recorded, dict) or not isinstance(live, dict):
        return
    for name, old in recorded.items():
        new, kind = live.get(name), _KINDS.get(name)
        if kind is None:
            yield from _pairs(old, new)
        elif isinstance(old, str) and isinstance(new, str) and old != new:
            yield kind, old, new


def _renamed(value: Json, known: _Known, kind: frozenset[str] | None = None) -> Json:
    match value:
        case dict():
            return {name: _renamed(one, known, _KINDS.get(name)) for name, one in value.items()}
        case list():
            return [_renamed(one, known, kind) for one in value]
        case str() if kind is not None:
            return known.get((kind, value), value)
    return value
