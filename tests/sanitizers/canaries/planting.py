"""Where a secret may stand in a record, and the record with one standing there."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from turnreel.sanitizers import Raw
from turnreel.wire.units import Json, JsonUnit, SseFraming, TextUnit

from .corpus import Session

Step = str | int | None
"""A key, a number, or None for the key itself that comes before."""

WORDS: Final[tuple[Callable[[str, str], str], ...]] = (
    lambda old, secret: secret,
    lambda old, secret: f"see {secret} there",
    lambda old, secret: f"{old} {secret}",
    lambda old, secret: f"naïve 日本語: {secret}\n",
    lambda old, secret: f'{{"a": "{secret}"}}' if '"' not in secret else f"({secret})",
)
"""What stands around it."""


class Place(NamedTuple):
    """A place of one record: `kind` tells what sort of place it is, for the like of which one is
    enough.
    """

    raw: Raw
    where: str
    path: tuple[Step, ...]

    @property
    def kind(self) -> tuple[object, ...]:
        steps = tuple("[]" if isinstance(step, int) else step for step in self.path)
        return self.raw.track, self.raw.code, _sort(self.raw), self.where, steps


def places(session: Session) -> Iterator[Place]:
    """Every string leaf, key, header, query value, event name, id and text of a session."""
    for raw in session.raws:
        match raw.body:
            case JsonUnit(value, framing):
                for path in _paths(value, ()):
                    yield Place(raw, "json", path)
                if isinstance(framing, SseFraming):
                    yield Place(raw, "event", ())
                    yield Place(raw, "event-id", ())
            case TextUnit():
                yield Place(raw, "text", ())
            case dict() as fields:
                for path in _paths(fields, ()):
                    yield Place(raw, "json", path)
                if "path" in fields:
                    yield Place(raw, "query", ())
                if "headers" in fields:
                    yield Place(raw, "header", ())


def plant(place: Place, secret: str, chance: Random) -> Raw:
    """The record of `place` with `secret` standing there."""
    raw = place.raw
    match raw.body, place.where:
        case JsonUnit(value, SseFraming() as framing, style), "event":
            return _with(
                raw, JsonUnit(value, msgspec.structs.replace(framing, event=secret), style)
            )
        case JsonUnit(value, SseFraming() as framing, style), "event-id":
            return _with(raw, JsonUnit(value, msgspec.structs.replace(framing, id=secret), style))
        case JsonUnit(value, framing, style), _:
            return _with(raw, JsonUnit(_planted(value, place.path, secret, chance), framing, style))
        case TextUnit(text, framing), _:
            return _with(raw, TextUnit(chance.choice(WORDS)(text, secret), framing))
        case dict() as fields, "query":
            return _with(raw, {**fields, "path": f"{fields['path']}?x={secret}&beta=true"})
        case dict() as fields, "header":
            name = chance.choice(("cookie", "authorization", "x-api-key", "x-note", "content-type"))
            return _with(raw, {**fields, "headers": {**_headers(fields), name: secret}})
        case dict() as fields, _:
            return _with(raw, _planted(fields, place.path, secret, chance))
    raise AssertionError(f"no place {place.where} in {raw.code}")


def _headers(fields: dict[str, Json]) -> dict[str, Json]:
    headers = fields["headers"]
    return headers if isinstance(headers, dict) else {}


def _with(raw: Raw, body: Any) -> Raw:
    return Raw(raw.at_us, raw.track, raw.code, body, raw.exchange)


def _paths(value: Json, path: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    match value:
        case str():
            yield path
        case list():
            for number, item in enumerate(value):
                yield from _paths(item, (*path, number))
        case dict():
            for key, item in value.items():
                yield (*path, key, None)
                yield from _paths(item, (*path, key))


def _planted(value: Json, path: tuple[Step, ...], secret: str, chance: Random) -> Any:
    if not path:
        return chance.choice(WORDS)(str(value), secret)
    fresh: Any = copy.deepcopy(value)
    holder = fresh
    for step in path[:-2] if path[-1] is None else path[:-1]:
        holder = holder[step]
    if path[-1] is None:
        holder[secret] = holder.pop(path[-2])
    else:
        holder[path[-1]] = chance.choice(WORDS)(holder[path[-1]], secret)
    return fresh


def _sort(raw: Raw) -> tuple[object, ...]:
    """What tells kinds of frames apart in all dialects: the words they call themselves."""
    value: Any = raw.body.value if isinstance(raw.body, JsonUnit) else None
    if not isinstance(value, dict):
        return ()
    found = [value.get(key) for key in ("type", "subtype", "method")]
    for inner in ("event", "message", "delta", "item", "params", "request"):
        below = value.get(inner)
        if isinstance(below, dict):
            found += [below.get("type"), below.get("subtype")]
            delta = below.get("delta")
            found.append(delta.get("type") if isinstance(delta, dict) else None)
    return tuple(word if isinstance(word, str) else None for word in found)
