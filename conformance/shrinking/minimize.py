"""Minimize a cassette: less and less of it, as long as it shows the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace as replaced

from turnreel.adapters import registry
from turnreel.cassettes import CassetteError, Existing, Header, TrackSpec, open_cassette
from turnreel.cassettes.timing import Timing
from turnreel.conformance.errors import ConformanceError
from turnreel.conformance.recording import Recording, load
from turnreel.recorder.project_policy import ProjectPolicy
from turnreel.recorder.sanitizing import (
    land_again,
    plan_again,
    raws,
    sanitized,
    sanitizer,
)
from turnreel.sanitizers import Profile, Raw
from turnreel.wire.units import Json, JsonUnit

from .fields import Kind, kind, paths, retold, texts, without, without_kinds
from .fields import Path as Place
from .pieces import Piece, groups, of_groups, pieces, values
from .search import fewest
from .verdict import Oracle, Verdict

EFFORT: Final = 400_000
"""Records that are looked at before what is left is small enough: a bound that, unlike a clock,
gives everybody the same."""

SHORT: Final = 16
LONG_WORD: Final = 64
"""A text is shortened to so many characters at the least; a single word (an id, a path, a
placeholder) only where it is longer than that, and then to its half.
"""

Progress = Callable[[int, int], None]
"""Called with (effort spent, effort there is)."""

Told = tuple[Piece, ...]


class Shrunk(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it. `is_least` is False where the effort ended before the search did; `turn` is
    the turn that comes out now, `is_kept` whether it is that of the cassette.
    """

    path: str
    records: int
    of_records: int
    characters: int
    of_characters: int
    trials: int
    is_least: bool
    verdict: Verdict
    turn: str
    is_kept: bool


def minimize(
    source: Path,
    target: Path,
    *,
    profile: Profile | None = None,
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
    keep: Collection[int] = (),
    issue: str | None = None,
    effort: int = EFFORT,
    on_progress: Progress | None = None,
) -> Shrunk:
    """Write to `target` what of `source` still shows what it shows (see `verdict`): first without
    whole exchanges, then records, fields, elements and the ends of texts.

    The same cassette, policies and `effort` give the same bytes. Times between what is left are
    kept, and rounded. `profile` is the cassette's own unless said; records with the numbers `keep`
    stay as they are; `issue` goes into the header. Raises `ConformanceError` for a cassette without
    a run, or without a record that is to be kept; `RecorderError` and `CassetteError` as sanitizing
    it again does.
    """
    _require_free(target, existing)
    cassette = open_cassette(source)
    header = cassette.header
    wanted: Profile = profile or header.profile
    lines = policy or ProjectPolicy()
    plan = plan_again(cassette, target, profile=wanted, existing=existing, policy=lines)
    recording = load(source)

    def clean(told: Iterable[Raw]) -> list[Raw]:
        return list(sanitized(told, sanitizer(header, wanted, lines)))

    whole = pieces(clean(raws(cassette)))
    pinned = [one for number, one in enumerate(whole, 1) if number in keep]
    if len(pinned) < len(set(keep)):
        raise ConformanceError(
            f"{source}: has {len(whole)} records", "keep records that turnreel show numbers"
        )
    oracle = Oracle(recording, whole, clean, effort, pinned)
    if not oracle.verdict.turn:
        raise ConformanceError(
            f"{source}: no run comes out of it, so there is nothing to keep",
            "minimize a recording of an agent",
        )
    search = _Search(oracle, recording, on_progress or (lambda spent, effort: None), effort)
    left = search.run(whole)
    records = oracle.raws(left)
    plan = replaced(
        plan,
        tracks=_tracks(header, records),
        issue=issue or header.issue,
        minimized_from=header.minimized_from or header.id,
    )
    land_again(cassette, plan, records, Timing.NORMALIZED)
    turn = oracle.shown(left).turn
    return Shrunk(
        path=str(target),
        records=len(left),
        of_records=len(whole),
        characters=_size(left),
        of_characters=_size(whole),
        trials=oracle.trials,
        is_least=not oracle.is_exhausted,
        verdict=oracle.verdict,
        turn=turn,
        is_kept=turn == oracle.verdict.turn,
    )


class _Search:
    """One search after another, each from what the one before left."""

    def __init__(
        self, oracle: Oracle, recording: Recording, progress: Progress, effort: int
    ) -> None:
        self._oracle = oracle
        self._progress = progress
        self._effort = effort
        self._providers = frozenset(
            track.id
            for track in recording.header.tracks
            if registry.knows(track.dialect)
            and registry.adapter(track.dialect).info.tier == "provider"
        )

    def run(self, told: Told) -> Told:
        """The least of `told` that is enough, as far as the effort goes."""
        for step in (
            self._exchanges, self._records, self._kinds, self._fields, self._texts, self._records,
        ):  # fmt: skip
            told = step(told)
        return told

    def _is_enough(self, told: Sequence[Piece]) -> bool:
        enough = self._oracle.is_enough(tuple(told))
        self._progress(min(self._oracle.spent, self._effort), self._effort)
        return enough

    def _exchanges(self, told: Told) -> Told:
        return of_groups(
            fewest(groups(told), lambda kept: self._is_enough(of_groups(kept, told))), told
        )

    def _records(self, told: Told) -> Told:
        return tuple(fewest(told, self._is_enough))

    def _kinds(self, told: Told) -> Told:
        """Without a kind of field, wherever it stands."""
        kinds = dict.fromkeys(
            (one.raw.track, kind(path))
            for one, unit in self._own(told)
            for path in paths(unit.value)
        )

        def left(kept: Sequence[tuple[str, Kind]]) -> Told:
            gone = kinds.keys() - set(kept)
            return self._changed(
                told,
                lambda one, unit: without_kinds(
                    unit.value, {path for track, path in gone if track == one.raw.track}
                ),
            )

        return left(fewest(list(kinds), lambda kept: self._is_enough(left(kept))))

    def _fields(self, told: Told) -> Told:
        """Without single fields and elements, record by record, the last one first."""
        for place in range(len(told) - 1, -1, -1):
            own = next(self._own(told[place : place + 1]), None)
            if own is not None:
                told = self._fields_of(told, place, *own)
        return told

    def _fields_of(self, told: Told, place: int, one: Piece, unit: JsonUnit) -> Told:
        every = list(paths(unit.value))

        def left(kept: Sequence[Place]) -> Told:
            value = without(unit.value, set(every) - set(kept))
            changed = one.with_value(replaced(unit, value=value))
            return (*told[:place], changed, *told[place + 1 :])

        kept = fewest(every, lambda kept: self._is_enough(left(kept)))
        return told if len(kept) == len(every) else left(kept)

    def _texts(self, told: Told) -> Told:
        """With shorter texts, wherever the same text stands."""
        found = dict.fromkeys(text for _, unit in values(told) for text in texts(unit.value))
        for text in sorted(found, key=len, reverse=True):
            for shorter in _shorter(text):
                less = self._retold(told, {text: shorter})
                if self._is_enough(less):
                    told = less
                    break
        return told

    def _retold(self, told: Told, words: dict[str, str]) -> Told:
        return self._changed(told, lambda _, unit: retold(unit.value, words))

    def _changed(self, told: Told, change: Callable[[Piece, JsonUnit], Json]) -> Told:
        """`told` with changed values; a piece whose value stays is the same."""
        changed = {}
        for one, unit in values(told):
            value = change(one, unit)
            if value != unit.value:
                changed[id(one)] = one.with_value(replaced(unit, value=value))
        return tuple(changed.get(id(one), one) for one in told)

    def _own(self, told: Sequence[Piece]) -> Iterator[tuple[Piece, JsonUnit]]:
        """What agents and hosts said: the fields of a provider's units stay, as a client of the
        vendor's must still load them.
        """
        return ((one, unit) for one, unit in values(told) if one.raw.track not in self._providers)


def _require_free(target: Path, existing: Existing) -> None:
    """Better before the search than after it."""
    if existing is Existing.REFUSE and target.exists():
        raise CassetteError(
            target, "exists already", "choose another name, or ask to replace it with --force"
        )


def _shorter(text: str) -> Iterator[str]:
    """What may stand for `text`, the shortest first."""
    if len(text) > LONG_WORD or (len(text) > SHORT and " " in text):
        if " " in text:
            yield text[:SHORT]
        yield text[: len(text) // 2]


def _tracks(header: Header, records: Sequence[Raw]) -> tuple[TrackSpec, ...]:
    """The tracks that still have records, and those that runs come out of."""
    used = {raw.track for raw in records}
    return tuple(
        track
        for track in header.tracks
        if track.id in used
        or not registry.knows(track.dialect)
        or registry.adapter(track.dialect).info.has_runs
    )


def _size(told: Told) -> int:
    """Characters of what was said."""
    return sum(len(msgspec.json.encode(one.raw.body)) for one in told)
