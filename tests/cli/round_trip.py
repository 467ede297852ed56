"""A recording served, and two recordings of a provider compared: what came of each exchange, in
which reads, and when.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from turnreel.cassettes import Record, open_cassette, unit_of
from turnreel.replayer.recorded import OURS
from turnreel.wire.encode import encode

ROUNDING_US: Final = 5
"""Clocks are read in nanoseconds, written in microseconds and slept by in floats."""

_ASKING: Final = frozenset({"request", "open", "send"})
_COMING: Final = frozenset({"response", "data", "receive"})


@contextmanager
def replayed(cassette: Path, pacing: str) -> Iterator[str]:
    """The URL at which a cassette is served."""
    command = [sys.executable, "-m", "turnreel", "serve", str(cassette), "--pacing", pacing]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert child.stdout is not None
    try:
        yield child.stdout.readline().decode().strip()
    finally:
        child.terminate()
        child.wait(30)
        child.stdout.close()


def told(path: Path) -> list[Record]:
    """The records of the provider's track, exchange by exchange: a proxy may hear of the end of one
    when the next has begun.
    """
    cassette = open_cassette(path)
    track = next(t.id for t in cassette.header.tracks if t.carrier in ("http", "websocket"))
    records = [record for record in cassette if record.track == track]
    return sorted(records, key=lambda record: record.exchange or 0)


def track(path: Path) -> list[tuple[object, ...]]:
    """All that was said, record for record: requests by their method and path, for a cassette has
    no bodies to ask with; heads without what is a connection's own; everything else as it is but
    for times and reads.
    """
    return [(record.exchange, record.code, *_said(record)) for record in told(path)]


def came(path: Path) -> list[tuple[object, ...]]:
    """`track` without the requests: for a cassette whose client's side is not all there."""
    return [row for row in track(path) if row[1] != "request"]


def _said(record: Record) -> tuple[object, ...]:
    if record.code in ("request", "open"):
        assert isinstance(record.data, dict)
        return (record.data.get("method"), str(record.data.get("path")).partition("?")[0])
    if record.code == "response":
        assert isinstance(record.data, dict) and isinstance(record.data["headers"], dict)
        headers = {k: v for k, v in record.data["headers"].items() if k not in OURS}
        return ({**record.data, "headers": headers},)
    extra = {name: value for name, value in record.extra.items() if name != "reads"}
    return record.data, extra


def reads(records: Iterable[Record]) -> dict[int, list[int]]:
    """Of each exchange, where in its body a read ended."""
    ends: dict[int, list[int]] = {}
    at: dict[int, int] = {}
    for record in records:
        if record.code != "data" or (number := record.exchange) is None:
            continue
        begin = at.setdefault(number, 0)
        size = len(encode(unit_of(record)))
        at[number] = begin + size
        for read in (size,) if record.reads is None else record.reads:
            begin += read
            ends.setdefault(number, []).append(begin)
    return ends


def joined(again: list[int], first: list[int]) -> list[int]:
    """The read ends of `again` without those that only tore a read of `first`: a chunk may come in
    two segments, and is two reads then.
    """
    known = set(first)
    return [end for end in again if end in known]


def early(first: Path, again: Path) -> Iterator[str]:
    """What came earlier the second time, in words. Distances are those that someone keeps: the
    server from a request to each record that answers it; the client from the end of an exchange to
    the next request, and it may have seen the end with the last that came. How long a client looked
    at its new WebSocket before it spoke, nobody keeps.
    """
    looked = False
    asked = again_asked = ended = again_came = 0
    for one, other in zip(told(first), told(again), strict=True):
        if one.code in _ASKING:
            recorded, now = one.at_us - ended, other.at_us - again_came
            asked, again_asked, again_came = one.at_us, other.at_us, other.at_us
        else:
            recorded, now = one.at_us - asked, other.at_us - again_asked
            if one.code in _COMING:
                again_came = other.at_us
        ended = one.at_us
        if one.number > 1 and not looked and now < recorded - ROUNDING_US:
            yield f"record {one.number}, {one.code}: after {recorded} us, now after {now} us"
        looked = one.code == "open"


def late_ms(first: Path, again: Path) -> float:
    """How much later than recorded the latest answer came."""
    asked = again_asked = 0
    late = 0
    for one, other in zip(told(first), told(again), strict=True):
        if one.code in _ASKING:
            asked, again_asked = one.at_us, other.at_us
        late = max(late, (other.at_us - again_asked) - (one.at_us - asked))
    return late / 1000
