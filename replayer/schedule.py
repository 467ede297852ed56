"""`schedule`: a recording and a plan to timed steps. Pure; chance comes from the plan's seed.

Rules of this file
- Without faults the bytes of a schedule are the bytes of the recording, in order.
- A status answers instead of the recorded exchange. Otherwise duplicates are put in first; then
  the earliest ending among cuts, exits and kills ends everything behind it, and the later ones
  do not fire. Holds stand where they were told to if the ending has not come before.
- Places count recorded events and delivered bytes: behind event k means behind its last copy.
- Times are the recorded ones under the plan's pacing, from the request or the agent's start.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Literal, TypeGuard

import msgspec

from turnreel.adapters.registry import provider
from turnreel.wire.encode import encode

from .faults import (
    AtByte,
    AtEvent,
    AtRandom,
    Cancel,
    Cut,
    Duplicate,
    Exit,
    Kill,
    Place,
    Plan,
    Status,
)
from .script import (
    AgentScript,
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
from .steps import Await, Break, End, Head, Hold, Linger, Quit, Schedule, Send, Step

_OURS = frozenset(
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


def schedule(
    script: Exchange | AgentScript, plan: Plan, armed: Collection[int] | None = None
) -> Schedule:
    """The timed steps that play `script` under `plan`.

    `armed` are the indices of the plan's faults that may still fire, all unless told. Equal
    arguments give equal schedules. A fault whose place the script does not reach is simply not
    in `Schedule.faults`: who runs the plan reports it (see `arming`).
    """
    due = [index for index in range(len(plan.faults)) if armed is None or index in armed]
    match script:
        case Exchange():
            due = [index for index in due if _concerns(plan, index, script)]
            for index in due:
                if isinstance(fault := plan.faults[index], Status):
                    return Schedule(tuple(_refusal(script, fault, index)))
            steps = list(_exchange_steps(script, plan))
            lot = f"{plan.seed}/{script.number}"
        case AgentScript():
            steps = list(_agent_steps(script, plan))
            lot = str(plan.seed)
    places = {index: place for index in due if (place := _place(plan, index, lot, steps))}
    return Schedule(tuple(_faulted(steps, plan, places)))


def _concerns(plan: Plan, index: int, exchange: Exchange) -> bool:
    only = getattr(plan.faults[index], "exchange", None)
    return only is None or only == exchange.number


def _refusal(exchange: Exchange, fault: Status, index: int) -> Iterator[Step]:
    unit = provider(exchange.dialect).error(fault.status, "replayed with a planned fault")
    data = encode(unit)
    retry = () if fault.retry_after is None else (("retry-after", str(fault.retry_after)),)
    headers = (("content-type", "application/json"), *retry)
    yield Head(0, fault.status, headers, "length", len(data), index)
    yield Send(0, data, unit)
    yield End(0)


def _exchange_steps(exchange: Exchange, plan: Plan) -> Iterator[Step]:
    """The exchange as recorded, paced."""

    def due(at_us: int) -> int:
        return plan.pacing.scale(max(0, at_us - exchange.asked_us))

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
        case Torn(at_us, "client"):
            yield Linger(due(at_us))
        case Torn(at_us):
            yield Break(due(at_us), "clean")
        case None:
            yield Linger(last)


def _head(exchange: Exchange, at_us: int) -> Head:
    assert exchange.response is not None
    kept = tuple(pair for pair in exchange.response.headers if pair[0] not in _OURS)
    if not any(name == "content-type" for name, _ in kept):
        media = "text/event-stream" if exchange.streamed else "application/json"
        kept = (("content-type", media), *kept)
    # A body that was cut has no length to promise: chunked framing tells a short one from a whole.
    whole = isinstance(exchange.end, Finished) and not exchange.streamed
    framing: Literal["chunked", "length"] = "length" if whole else "chunked"
    return Head(at_us, exchange.response.status, kept, framing, exchange.size if whole else 0)


def _agent_steps(script: AgentScript, plan: Plan) -> Iterator[Step]:
    """The agent as recorded, paced. A closed stdin gates what follows only where the host spoke
    through it: a one-shot agent does not care when nobody writes.
    """
    due = plan.pacing.scale
    last = 0
    for act in script.acts:
        match act:
            case Printed(stream, event):
                last = due(event.at_us)
                yield _send(event, last, stream)
            case Heard(at_us) | Signalled(at_us):
                last = due(at_us)
                yield Await(last, act)
            case HeardEnd(at_us):
                if script.converses:
                    last = due(at_us)
                    yield Await(last, act)
            case Exited(at_us, code, signal):
                yield Quit(due(at_us), code, signal)
                return
    yield Linger(last)


def _send(event: Event, at_us: int, stream: Literal["body", "stdout", "stderr"] = "body") -> Send:
    return Send(at_us, event.data, event.unit, stream, event.number or None, event.slices)


def _counted(step: Step) -> TypeGuard[Send]:
    """Whether the step's bytes and event are what places are counted in."""
    return isinstance(step, Send) and step.stream != "stderr"


def _place(plan: Plan, index: int, lot: str, steps: list[Step]) -> AtEvent | AtByte | None:
    """Where the fault applies in these steps; None where it does not."""
    place: Place | None = getattr(plan.faults[index], "at", None)
    sends = [step for step in steps if _counted(step)]
    events, size = len(sends), sum(len(step.data) for step in sends)
    match place:
        case AtRandom(of):
            draw = random.Random(f"{lot}/{index}")
            if of == "event":
                return AtEvent(draw.randint(1, events)) if events else None
            return AtByte(draw.randrange(size)) if size else None
        case AtEvent(event):
            return place if event <= events else None
        case AtByte(byte):
            return place if byte <= size else None
        case None:
            return None


def _faulted(steps: list[Step], plan: Plan, places: dict[int, AtEvent | AtByte]) -> list[Step]:
    """The steps with the faults at their places."""
    for index, place in places.items():
        if isinstance(plan.faults[index], Duplicate) and isinstance(place, AtEvent):
            steps = _duplicated(steps, place.event, index)
    offsets = {index: _offset(steps, place) for index, place in places.items()}
    endings = [i for i in offsets if isinstance(plan.faults[i], Cut | Exit | Kill)]
    limit = min((offsets[index] for index in endings), default=None)
    if endings:
        first = min(endings, key=lambda index: (offsets[index], index))
        before, at_us, rest = _split(steps, offsets[first])
        steps = [*before, *_ending(plan, first, at_us, rest)]
    for index, offset in offsets.items():
        fault = plan.faults[index]
        if isinstance(fault, Cancel) and (limit is None or offset <= limit):
            before, at_us, rest = _split(steps, offset)
            steps = [*before, Hold(at_us, fault.then, index), *rest]
    return steps


def _ending(plan: Plan, index: int, at_us: int, rest: list[Step]) -> Iterator[Step]:
    match plan.faults[index]:
        case Cut(how=how):
            yield Break(at_us, how, index)
            # An agent that lost its stdout still ends as it was recorded, only at once.
            for step in rest:
                if isinstance(step, Quit):
                    yield Quit(at_us, step.code, step.signal)
        case Exit(code=code):
            yield Quit(at_us, code, None, index)
        case Kill():
            yield Quit(at_us, None, "SIGKILL", index)


def _duplicated(steps: list[Step], number: int, index: int) -> list[Step]:
    made: list[Step] = []
    for step in steps:
        made.append(step)
        if isinstance(step, Send) and step.completes == number and step.fault is None:
            made.append(msgspec.structs.replace(step, fault=index))
    return made


def _offset(steps: list[Step], place: AtEvent | AtByte) -> int:
    """The place in bytes delivered."""
    if isinstance(place, AtByte):
        return place.byte
    offset = behind = 0
    for step in steps:
        if _counted(step):
            offset += len(step.data)
            if step.completes == place.event:
                behind = offset
    return behind


def _split(steps: list[Step], offset: int) -> tuple[list[Step], int, list[Step]]:
    """The steps up to the moment `offset` bytes are delivered, that moment, and what remains.
    A send that crosses the offset is divided.
    """
    at_us = 0
    left = offset
    for position, step in enumerate(steps):
        if isinstance(step, Head):
            at_us = step.at_us
        elif left == 0:
            return steps[:position], at_us, steps[position:]
        elif _counted(step):
            at_us = step.at_us
            if left < len(step.data):
                part, remainder = _divided(step, left)
                return [*steps[:position], part], at_us, [remainder, *steps[position + 1 :]]
            left -= len(step.data)
    return steps, at_us, []


def _divided(step: Send, at: int) -> tuple[Send, Send]:
    change = msgspec.structs.replace
    return (
        change(step, data=step.data[:at], completes=None, slices=()),
        change(step, data=step.data[at:], slices=()),
    )
