"""A session in pieces that can be taken away, and what is left put together again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from msgspec.structs import replace as replaced

from turnreel.sanitizers import Raw
from turnreel.wire import JsonUnit, TornUnit, Unit, encode

FRAME: Final = frozenset({"request", "response", "end", "cut", "open", "close"})
"""What holds an exchange together: as long as anything of it is left, so are these."""

Exchange = tuple[str, int]


@dataclass(frozen=True, eq=False)
class Piece:
    """A record, and how many microseconds it came after the one before it."""

    us: int
    raw: Raw

    @property
    def exchange(self) -> Exchange | None:
        """The exchange that it belongs to."""
        number = self.raw.exchange
        return None if number is None else (self.raw.track, number)

    def with_value(self, unit: JsonUnit) -> Piece:
        """The same record with another value. Where its reads ended is then not known."""
        return replace(self, raw=replaced(self.raw, body=unit, reads=None))


def pieces(raws: Iterable[Raw]) -> tuple[Piece, ...]:
    """The records of a session."""
    told = []
    before = 0
    for raw in raws:
        told.append(Piece(max(0, raw.at_us - before), raw))
        before = max(before, raw.at_us)
    return tuple(told)


class Whole:
    """The session as it was: what less of it is measured by."""

    def __init__(self, told: Sequence[Piece]) -> None:
        self._frames = _frames(told)
        bodies = _bodies(told)
        self._beyond = {
            one.exchange: at - bodies[one.exchange]
            for one in told
            if (at := _cut_at(one.raw)) is not None
        }

    def holds(self, told: Sequence[Piece]) -> bool:
        """Whether every exchange that is left is framed as it was."""
        return all(self._frames.get(one) == frame for one, frame in _frames(told).items())

    def raws(self, told: Sequence[Piece]) -> list[Raw]:
        """The records that are left: each as long after its neighbour as it was, a cut at the byte
        where its body now ends.
        """
        bodies = _bodies(told)
        records = []
        at_us = 0
        for one in told:
            at_us += one.us
            raw = replaced(one.raw, at_us=at_us)
            if _cut_at(raw) is not None and isinstance(raw.body, dict):
                at = max(0, self._beyond[one.exchange] + bodies[one.exchange])
                raw = replaced(raw, body={**raw.body, "at": at})
            records.append(raw)
        return records


def groups(told: Sequence[Piece]) -> list[tuple[Piece, ...]]:
    """Pieces that go together: each exchange is one group, all else stands alone. In the order in
    which they begin.
    """
    found: dict[object, list[Piece]] = {}
    for place, one in enumerate(told):
        found.setdefault(one.exchange or place, []).append(one)
    return [tuple(group) for group in found.values()]


def of_groups(kept: Iterable[Sequence[Piece]], told: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces of the groups `kept`, in the order of `told`."""
    left = {id(one) for group in kept for one in group}
    return tuple(one for one in told if id(one) in left)


def _frames(told: Sequence[Piece]) -> dict[Exchange, Counter[str]]:
    frames: defaultdict[Exchange, Counter[str]] = defaultdict(Counter)
    for one in told:
        if one.exchange is not None:
            frames[one.exchange].update([one.raw.code] if one.raw.code in FRAME else [])
    return frames


def _bodies(told: Sequence[Piece]) -> Counter[Exchange | None]:
    """How many bytes the decoded body of each exchange has."""
    sizes: Counter[Exchange | None] = Counter()
    for one in told:
        if one.raw.code == "data" and not isinstance(one.raw.body, dict):
            sizes[one.exchange] += _size(one.raw.body)
    return sizes


def _size(unit: Unit) -> int:
    return unit.size if isinstance(unit, TornUnit) else len(encode(unit))


def _cut_at(raw: Raw) -> int | None:
    at = raw.body.get("at") if raw.code == "cut" and isinstance(raw.body, dict) else None
    return at if isinstance(at, int) else None


def values(told: Iterable[Piece]) -> Iterator[tuple[Piece, JsonUnit]]:
    """The pieces that hold a JSON unit, each with it."""
    for one in told:
        if isinstance(one.raw.body, JsonUnit):
            yield one, one.raw.body
