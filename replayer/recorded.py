"""A recording as timed steps, as it was: what a schedule begins with, and all of it where no fault
is planned. Pure, and a step at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from .faults import Pacing
from .script import (
    AgentScript,
    Closed,
    Event,
    Exchange,
    Exited,
    Finished,
    Heard,
    HeardEnd,
    Printed,
    Signalled,
    Torn,
)
from .steps import Await, Break, End, Head, Linger, Quit, Send, Step, Stream
from .steps import Close as WebSocketClose

OURS = frozenset(
    {
        "connection",
        "content-encoding",
        "content-length",
        "date",
        "keep-alive",
        "server",
        "transfer-encoding",
    }
)
"""Response headers that belong to a connection or a framing, not to the recorded answer."""

BODILESS = frozenset({204, 304})
"""Statuses of answers that never have a body, and so no kind of one."""


def paced(steps: Iterable[Step], pacing: Pacing) -> Iterator[Step]:
    """The steps at another pace."""
    for step in steps:
        yield replace(step, at_us=pacing.scale(step.at_us))


def exchange_steps(exchange: Exchange) -> Iterator[Step]:
    """The exchange as recorded."""

    def due(at_us: int) -> int:
        return max(0, at_us - exchange.asked_us)

    last = 0
    if exchange.response is not None:
        last = due(exchange.response.at_us)
        yield _head(exchange, last)
    for event in exchange.events:
        last = due(event.at_us)
        yield _send(event, last)
    match exchange.end:
        case Finished(at_us):
            yield End(due(at_us))
        case Closed(at_us, code, reason):
            yield WebSocketClose(due(at_us), code, reason=reason)
        case Torn(at_us, "client"):
            yield Linger(due(at_us))
        case Torn(at_us):
            yield Break(due(at_us), "clean")
        case None:
            yield Linger(last)


def _head(exchange: Exchange, at_us: int) -> Head:
    assert exchange.response is not None
    headers = exchange.response.headers
    kept = tuple(pair for pair in headers if pair[0] not in OURS)
    has_body = exchange.response.status not in BODILESS
    if has_body and not any(name == "content-type" for name, _ in kept):
        media = "text/event-stream" if exchange.streamed else "application/json"
        kept = (("content-type", media), *kept)
    # A body that was cut has no length to promise: chunked framing tells a short one from a whole.
    whole = isinstance(exchange.end, Finished) and not exchange.streamed
    return Head(
        at_us,
        exchange.response.status,
        kept,
        "length" if whole else "chunked",
        exchange.size if whole else 0,
        connection="close" if ("connection", "close") in headers else "keep-alive",
    )


def agent_steps(script: AgentScript) -> Iterator[Step]:
    """The agent as recorded. A closed stdin gates what follows only where the host spoke through
    it: a one-shot agent does not care when nobody writes.
    """
    last = 0
    for act in script.acts:
        match act:
            case Printed(stream, event):
                last = event.at_us
                yield _send(event, last, stream)
            case Heard(at_us) | Signalled(at_us):
                last = at_us
                yield Await(last, act)
            case HeardEnd(at_us):
                if script.converses:
                    last = at_us
                    yield Await(last, act)
            case Exited(at_us, code, signal):
                yield Quit(at_us, code, signal)
                return
    yield Linger(last)


def _send(event: Event, at_us: int, stream: Stream = "body") -> Send:
    completes = (event.number,) if event.number else ()
    return Send(at_us, event.data, event.unit, stream, completes, event.slices, joined=event.joined)
