"""From a place, as a plan says it, to the event, the byte or the moment it is in a recording.

A place that a recording does not have is a `Misfit`, whose text names the closest there is: that
is what a person needs to correct a plan.
"""

from __future__ import annotations

import difflib
import random
from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeGuard

import msgspec

from turnreel.adapters.forging import Forger

from .faults.places import AtByte, AtEvent, AtMatch, AtRandom, AtTerminal, AtTime, Place
from .script import label_of
from .steps import Mark, Send, Step

NEAR: Final = 3
"""How many types are named where none fits."""


class Misfit(Exception):
    """A fault that this recording has no place for; the text says why and what there is."""


class Spot(msgspec.Struct, frozen=True):
    """A moment: `offset` bytes have been delivered, and `at_us` has come."""

    offset: int
    at_us: int = 0


Resolved = AtEvent | AtByte | AtTime


def counted(step: Step) -> TypeGuard[Send]:
    """Whether the step's bytes and event are what places are counted in."""
    return isinstance(step, Send) and step.stream != "stderr"


def resolved(place: Place, steps: Sequence[Step], lot: str, forger: Forger) -> Resolved:
    """The place in these recorded steps; `lot` decides where chance does. Raises Misfit."""
    sends = [step for step in steps if counted(step)]
    size = sum(len(step.data) for step in sends)
    match place:
        case AtRandom(of):
            draw = random.Random(lot)
            if of == "event" and sends:
                return AtEvent(draw.randint(1, len(sends)))
            if of == "byte" and size:
                return AtByte(draw.randrange(size))
            raise Misfit("has no body")
        case AtEvent(event):
            if event > len(sends):
                raise Misfit(f"has {len(sends)} events, {size} bytes")
        case AtByte(byte):
            if byte > size:
                raise Misfit(f"has {len(sends)} events, {size} bytes")
        case AtTime(time):
            last = max((step.at_us for step in steps), default=0) / 1e6
            if time > last:
                raise Misfit(f"lasts {last:.3f} s")
        case AtMatch():
            return _matched(place, sends)
        case AtTerminal(back):
            first, last = terminal(sends, forger)
            event = last if back == 0 else first - back
            if event < 0:
                raise Misfit(f"has {first - 1} events before its terminal")
            return AtEvent(event)
    return place


def terminal(sends: Sequence[Send], forger: Forger) -> tuple[int, int]:
    """The numbers of the first and the last event of the last terminal. Raises Misfit."""
    last = len(sends)
    while last and not forger.terminal(sends[last - 1].unit):
        last -= 1
    if not last:
        raise Misfit("has no terminal")
    first = last
    while first > 1 and forger.terminal(sends[first - 2].unit):
        first -= 1
    return first, last


def _matched(place: AtMatch, sends: Sequence[Send]) -> AtEvent:
    labels = [label_of(send.unit) for send in sends]
    fitting = [
        number for number, label in enumerate(labels, 1) if f"/{place.type}/" in f"/{label}/"
    ]
    if len(fitting) >= place.nth:
        return AtEvent(fitting[place.nth - 1])
    if fitting:
        raise Misfit(f"has {len(fitting)} of type {place.type}, the last is event {fitting[-1]}")
    there = Counter(labels)
    near = difflib.get_close_matches(place.type, there, NEAR, 0.4) or sorted(there)[:NEAR]
    told = ", ".join(f"{label} ({there[label]})" for label in near)
    raise Misfit(f"has no {place.type}; closest: {told or 'it has no events'}")


def spot_of(place: Resolved, steps: Sequence[Step]) -> Spot:
    """The moment of a place in steps that faults may have changed: behind an event means behind its
    last copy, or where it would have been. Raises Misfit where they left nothing of it.
    """
    match place:
        case AtByte(byte):
            size = sum(len(step.data) for step in steps if counted(step))
            if byte > size:
                raise Misfit(f"has {size} bytes now")
            return Spot(byte)
        case AtTime(time):
            at_us = round(time * 1e6)
            before = (step for step in steps if counted(step) and step.at_us <= at_us)
            return Spot(sum(len(step.data) for step in before), at_us)
        case AtEvent(event):
            if event == 0:
                return Spot(0)
            offset, behind = 0, -1
            for step in steps:
                if counted(step):
                    offset += len(step.data)
                if isinstance(step, Send | Mark) and event in step.completes:
                    behind = offset
            if behind < 0:
                raise Misfit(f"has no event {event} any more")
            return Spot(behind)
