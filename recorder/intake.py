"""From what an edge told to raw records: bytes become units here, stream by stream.

Pure: no clock, no file, no socket. Runs in the sealing process, off every hot path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from turnreel.sanitizers import Raw
from turnreel.wire import (
    BodyFraming,
    Framer,
    Json,
    JsonUnit,
    LineFramer,
    TornUnit,
    Unit,
    encode,
    framer_for,
)
from turnreel.wire.classify import classify

from .encodings import BodyDecoder, Undecodable
from .messages import Asked, Captured, Chunk, Fact, Over

Features = Callable[[str, str, bytes], Json]
"""``features(method, path, body)`` of a provider dialect."""

_TRANSFER_HEADERS: Final = ("content-encoding", "content-length", "transfer-encoding")

_Key = tuple[str, str, int | None]


class Intake:
    """Takes a session's messages in order and yields raw records in order. `features` maps the
    tracks with requests to how theirs are recognised again; a body is dropped with its message.
    """

    def __init__(self, features: Mapping[str, Features]) -> None:
        self._features = features
        self._streams: dict[_Key, _Stream] = {}
        self._decoded: dict[tuple[str, int | None], int] = {}

    def take(self, message: Captured) -> Iterator[Raw]:
        """The records that `message` completes; perhaps none. Total."""
        match message:
            case Chunk(at_us, track, "send" | "receive" as code, exchange, data):
                yield Raw(at_us, track, code, classify(data, BodyFraming()), exchange)
            case Chunk(at_us, track, code, exchange, data):
                stream = self._stream(track, code, exchange)
                yield from stream.feed(at_us, data)
            case Over(at_us, track, code, exchange):
                if (ended := self._streams.pop((track, code, exchange), None)) is not None:
                    yield from ended.close(at_us)
                    self._decoded[track, exchange] = ended.decoded
            case Fact(at_us, track, code, exchange, fields):
                yield Raw(at_us, track, code, self._facts(track, code, exchange, fields), exchange)
            case Asked():
                yield self._request(message)

    def _stream(self, track: str, code: str, exchange: int | None) -> _Stream:
        stream = self._streams.get((track, code, exchange))
        if stream is None:
            is_body = code == "data" and exchange is not None  # else a kept file: lines
            framer: Framer = framer_for(None) if is_body else LineFramer()
            stream = _Stream(track, code, exchange, framer, "")
            self._streams[track, code, exchange] = stream
        return stream

    def _facts(
        self, track: str, code: str, exchange: int | None, fields: dict[str, Json]
    ) -> dict[str, Json]:
        match code:
            case "response":
                return self._response(track, exchange, fields)
            case "cut":
                return {**fields, "at": self._decoded.pop((track, exchange), 0)}
            case "end":
                self._decoded.pop((track, exchange), None)
        return fields

    def _response(
        self, track: str, exchange: int | None, fields: dict[str, Json]
    ) -> dict[str, Json]:
        """Opens the body's stream. What the transfer added to the headers is undone and told in
        ``encoding``: the body is recorded as its identity.
        """
        headers = fields["headers"]
        assert isinstance(headers, dict), "an edge tells headers as a map"
        encoding = str(headers.get("content-encoding", ""))
        framer = framer_for(str(headers.get("content-type", "")))
        self._streams[track, "data", exchange] = _Stream(track, "data", exchange, framer, encoding)
        kept = {name: value for name, value in headers.items() if name not in _TRANSFER_HEADERS}
        noted: dict[str, Json] = {**fields, "headers": kept}
        if encoding and encoding != "identity":
            noted["encoding"] = encoding
        return noted

    def _request(self, asked: Asked) -> Raw:
        fields: dict[str, Json] = {
            "method": asked.method,
            "path": asked.path,
            "headers": dict(asked.headers),
        }
        recognised = self._features.get(asked.track)
        features = recognised and recognised(asked.method, asked.path, asked.body)
        if features is not None:
            fields["features"] = features
        return Raw(asked.at_us, asked.track, "request", fields, asked.exchange)


class _Stream:
    """One byte stream on its way to units. `decoded` counts its bytes after decoding."""

    def __init__(
        self, track: str, code: str, exchange: int | None, framer: Framer, encoding: str
    ) -> None:
        self._raw = (track, code, exchange)
        self._framer = framer
        self._decoder: BodyDecoder | None = None
        self._lost = 0  # bytes since decoding failed
        self._reads = _Reads() if code == "data" and exchange is not None else None
        self.decoded = 0
        if encoding:
            try:
                self._decoder = BodyDecoder(encoding)
            except Undecodable:
                self._lost_from_here()

    def feed(self, at_us: int, data: bytes) -> Iterator[Raw]:
        if self._framer is _NOTHING:
            self._lost += len(data)
            return
        units: list[Unit] = []
        size = 0
        try:
            for piece in [data] if self._decoder is None else self._decoder.feed(data):
                size += len(piece)
                units += self._framer.feed(piece)
        except Undecodable:
            units += self._framer.close()
            self._lost_from_here()
            self._lost = len(data)
        self.decoded += size
        if self._reads is not None:
            self._reads.read(size)
        yield from self._records(at_us, units)

    def close(self, at_us: int) -> Iterator[Raw]:
        units = self._framer.close()
        if self._lost:
            units.append(TornUnit(self._lost, "utf8", BodyFraming()))
        yield from self._records(at_us, units)

    def _records(self, at_us: int, units: list[Unit]) -> Iterator[Raw]:
        track, code, exchange = self._raw
        for unit in units:
            reads = None if self._reads is None else self._reads.spanned(unit)
            yield Raw(at_us, track, code, unit, exchange, reads)

    def _lost_from_here(self) -> None:
        self._framer = _NOTHING
        self._reads = None


class _Reads:
    """Where the reads of a body ended, unit by unit.

    A unit's reads are the sizes of its pieces that ended where a read did; their sum is less than
    the unit where its last piece shares a read with the next unit. None is the usual: one read,
    ending with the unit.
    """

    def __init__(self) -> None:
        self._begin = 0  # of the next unit
        self._total = 0
        self._ends: list[int] = []
        self._exact = True

    def read(self, size: int) -> None:
        """A read of `size` bytes came."""
        if size and self._exact:
            self._total += size
            self._ends.append(self._total)

    def spanned(self, unit: Unit) -> tuple[int, ...] | None:
        """The sizes of the reads that `unit`, the next one, spans; None also where a former unit
        was not kept to the byte.
        """
        if not self._exact or isinstance(unit, TornUnit):
            self._exact = False
            return None
        if isinstance(unit, JsonUnit) and unit.style == "other":
            self._exact = False
            return None
        begin, end = self._begin, self._begin + len(encode(unit))
        self._begin = end
        if self._ends and self._ends[0] == end:
            del self._ends[0]
            return None
        sizes = []
        while self._ends and self._ends[0] <= end:
            read_end = self._ends.pop(0)
            sizes.append(read_end - begin)
            begin = read_end
        return tuple(sizes)


class _Nothing:
    """The framer behind a body that cannot be decoded."""

    def feed(self, data: bytes) -> list[Unit]:
        return []

    def close(self) -> list[Unit]:
        return []


_NOTHING: Final = _Nothing()
