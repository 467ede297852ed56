"""A recorded stream in its unstreamed form: one body, when all of it was there."""

from __future__ import annotations

from msgspec.structs import replace

from turnreel.adapters.registry import provider
from turnreel.wire.encode import encode

from .script import Event, Exchange, Finished, Response


def unstreamed(exchange: Exchange) -> Exchange | None:
    """The exchange as if the whole message had been asked for; None if the stream does not hold
    it. Its head is the recorded one but for what the body is, and its body comes when the stream
    ended.
    """
    unit = provider(exchange.dialect).whole(event.unit for event in exchange.events)
    if unit is None:
        return None
    at_us = exchange.events[-1].at_us
    headers = exchange.response.headers if exchange.response is not None else ()
    kept = tuple(pair for pair in headers if pair[0] != "content-type")
    return replace(
        exchange,
        response=Response(at_us, 200, (("content-type", "application/json"), *kept)),
        events=(Event(1, at_us, encode(unit), unit),),
        end=Finished(at_us),
    )
