"""Refeed: play a cassette back to the adapters, in process.

Records become arrivals and nothing is decided here: what the edge knew (signals, exits, the
word that no receipt will come) was recorded as records of its own. A recording that just stops
brings no such word, so its open runs stay open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from turnreel.adapters import registry
from turnreel.adapters.arrivals import arrival
from turnreel.adapters.base import Adapter, Arrival
from turnreel.adapters.translator import Translator
from turnreel.cassettes.header import Header
from turnreel.cassettes.reader import Cassette
from turnreel.cassettes.records import Record, unit_of
from turnreel.lifecycle.events import AnyEvent


def adapters(header: Header) -> dict[str, Adapter[Any]]:
    """The adapter of each track of a cassette. Tracks whose dialect has none are left out; their
    frames are counted by the translator."""
    return {
        track.id: registry.adapter(track.dialect)
        for track in header.tracks
        if registry.knows(track.dialect)
    }


def translator(header: Header) -> Translator:
    """A fresh translator for the tracks of a cassette."""
    return Translator(
        adapters(header), session=header.id, agent=header.agent.name, terms=header.declared
    )


def arrivals(records: Iterable[Record], session: str) -> Iterator[Arrival]:
    """What each record was to the host that saw it; records that are neither frame nor signal
    (notes, gaps, unknown codes) bring none. `session` is the cassette's id."""
    for record in records:
        body = unit_of(record)
        at = (record.number, record.at_us, record.track)
        one = arrival(*at, record.code, body, record.exchange, session)
        if one is not None:
            yield one


def events(cassette: Cassette) -> list[AnyEvent]:
    """All events of a cassette's runs, in the order they arise."""
    return played(cassette)[0]


def played(cassette: Cassette) -> tuple[list[AnyEvent], Counter[str]]:
    """The same, and what was dropped on the way, counted."""
    translate = translator(cassette.header)
    told = [
        event
        for arrival in arrivals(cassette, cassette.header.id)
        for event in translate.feed(arrival)
    ]
    return told, translate.counts
