"""Event faults: what they make of a stream's steps. Pure; what was never recorded is forged by the
stream's dialect.

Rules of this file
- Edits are made one after the other. An event is known by its recorded number wherever earlier
  ones moved it; what an earlier one took away, a later one cannot touch.
- Times never run backwards: what moves behind another event comes when that one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from turnreel.adapters.forging import Forger
from turnreel.adapters.steps import Unsayable
from turnreel.wire.encode import encode
from turnreel.wire.json_style import dump
from turnreel.wire.units import JsonUnit, LineFraming, TextUnit, Unit

from .faults import Fault
from .faults.event import (
    ChangedId,
    ConflictingTerminal,
    Drop,
    Duplicate,
    Late,
    Malformed,
    MissingTerminal,
    NativeRetry,
    PingStorm,
    Reorder,
    SecondTerminal,
    SuccessThenError,
    Unknown,
)
from .faults.process import StderrNoise, StdoutNoise
from .faults.session import Replay, Resume
from .placing import Misfit, counted, terminal
from .steps import Await, End, Mark, Send, Step, Stream

NOISE: Final = "turnreel: planned noise"

Steps = list[Step]


def edited(steps: Steps, fault: Fault, number: int | None, index: int, forger: Forger) -> Steps:
    """The steps with an event fault, which is the plan's fault `index`, at event `number`; as they
    are for a fault of another kind. Raises Misfit.
    """
    stage = _Stage(steps, index, forger)
    try:
        match fault, number:
            case Drop() | Duplicate() | Reorder() | Late() | Malformed() | ChangedId(), int():
                return _changed(stage, fault, number)
            case Unknown() | PingStorm() | StderrNoise() | StdoutNoise(), int():
                return _followed(stage, fault, number)
            case SecondTerminal() | ConflictingTerminal() | SuccessThenError(), _:
                return _after_the_end(stage, fault)
            case MissingTerminal(), _:
                return _without(stage, stage.ends(), "the terminal is missing")
            case NativeRetry(), int():
                return _retried(stage, number)
            case Replay(), _:
                return _replayed(stage, number)
            case Resume(), int():
                return _resumed(stage, number)
            case _:
                return steps
    except Unsayable as refusal:
        raise Misfit(f"cannot have it: {refusal}") from refusal


class _Stage:
    """A stream while one fault edits it."""

    def __init__(self, steps: Steps, index: int, forger: Forger) -> None:
        self.steps = steps
        self.mark = (index,)
        self.forger = forger

    def place(self, number: int) -> int:
        """Where event `number` is, the first copy. Raises Misfit."""
        for place, step in enumerate(self.steps):
            if counted(step) and number in step.completes and number:
                return place
        raise Misfit(f"has no event {number}" + (" any more" if number else ""))

    def send(self, place: int) -> Send:
        """The send at `place`."""
        step = self.steps[place]
        assert isinstance(step, Send), "places of events are places of sends"
        return step

    def places(self) -> list[int]:
        """Where the stream's events are."""
        return [place for place, step in enumerate(self.steps) if counted(step)]

    def ends(self) -> list[int]:
        """Where the events of the terminal are. Raises Misfit."""
        places = self.places()
        first, last = terminal([self.send(place) for place in places], self.forger)
        return places[first - 1 : last]

    def spoken(self, place: int) -> list[Unit]:
        """The units said up to and with `place`."""
        return [step.unit for step in self.steps[: place + 1] if counted(step)]

    def forged(self, at_us: int, units: Iterable[Unit], stream: Stream) -> Steps:
        """Steps that send what was never recorded."""
        return [Send(at_us, encode(u), u, stream, (0,), faults=self.mark) for u in units]

    def behind(self, place: int, more: Iterable[Step]) -> Steps:
        """All steps, with `more` behind the one at `place`."""
        return [*self.steps[: place + 1], *more, *self.steps[place + 1 :]]


def _changed(
    stage: _Stage,
    fault: Drop | Duplicate | Reorder | Late | Malformed | ChangedId,
    number: int,
) -> Steps:
    """One event lost, repeated, moved or altered."""
    place = stage.place(number)
    send = stage.send(place)
    match fault:
        case Drop():
            return _without(stage, [place], f"event {number} is dropped")
        case Duplicate():
            return stage.behind(place, [replace(send, faults=stage.mark)])
        case Reorder(by=by):
            later = [other for other in stage.places() if other > place]
            if len(later) < by:
                raise Misfit(f"has {len(later)} events behind event {number}")
            return _moved(stage, place, later[by - 1])
        case Late():
            ends = stage.ends()
            if place >= ends[0]:
                raise Misfit(f"has event {number} at its terminal, not before it")
            return _moved(stage, place, ends[-1])
        case Malformed():
            if not isinstance(send.unit, JsonUnit):
                raise Misfit(f"has no JSON in event {number}")
            source = dump(send.unit.value, send.unit.style)
            torn = source[: len(source) // 2].decode(errors="ignore")
            unit: Unit = TextUnit(torn, send.unit.framing)
        case ChangedId():
            other = stage.forger.renamed(send.unit)
            if other is None:
                raise Misfit(f"gives out no id in event {number}")
            unit = other
    faults = (*send.faults, *stage.mark)
    told = replace(send, data=encode(unit), unit=unit, slices=(), joined=False, faults=faults)
    return [*stage.steps[:place], told, *stage.steps[place + 1 :]]


def _without(stage: _Stage, places: Sequence[int], told: str) -> Steps:
    """The steps without the sends at `places`; a mark stands where the first was."""
    gone = [stage.send(place) for place in places]
    numbers = tuple(number for send in gone for number in send.completes)
    kept = [step for place, step in enumerate(stage.steps) if place not in places]
    kept.insert(places[0], Mark(gone[0].at_us, told, stage.mark, numbers))
    return kept


def _moved(stage: _Stage, place: int, behind: int) -> Steps:
    """The steps with the one at `place` behind the one at `behind`."""
    send = stage.send(place)
    faults = (*send.faults, *stage.mark)
    late = replace(send, at_us=stage.steps[behind].at_us, faults=faults)
    return [*stage.steps[:place], *stage.steps[place + 1 : behind + 1], late,
            *stage.steps[behind + 1 :]]  # fmt: skip


def _followed(
    stage: _Stage, fault: Unknown | PingStorm | StderrNoise | StdoutNoise, number: int
) -> Steps:
    """Behind an event comes what was never recorded."""
    place = stage.place(number)
    send, spoken = stage.send(place), stage.spoken(place)
    stream: Stream = send.stream
    units: list[Unit]
    match fault:
        case Unknown():
            units = [stage.forger.unknown(spoken)]
        case PingStorm(count=count):
            units = [stage.forger.ping(spoken)] * count
        case StderrNoise(lines=lines):
            units, stream = _noise(lines), "stderr"
        case StdoutNoise(lines=lines):
            units = _noise(lines)
    return stage.behind(place, stage.forged(send.at_us, units, stream))


def _noise(lines: int) -> list[Unit]:
    return [TextUnit(f"{NOISE} {line}", LineFraming()) for line in range(1, lines + 1)]


def _after_the_end(
    stage: _Stage, fault: SecondTerminal | ConflictingTerminal | SuccessThenError
) -> Steps:
    """Behind the terminal comes something that may not."""
    place = stage.ends()[-1]
    send, spoken = stage.send(place), stage.spoken(place)
    match fault:
        case SecondTerminal():
            units = stage.forger.second(spoken)
        case ConflictingTerminal():
            units = stage.forger.conflicting(spoken)
        case SuccessThenError():
            units = stage.forger.error(spoken)
    return stage.behind(place, stage.forged(send.at_us, units, send.stream))


def _retried(stage: _Stage, number: int) -> Steps:
    """The attempt under way fails behind the event. It is made again in the same stream, unless its
    failure ends that.
    """
    place = stage.place(number)
    send = stage.send(place)
    retry = stage.forger.retry(stage.spoken(place))
    if retry.closes == "stream":
        failed = stage.forged(send.at_us, retry.failed, send.stream)
        return [*stage.steps[: place + 1], *failed, End(send.at_us, stage.mark)]
    attempt = [other for other in stage.places() if other <= place][retry.begins :]
    begins = attempt[0] if attempt else place + 1
    if any(isinstance(step, Await) for step in stage.steps[begins : place + 1]):
        raise Misfit(f"has its host speak inside the attempt that event {number} is of")
    failed = stage.forged(send.at_us, retry.failed, send.stream)
    # What failed was said when it was; the attempt comes again at once.
    for nth, other in enumerate(attempt[: len(failed)]):
        failed[nth] = replace(failed[nth], at_us=stage.steps[other].at_us)
    again = [replace(step, at_us=max(step.at_us, send.at_us)) for step in stage.steps[begins:]]
    return [*stage.steps[:begins], *failed, *again]


def _replayed(stage: _Stage, number: int | None) -> Steps:
    """All events up to one are delivered again behind it."""
    places = stage.places()
    if not places:
        raise Misfit("has no events")
    last = places[-1] if number is None else stage.place(number)
    at_us = stage.steps[last].at_us
    again = [
        replace(stage.send(place), at_us=at_us, faults=stage.mark)
        for place in places
        if place <= last
    ]
    return stage.behind(last, again)


def _resumed(stage: _Stage, number: int) -> Steps:
    """A new process begins behind an event."""
    place = stage.place(number)
    send = stage.send(place)
    preface = stage.forged(0, stage.forger.resumed(stage.spoken(place)), send.stream)
    rest = [
        replace(step, at_us=max(0, step.at_us - send.at_us)) for step in stage.steps[place + 1 :]
    ]
    told = f"resumes behind event {number}"
    return [Mark(0, told, stage.mark, tuple(range(1, number + 1))), *preface, *rest]
