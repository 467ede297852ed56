"""The lock-step protocol: an adapter in another process, in any language.

One JSON object a line each way. Every request is answered by exactly one line before the next one
is sent. Requests are ``begin``, ``frame``, ``signal``, and, where the adapter can, ``snapshot`` and
``restore``; the answer is ``{"events": [...]}``, the events of turn/1 that the request caused, or
``{"error": "..."}`` for a request that the adapter has no answer to. docs/lockstep.md is the
description for whoever writes such an adapter.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from turnreel.adapters.base import Arrival, Edge, Frame, FrameCode
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.signals import AnySignal
from turnreel.lifecycle.terms import PLAIN, Terms
from turnreel.wire.units import (
    BodyFraming,
    Framing,
    JsonUnit,
    LineFraming,
    SseFraming,
    TextUnit,
    TornClass,
    TornUnit,
    Unit,
)

PROTOCOL: Final = 1
"""It only grows: requests and fields are added, none changes its meaning."""

LINE_LIMIT: Final = 64 << 20
"""Bytes a line may have, either way."""


class Track(msgspec.Struct, frozen=True):
    """A channel of the session, and what it speaks."""

    id: str
    dialect: str


class Begin(msgspec.Struct, frozen=True, omit_defaults=True):
    """A session begins; whatever was before is forgotten. `session` heads the ids of its runs."""

    session: str
    agent: str
    tracks: tuple[Track, ...]
    protocol: int = PROTOCOL
    terms: Terms = PLAIN


class Torn(msgspec.Struct, frozen=True):
    """A unit that could not be read: how many bytes it had, and why."""

    size: int
    cause: TornClass


class FrameLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A native frame: exactly one of `json`, `text` and `torn` is there. `event`, `id` and `retry`
    are a server-sent event's fields; `framing` says how the unit stood in its stream.
    """

    track: str
    code: FrameCode
    number: int
    at_us: int
    exchange: int | None = None
    framing: Literal["line", "sse", "body"] = "line"
    event: str | None = None
    id: str | None = None
    retry: int | None = None
    json: Any = msgspec.UNSET
    text: str | msgspec.UnsetType = msgspec.UNSET
    torn: Torn | msgspec.UnsetType = msgspec.UNSET


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line to the adapter; one of these is there. `signal` holds what only the edge knows: its
    place, and the fields of `lifecycle.signals` with the signal's name as ``kind``.
    """

    begin: Begin | None = None
    frame: FrameLine | None = None
    signal: dict[str, Any] | None = None
    snapshot: int | None = None
    restore: int | None = None


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line back."""

    events: tuple[AnyEvent, ...] | None = None
    error: str | None = None


_encoder = msgspec.json.Encoder()
decode_request = msgspec.json.Decoder(Request).decode
decode_answer = msgspec.json.Decoder(Answer).decode
_signal = msgspec.json.Decoder(AnySignal).decode


LINE_ENDS: Final = tuple(
    (character.encode(), f"\\u{ord(character):04x}".encode()) for character in "\x85\u2028\u2029"
)
"""What JSON may hold as it is and some readers of lines take for an end (Node's readline)."""


def encode(value: Request | Answer) -> bytes:
    """The line of a request or an answer, without its end, in which nothing else ends a line."""
    line = _encoder.encode(value)
    for character, escape in LINE_ENDS:
        line = line.replace(character, escape)
    return line


def request_of(arrival: Arrival) -> Request:
    """The request that delivers an arrival."""
    if isinstance(arrival, Edge):
        fields = msgspec.to_builtins(arrival.signal)
        kind = fields.pop("signal")
        place = {"track": arrival.track, "number": arrival.number, "at_us": arrival.at_us}
        return Request(signal={"kind": kind, **place, **fields})
    unit = arrival.unit
    sse = unit.framing if isinstance(unit.framing, SseFraming) else SseFraming()
    return Request(
        frame=FrameLine(
            track=arrival.track,
            code=arrival.code,
            number=arrival.number,
            at_us=arrival.at_us,
            exchange=arrival.exchange,
            framing=_framing_word(unit.framing),
            event=sse.event,
            id=sse.id,
            retry=sse.retry,
            json=unit.value if isinstance(unit, JsonUnit) else msgspec.UNSET,
            text=unit.text if isinstance(unit, TextUnit) else msgspec.UNSET,
            torn=Torn(unit.size, unit.cause) if isinstance(unit, TornUnit) else msgspec.UNSET,
        )
    )


def arrival_of(request: Request) -> Arrival | None:
    """The arrival that a request delivers, None if it delivers none. Raises
    `msgspec.ValidationError` for a signal that is none.
    """
    if request.frame is not None:
        line = request.frame
        return Frame(line.track, line.code, line.number, line.at_us, _unit(line), line.exchange)
    if request.signal is not None:
        fields = dict(request.signal)
        track, number, at_us, kind = (
            fields.pop(name, None) for name in ("track", "number", "at_us", "kind")
        )
        signal = _signal(_encoder.encode({**fields, "signal": kind}))
        return Edge(str(track), int(number or 0), int(at_us or 0), signal)
    return None


def _unit(line: FrameLine) -> Unit:
    framing = _framing(line)
    if isinstance(line.torn, Torn):
        return TornUnit(line.torn.size, line.torn.cause, framing)
    if isinstance(line.text, str):
        return TextUnit(line.text, framing)
    return JsonUnit(None if line.json is msgspec.UNSET else line.json, framing)


def _framing(line: FrameLine) -> Framing:
    match line.framing:
        case "sse":
            return SseFraming(line.event, line.id, line.retry)
        case "body":
            return BodyFraming()
        case "line":
            return LineFraming()


def _framing_word(framing: Framing) -> Literal["line", "sse", "body"]:
    match framing:
        case SseFraming():
            return "sse"
        case BodyFraming():
            return "body"
        case LineFraming():
            return "line"
