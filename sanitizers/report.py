"""The report of a sanitized session: what was replaced, by rule, and which fields no policy
lists (S5).
"""

from __future__ import annotations

from collections import Counter

import msgspec


class Unlisted(msgspec.Struct, frozen=True):
    """A field that no policy line names: where it stood, of which type, how often. Never its
    value.
    """

    track: str
    frame: str
    path: str
    type: str
    count: int


class Report(msgspec.Struct, frozen=True):
    """What the seal says about sanitizing. `replaced` counts by rule, `gate` what the seal gate
    still had to mask.
    """

    replaced: dict[str, int]
    unlisted: tuple[Unlisted, ...]
    gate: dict[str, int] = {}


class Tally:
    """Counts while a session is sanitized; `report` is its frozen state."""

    __slots__ = ("gate", "replaced", "unlisted")

    def __init__(self) -> None:
        self.replaced: Counter[str] = Counter()
        self.gate: Counter[str] = Counter()
        self.unlisted: Counter[tuple[str, str, str, str]] = Counter()

    def report(self) -> Report:
        """The counts so far, in a stable order."""
        return Report(
            replaced=dict(sorted(self.replaced.items())),
            unlisted=tuple(
                Unlisted(*where, count) for where, count in sorted(self.unlisted.items())
            ),
            gate=dict(sorted(self.gate.items())),
        )
