"""Faults of pace and packaging: when a stream's bytes come and in which pieces. Pure.

Rules of this file
- The bytes and their order stay as they are; laws in the tests say so for every fault here.
- Seconds are real ones, whatever the pace of the replay.
- Places are resolved before anything is shaped: they mean the bytes delivered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from .editing import Steps
from .faults import Fault
from .faults.transport import Delay, Drip, Reslice, Stall
from .placing import Misfit, Spot, counted
from .steps import Head, Mark, Send, Step

MOST_PIECES: Final = 1_000_000
"""More pieces than these are refused: they would take longer to plan than to send."""


def shaped(steps: Steps, fault: Fault, spot: Spot | None, number: int | None, index: int) -> Steps:
    """The steps with a fault of pace or packaging, which is the plan's fault `index`, at `spot` or
    at event `number`; as they are for a fault of another kind. Raises Misfit.
    """
    match fault:
        case Stall(seconds=seconds) if spot is not None:
            before, at_us, rest = split(steps, spot)
            until = at_us + round(seconds * 1e6)
            late = [replace(step, at_us=max(step.at_us, until)) for step in rest]
            return [*before, *_silence(at_us, until, index), *late]
        case Delay(seconds=seconds):
            return _delayed(steps, round(seconds * 1e6), spot, index)
        case Drip(size=size, gap=gap):
            return list(_dripped(steps, size, gap * 1000, number, index))
        case Reslice(size=size):
            return list(_resliced(steps, size, index))
        case _:
            return steps


def split(steps: Steps, spot: Spot) -> tuple[Steps, int, Steps]:
    """The steps up to the moment `spot`, when that is, and what remains, none of it due before. A
    send that crosses it is divided. Marks at the place are before it.
    """
    at_us = 0
    left = spot.offset
    before, rest = steps, Steps()
    for position, step in enumerate(steps):
        if isinstance(step, Head | Mark):
            at_us = step.at_us
        elif left == 0:
            before, rest = steps[:position], steps[position:]
            break
        elif counted(step):
            at_us = step.at_us
            if left < len(step.data):
                part, remainder = _divided(step, left)
                before, rest = [*steps[:position], part], [remainder, *steps[position + 1 :]]
                break
            left -= len(step.data)
    at_us = max(at_us, spot.at_us)
    if rest and rest[0].at_us < at_us:
        rest = [replace(step, at_us=max(step.at_us, at_us)) for step in rest]
    return before, at_us, rest


def _divided(step: Send, at: int) -> tuple[Send, Send]:
    part = replace(step, slices=(), joined=False, whole=step.whole or len(step.data))
    return (
        replace(part, data=step.data[:at], completes=()),
        replace(part, data=step.data[at:], start=step.start + at),
    )


def _delayed(steps: Steps, by_us: int, spot: Spot | None, index: int) -> Steps:
    before, at_us, rest = ([], 0, steps) if spot is None else split(steps, spot)
    late = [replace(step, at_us=step.at_us + by_us) for step in rest]
    return [*before, *_silence(at_us, at_us + by_us, index), *late]


def _silence(at_us: int, until_us: int, index: int) -> Steps:
    """Two marks: the fault happens when the silence begins, whoever leaves before it ends."""
    told = f"silence of {(until_us - at_us) / 1e6:g} s"
    return [Mark(at_us, told, (index,)), Mark(until_us, "goes on", ())]


def _dripped(
    steps: Steps, size: int, gap_us: int, number: int | None, index: int
) -> Iterator[Step]:
    concerned = [
        step for step in steps if counted(step) and (number is None or number in step.completes)
    ]
    if not concerned:
        raise Misfit("has no such event any more" if number else "has no events")
    if sum(len(step.data) for step in concerned) // size > MOST_PIECES:
        raise Misfit(f"would take more than {MOST_PIECES} pieces")
    now = 0
    mark: tuple[int, ...] = (index,)
    for step in steps:
        now = max(now, step.at_us)
        if not counted(step) or not (number is None or number in step.completes):
            yield replace(step, at_us=now)
            continue
        for place in range(0, len(step.data), size):
            piece = step.data[place : place + size]
            last = place + size >= len(step.data)
            yield replace(
                step,
                at_us=now,
                data=piece,
                completes=step.completes if last else (),
                slices=(),
                joined=False,
                faults=(*(step.faults if place == 0 else ()), *mark),
                start=step.start + place,
                whole=step.whole or len(step.data),
            )
            mark = ()
            now += 0 if last else gap_us


def _resliced(steps: Steps, size: int, index: int) -> Iterator[Step]:
    if not any(counted(step) and step.data for step in steps):
        raise Misfit("has no body")
    if sum(len(step.data) for step in steps if counted(step)) // size > MOST_PIECES:
        raise Misfit(f"would take more than {MOST_PIECES} pieces")
    held = b""
    completes: tuple[int, ...] = ()
    faults: tuple[int, ...] = (index,)
    last: Send | None = None
    for step in steps:
        if not counted(step):
            if last is not None and held:
                yield _undivided(last, held, completes, faults)
                held, completes, faults = b"", (), ()
            yield step
            continue
        held += step.data
        faults = (*faults, *step.faults)
        last = step
        whole = len(held) // size * size
        done = step.completes if whole == len(held) else ()
        if whole:
            slices = (size,) * (whole // size)
            sent = (*completes, *done)
            yield replace(
                _undivided(step, held[:whole], sent, faults), slices=slices, whole=len(held)
            )
            held, faults, completes = held[whole:], (), ()
        if not done:
            completes = (*completes, *step.completes)
    if last is not None and held:
        yield _undivided(last, held, completes, faults)


def _undivided(
    step: Send, data: bytes, completes: tuple[int, ...], faults: tuple[int, ...]
) -> Send:
    """`data` sent when `step` is, wherever the events in it begin."""
    return replace(
        step,
        data=data,
        slices=(),
        joined=False,
        completes=completes,
        faults=faults,
        start=0,
        whole=0,
    )
