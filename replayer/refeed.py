"""Refeed: play a cassette back to the adapters, in process.

Records become arrivals and nothing is decided here: what the edge knew (signals, exits, the
word that no receipt will come) was recorded as records of its own. A recording that just stops
brings no such word, so its open runs stay open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast, get_args

import msgspec

from turnreel.adapters import registry
from turnreel.adapters.base import Adapter, Arrival, Edge, Frame, FrameCode
from turnreel.adapters.translator import Translator
from turnreel.cassettes.header import Header
from turnreel.cassettes.reader import Cassette
from turnreel.cassettes.records import Record, unit_of
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.signals import CANCELLING, AnySignal, CancelRequested, Exited
from turnreel.wire.units import JsonUnit, Unit

FRAMES: Final = frozenset(get_args(FrameCode))
"""Codes of records that an adapter sees as native frames."""

_signals = msgspec.json.Decoder(AnySignal)


def adapters(header: Header) -> dict[str, Adapter[Any]]:
    """The adapter of each track of a cassette. Tracks whose dialect has none are left out; their
    frames are counted by the translator."""
    return {
        track.id: registry.adapter(track.dialect)
        for track in header.tracks
        if track.dialect in registry.FOLDERS
    }


def translator(header: Header) -> Translator:
    """A fresh translator for the tracks of a cassette."""
    return Translator(adapters(header), session=header.id, agent=header.agent.name)


def arrivals(records: Iterable[Record]) -> Iterator[Arrival]:
    """What each record was to the host that saw it; records that are neither frame nor signal
    (notes, gaps, unknown codes) bring none."""
    for record in records:
        body = unit_of(record)
        one = arrival(record.number, record.at_us, record.track, record.code, body, record.exchange)
        if one is not None:
            yield one


def events(cassette: Cassette) -> list[AnyEvent]:
    """All events of a cassette's runs, in the order they arise."""
    translate = translator(cassette.header)
    return [event for arrival in arrivals(cassette) for event in translate.feed(arrival)]


def arrival(
    number: int, at_us: int, track: str, code: str, body: Unit, n: int | None
) -> Arrival | None:
    """The arrival that a record of this `code` is, or None if it is none. `body` is its unit,
    or its fields as a `JsonUnit`; `n` the exchange."""
    if code in FRAMES:
        return Frame(track, cast("FrameCode", code), number, at_us, body, n)
    signal = _signal(code, body.value if isinstance(body, JsonUnit) else None)
    return None if signal is None else Edge(track, number, at_us, signal)


def _signal(code: str, data: object) -> AnySignal | None:
    fields = data if isinstance(data, Mapping) else {}
    match code:
        case "signal":
            name = fields.get("name")
            is_cancel = isinstance(name, str) and name in CANCELLING
            return CancelRequested(via=str(name)) if is_cancel else None
        case "exit":
            status, killed_by = fields.get("code"), fields.get("signal")
            return Exited(
                code=status if isinstance(status, int) else None,
                killed_by=killed_by if isinstance(killed_by, str) else None,
            )
        case _:
            try:
                return _signals.decode(msgspec.json.encode({**fields, "signal": code}))
            except msgspec.ValidationError:
                return None
