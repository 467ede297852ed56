"""A cassette made ready to be translated again and again, changed at any place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_field
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from turnreel.adapters.base import Adapter, Arrival, Frame
from turnreel.adapters.translator import Translator
from turnreel.cassettes import Header, Record, Seal, open_cassette
from turnreel.lifecycle.observations import AnyObservation
from turnreel.replayer import refeed

SPACING: Final = 8
"""Arrivals are numbered in steps of this, so that a sweep can put others between two of them."""


@dataclass(frozen=True)
class Recording:
    """A whole cassette in memory. An arrival's number is its record's times `SPACING`."""

    path: Path
    header: Header
    seal: Seal | None
    records: tuple[Record, ...]
    arrivals: tuple[Arrival, ...]
    adapters: dict[str, Adapter[Any]]

    @property
    def has_runs(self) -> bool:
        """Whether a track of it can have runs at all: one whose dialect tells turns."""
        return any(adapter.info.has_runs for adapter in self.adapters.values())

    @property
    def kept_tracks(self) -> frozenset[str]:
        """The tracks of what its agent keeps of a session."""
        return frozenset(t for t, one in self.adapters.items() if one.info.tier == "kept")

    def agents_alone(self) -> Recording:
        """The same without the tracks of providers."""
        heard = {t: one for t, one in self.adapters.items() if one.info.tier != "provider"}
        return replace_field(self, adapters=heard)

    def translator(self) -> Translator:
        """A translator that nothing was fed to yet."""
        return self._translator(self.adapters)

    def witness(self) -> tuple[Translator, dict[int, list[AnyObservation]]]:
        """Another, and what its adapters observe in each arrival, by number."""
        observed: dict[int, list[AnyObservation]] = {}
        watched = {track: Witness(one, observed) for track, one in self.adapters.items()}
        return self._translator(watched), observed

    def _translator(self, adapters: dict[str, Any]) -> Translator:
        header = self.header
        return Translator(
            adapters, session=header.id, agent=header.agent.name, terms=header.declared
        )


class Witness:
    """An adapter that also keeps what another one observes."""

    def __init__(self, adapter: Adapter[Any], observed: dict[int, list[AnyObservation]]) -> None:
        self._adapter = adapter
        self._observed = observed
        self.info = adapter.info
        self.begin = adapter.begin
        self.identity = adapter.identity

    def step(self, state: Any, arrival: Arrival) -> tuple[Any, Sequence[AnyObservation]]:
        """The adapter's step, kept under the arrival's number."""
        state, seen = self._adapter.step(state, arrival)
        self._observed.setdefault(arrival.number, []).extend(seen)
        return state, seen


def load(path: Path) -> Recording:
    """The recording at `path`.

    Raises `CassetteError` for what is wrong with the file, at the first line that is.
    """
    cassette = open_cassette(path)
    records = tuple(cassette)
    arrivals = tuple(
        replace(arrival, number=arrival.number * SPACING)
        for arrival in refeed.arrivals(records, cassette.header.id)
    )
    return Recording(
        path=path,
        header=cassette.header,
        seal=cassette.seal,
        records=records,
        arrivals=arrivals,
        adapters=refeed.adapters(cassette.header),
    )


def record_number(number: int) -> int:
    """The number of the record that an arrival's number stands for."""
    return number // SPACING


def identified(recording: Recording, arrival: Arrival) -> bool:
    """Whether the dialect gives this frame an identity of its own (R2)."""
    adapter = recording.adapters.get(arrival.track)
    return (
        isinstance(arrival, Frame) and adapter is not None and adapter.identity(arrival) is not None
    )
