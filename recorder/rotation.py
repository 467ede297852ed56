"""Rotation: a long session as a sequence of sealed cassettes that continue each other.

A part ends where nothing is open, between two turns, as soon as it is large enough; a turn that
does not end is broken off at twice the size. Placeholders go on from part to part, so do times.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from turnreel.adapters import registry
from turnreel.adapters.arrivals import raw_arrival
from turnreel.adapters.translator import Translator
from turnreel.cassettes.header import TrackSpec
from turnreel.sanitizers import Raw

_ENDING: Final = ".cassette.jsonl"
_OPENING: Final = frozenset({"request", "open"})
_CLOSING: Final = frozenset({"end", "cut", "close"})


class Rotation(msgspec.Struct, frozen=True, kw_only=True):
    """A part has about `part_bytes`. Where all parts together would have more than `quota_bytes`,
    the oldest go.
    """

    part_bytes: int
    quota_bytes: int | None = None


class Quiet:
    """Whether anything is open: an exchange, or a turn, as the dialect of its agent has it."""

    def __init__(self, tracks: Sequence[TrackSpec]) -> None:
        dialects = {t.id: t.dialect for t in tracks if t.dialect in registry.FOLDERS}
        adapters = {track: registry.adapter(dialect) for track, dialect in dialects.items()}
        self._turns = Translator(adapters, session="", agent="")
        self._exchanges: set[tuple[str, int | None]] = set()
        self._seen = 0

    def __bool__(self) -> bool:
        return not self._exchanges and not self._turns.state.ledger.runs

    def see(self, raw: Raw) -> None:
        """The next record."""
        self._seen += 1
        if raw.code in _OPENING:
            self._exchanges.add((raw.track, raw.exchange))
        elif raw.code in _CLOSING:
            self._exchanges.discard((raw.track, raw.exchange))
        if (one := raw_arrival(self._seen, raw)) is not None:
            self._turns.feed(one)


class Parts:
    """The sealed parts of a session, oldest first, within their quota."""

    def __init__(self, target: Path, quota_bytes: int | None) -> None:
        self._target = target
        self._quota = quota_bytes
        self._kept: list[tuple[Path, int]] = []
        self._last = 1
        self.removed = 0
        self.records = 0

    @property
    def count(self) -> int:
        """How many there are on disk."""
        return len(self._kept)

    @property
    def latest(self) -> Path | None:
        """The part that was sealed last."""
        return self._kept[-1][0] if self._kept else None

    def add(self, path: Path, size: int, records: int) -> None:
        """A part was sealed: make room if there are too many."""
        self._kept.append((path, size))
        self.records += records
        while self._quota is not None and len(self._kept) > 1 and self._size() > self._quota:
            oldest, _ = self._kept.pop(0)
            with suppress(OSError):
                oldest.unlink()
            self.removed += 1

    def next_target(self, *, replaces: bool) -> Path:
        """Where the next part goes: ``x.2.cassette.jsonl`` after ``x.cassette.jsonl``. Names that
        are taken are passed over, unless they may be replaced.
        """
        while True:
            self._last += 1
            path = _numbered(self._target, self._last)
            if replaces or not path.exists():
                return path

    def _size(self) -> int:
        return sum(size for _, size in self._kept)


def _numbered(path: Path, number: int) -> Path:
    stem, ending, rest = path.name.rpartition(_ENDING)
    if not ending:
        return path.with_name(f"{path.stem}.{number}{path.suffix}")
    return path.with_name(f"{stem}.{number}{ending}{rest}")
