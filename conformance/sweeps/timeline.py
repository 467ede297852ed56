"""The recording translated once, with the place before every arrival kept; and branches from it.

Branches are cheap because they stop early: states are comparable values, so a branch whose state
equals one that is already known at the same place goes on as that one did. A sweep that visits
its places from the last to the first therefore costs little more than one translation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from turnreel.adapters.base import Arrival, Edge
from turnreel.adapters.translator import Checkpoint, Translator
from turnreel.conformance.recording import Recording
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.signals import AnySignal

from .tails import END, Tail, before, fingerprint, joined

KNOWN_AT_A_PLACE: Final = 8
"""Continuations remembered for each place; more would only cost comparisons."""

HOST: Final = "host"
"""The track of the edges that sweeps add."""


class Timeline:
    """One translation of a recording. Places count arrivals: place k is before arrival k."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.arrivals = recording.arrivals
        self.translator = recording.translator()
        self.marks: list[Checkpoint] = [self.translator.checkpoint()]
        self.told: list[list[AnyEvent]] = []
        for arrival in self.arrivals:
            self.told.append(self.translator.feed(arrival))
            self.marks.append(self.translator.checkpoint())
        self.events: tuple[AnyEvent, ...] = tuple(e for told in self.told for e in told)
        self._counts, self._prints = [0], [0]
        for told in self.told:
            self._counts.append(self._counts[-1] + len(told))
            self._prints.append(joined(self._prints[-1], fingerprint(told), len(told)))
        self.fingerprint = self._prints[-1]
        self.tails = [END] * (len(self.arrivals) + 1)
        for place in range(len(self.arrivals) - 1, -1, -1):
            self.tails[place] = before(self.told[place], self.tails[place + 1])

    @property
    def places(self) -> int:
        """How many places there are: one more than arrivals."""
        return len(self.marks)

    def count(self, place: int) -> int:
        """How many events were told before `place`."""
        return self._counts[place]

    def head(self, place: int) -> tuple[AnyEvent, ...]:
        """The events told before `place`."""
        return self.events[: self._counts[place]]

    def stream(self, place: int, told: Sequence[AnyEvent], tail: Tail) -> Stream:
        """The recorded beginning up to `place`, then `told`, then `tail`."""
        return Stream(self, place, self._prints[place], before(told, tail))

    def branch(self, place: int) -> Translator:
        """A translator that stands at `place`."""
        return self.translator.branch(self.marks[place])

    def edge(self, place: int, signal: AnySignal, step: int = 1) -> Edge:
        """`signal` between the arrivals around `place`; `step` orders several at one place."""
        number, at_us = 0, 0
        if place:
            number, at_us = self.arrivals[place - 1].number, self.arrivals[place - 1].at_us
        return Edge(HOST, number + step, at_us, signal)

    def again(self, place: int, arrival: Arrival, step: int = 1) -> Arrival:
        """`arrival` delivered once more at `place`, as a new record."""
        return replace(arrival, number=self.arrivals[place - 1].number + step)


class Stream:
    """The events of a changed session. Streams of one fingerprint are the same stream."""

    def __init__(self, timeline: Timeline, place: int, of_head: int, tail: Tail) -> None:
        self._timeline = timeline
        self._place = place
        self._tail = tail
        self.fingerprint = joined(of_head, tail.fingerprint, tail.length)

    def __iter__(self) -> Iterator[AnyEvent]:
        yield from self._timeline.head(self._place)
        yield from self._tail


class Continuations:
    """How streams go on from each place, by the state they are in there."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._known: list[list[tuple[Any, Tail]]] = [
            [(mark.state, tail)] for mark, tail in zip(timeline.marks, timeline.tails, strict=True)
        ]

    def follow(self, branch: Translator, place: int) -> Tail:
        """What `branch`, which stands at `place`, tells of the recorded rest."""
        walked: list[tuple[int, Any, list[AnyEvent]]] = []
        tail = self._at(branch.state, place)
        while tail is None:
            state = branch.state
            walked.append((place, state, branch.feed(self._timeline.arrivals[place])))
            place += 1
            tail = self._at(branch.state, place)
        for place, state, told in reversed(walked):
            tail = before(told, tail)
            if len(self._known[place]) < KNOWN_AT_A_PLACE:
                self._known[place].append((state, tail))
        return tail

    def _at(self, state: Any, place: int) -> Tail | None:
        for known, tail in self._known[place]:
            if known is state or known == state:
                return tail
        return END if place == len(self._timeline.arrivals) else None
