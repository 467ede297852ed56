"""What a recording shows, and whether less of it shows the same.

Rules of this file
- Where a clause does not hold in the recorded turn, the same clauses must fail, and no others.
- Where all hold in it and sweeps break some, the sweeps must break the same, and no others.
- Where all hold everywhere, the turn must be the same to the letter of its golden.
- Nothing may become strange on the way: what adapters note and the translator drops grows in no
  kind; every exchange is framed as it was; an answer of a provider that was whole still is; bytes
  frame to the units they were made of; and sanitizing changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from turnreel.adapters import registry
from turnreel.adapters.arrivals import raw_arrival
from turnreel.conformance.findings import Check
from turnreel.conformance.goldens import turn_text
from turnreel.conformance.judging import judged
from turnreel.conformance.native import native_of
from turnreel.conformance.recording import SPACING, Recording
from turnreel.conformance.sweeping import sweeps
from turnreel.conformance.sweeps.rechunk import bytes_again, streams
from turnreel.conformance.sweeps.timeline import Timeline
from turnreel.sanitizers import Raw
from turnreel.wire.units import JsonUnit

from .pieces import Exchange, Piece, Whole

SEED: Final = 1
SWEPT_COST: Final = 4
"""What sweeping a session costs, in translations of it."""

Changed = frozenset[tuple[Check, str]]
Sanitize = Callable[[Sequence[Raw]], list[Raw]]


@dataclass(frozen=True)
class Verdict:
    """What must be kept. `swept` is empty where `clauses` is not: then nobody looks at sweeps."""

    clauses: frozenset[str]
    swept: Changed
    turn: str

    def lines(self) -> Iterator[str]:
        """The verdict for people, one line each."""
        yield from (f"{clause} fails" for clause in sorted(self.clauses))
        yield from (f"{clause} fails when swept: {check}" for check, clause in sorted(self.swept))
        if not self.clauses and not self.swept:
            yield "every clause holds, the turn is the same"


class Shown:
    """What some records show: each part is found when it is asked for."""

    def __init__(self, recording: Recording, raws: Sequence[Raw]) -> None:
        session = recording.header.id
        told = (raw_arrival(number * SPACING, raw, session) for number, raw in enumerate(raws, 1))
        arrivals = tuple(one for one in told if one is not None)
        self._recording = replace(recording, records=(), arrivals=arrivals)

    @cached_property
    def _timeline(self) -> Timeline:
        return Timeline(self._recording)

    @cached_property
    def turn(self) -> str:
        """The turn, as a golden holds it."""
        return turn_text(self._timeline.events)

    @cached_property
    def noted(self) -> Counter[str]:
        """What was noted and dropped, counted."""
        return self._timeline.translator.counts

    @cached_property
    def clauses(self) -> frozenset[str]:
        """The clauses that do not hold in the turn as it was recorded."""
        native = native_of(self._recording)
        return frozenset(one.clause for one in judged(self._timeline.events, native))

    def swept(self) -> Iterator[tuple[Check, str]]:
        """What sweeps break, as they find it."""
        native = native_of(self._recording)
        for check, cases in sweeps(self._timeline, native, SEED):
            for breaches in cases:
                yield from ((check, breach.clause) for breach in breaches)

    @property
    def is_framed(self) -> bool:
        """Whether its bytes frame to the units they were made of."""
        return not any(bytes_again(streams(self._recording.arrivals)))


class Oracle:
    """Says of less of a session whether it is enough. `effort` bounds how many records it looks at;
    beyond that nothing is enough. Nor is what lacks one of the `pinned` pieces, or has it changed.
    """

    def __init__(
        self,
        recording: Recording,
        told: Sequence[Piece],
        sanitize: Sanitize,
        effort: int,
        pinned: Sequence[Piece] = (),
    ) -> None:
        self._recording = recording
        self._sanitize = sanitize
        self._pinned = frozenset(map(id, pinned))
        self._whole = Whole(told)
        self._answers = self._answered(told)
        shown = self.shown(told)
        self._noted = shown.noted
        swept: Changed = frozenset() if shown.clauses else frozenset(shown.swept())
        self.verdict = Verdict(shown.clauses, swept, shown.turn)
        self._effort = effort
        self.spent = 0
        self.trials = 0

    @property
    def is_exhausted(self) -> bool:
        """Whether the bound was reached."""
        return self.spent >= self._effort

    def raws(self, told: Sequence[Piece]) -> list[Raw]:
        """`told` as records."""
        return self._whole.raws(told)

    def shown(self, told: Sequence[Piece]) -> Shown:
        """What `told` shows."""
        return Shown(self._recording, self._whole.raws(told))

    def is_enough(self, told: Sequence[Piece]) -> bool:
        """Whether `told` shows what the session showed, and is a session still."""
        if not told or self.is_exhausted:
            return False
        if not self._whole.holds(told) or not self._pinned <= {id(one) for one in told}:
            return False
        self.trials += 1
        self.spent += len(told)
        raws = self._whole.raws(told)
        shown = Shown(self._recording, raws)
        return (
            self._shows(shown)
            and shown.is_framed
            and self._answered(told) >= self._left(told)
            and [raw.body for raw in self._sanitize(raws)] == [raw.body for raw in raws]
            and self._survives(shown, len(told))
        )

    def _shows(self, shown: Shown) -> bool:
        wanted = self.verdict
        is_told = bool(wanted.clauses or wanted.swept) or shown.turn == wanted.turn
        return is_told and shown.noted <= self._noted and shown.clauses == wanted.clauses

    def _survives(self, shown: Shown, size: int) -> bool:
        """Whether sweeps break what they broke."""
        if self.verdict.clauses:
            return True
        self.spent += SWEPT_COST * size
        found: set[tuple[Check, str]] = set()
        for one in shown.swept():
            if one not in self.verdict.swept:
                return False
            found.add(one)
        return found == self.verdict.swept

    def _left(self, told: Sequence[Piece]) -> frozenset[Exchange]:
        """The exchanges of `told` whose answer was whole."""
        left = {one.exchange for one in told}
        return frozenset(one for one in self._answers if one in left)

    def _answered(self, told: Sequence[Piece]) -> frozenset[Exchange]:
        """The exchanges of providers whose answer is whole."""
        dialects = {track.id: track.dialect for track in self._recording.header.tracks}
        bodies: dict[Exchange, list[JsonUnit]] = {}
        for one in told:
            if one.raw.code == "data" and one.exchange and isinstance(one.raw.body, JsonUnit):
                bodies.setdefault(one.exchange, []).append(one.raw.body)
        return frozenset(
            exchange
            for exchange, units in bodies.items()
            if registry.provider(dialects.get(exchange[0], "")).whole(units) is not None
        )
