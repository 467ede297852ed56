"""Exchanges of other people's recordings, told as an edge would have told them. Pure.

Importers read their format into `Interaction`s; from there on all of them go one way. A recording
may hold the traffic of many hosts: each provider's dialect becomes a track, and what speaks none
that is known one more, on which nothing but shapes lands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final, Literal
from urllib.parse import SplitResult, urlsplit

import msgspec

from turnreel.adapters import registry
from turnreel.cassettes import TrackSpec
from turnreel.wire.units import Json

from .encodings import BodyDecoder, Undecodable
from .errors import RecorderError
from .exchanges import By, joined
from .intake import Features, Intake
from .messages import Asked, Captured, Chunk, Fact, Over
from .session import REQUEST_LIMIT
from .tracks import PROVIDER

BODY_LIMIT: Final = 64 << 20
"""Decoded bytes a body may have here: formats that hold it in one piece are read in one piece."""

OTHER: Final = "other"
"""The track of what speaks no dialect that is known."""

SYNTHESIZED: Final = "timing synthesized"
"""What a header says where the source has no time for each event."""

_SPOKEN: Final = (
    ("anthropic-messages", re.compile(r"(?:HEAD|POST) .*/messages(?:/count_tokens)?")),
    ("openai-chat", re.compile(r"\w+ .*/chat/completions")),
    ("openai-responses", re.compile(r"\w+ .*/responses(?:/[^/]+(?:/cancel)?)?")),
)
_PUBLIC: Final = frozenset({"api.anthropic.com", "api.openai.com"})
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_FRAME_END: Final = re.compile(rb"\r\n\r\n|\n\n|\r\r")

Header = tuple[str, str]


class Message(msgspec.Struct, frozen=True):
    """A message on a websocket, `at_us` microseconds since the recording began."""

    at_us: int
    code: Literal["send", "receive"]
    data: bytes


class Interaction(msgspec.Struct, frozen=True, kw_only=True):
    """One exchange. Bodies are as they are without any encoding; `encoding` is the one that the
    answer had on the wire. Without a `status` no answer came. `broken` says who broke it off. With
    `messages` it is a websocket's. `features` are those of a request whose body is not had, None.
    `told` is the dialect where the source names it.
    """

    method: str
    url: str
    asked: tuple[Header, ...] = ()
    sent: bytes | None = b""
    features: Json = None
    told: str | None = None
    status: int | None = None
    answered: tuple[Header, ...] = ()
    body: bytes = b""
    encoding: str = ""
    broken: By | None = None
    messages: tuple[Message, ...] | None = None
    asked_us: int = 0
    answered_us: int = 0
    ended_us: int = 0

    @property
    def target(self) -> str:
        """Path and query."""
        parts = _split(self.url)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    @property
    def dialect(self) -> str:
        """What is spoken; `registry.NO_DIALECT` where nobody knows."""
        if self.told in registry.dialects() and registry.adapter(self.told).info.carrier == "http":
            return self.told
        return spoken(self.method, self.target)

    @property
    def media_type(self) -> str:
        """The answer's."""
        return dict(reversed(self.answered)).get("content-type", "")


def _split(url: str) -> SplitResult:
    """The parts of a URL; of one that is none, none."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def spoken(method: str, target: str) -> str:
    """The provider's dialect that a request speaks, by its method and path."""
    asked = f"{method.upper()} {_split(target).path}"
    found = (dialect for dialect, form in _SPOKEN if form.fullmatch(asked))
    return next(found, registry.NO_DIALECT)


def public_origin(url: str) -> str | None:
    """Scheme, host and port of a `url` that leads to a provider everybody knows, or to this
    machine; None for any other, which may be private.
    """
    parts = _split(url)
    try:
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    known = host in _LOOPBACK or (host in _PUBLIC and port in (None, 80, 443))
    if parts.scheme not in ("http", "https") or not known:
        return None
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + ("" if port is None else f":{port}")


def undone(body: bytes, headers: Iterable[Header]) -> tuple[bytes, str]:
    """`body` without the encoding that its `headers` name, and that encoding. Tools often keep
    the header of a body that they had decoded: such a one is as it stands. Raises `RecorderError`
    for one that unpacks to more than a body may have.
    """
    encoding = dict(headers).get("content-encoding", "").strip().lower()
    if encoding in ("", "identity") or not body:
        return body, ""
    found = bytearray()
    try:
        for piece in BodyDecoder(encoding).feed(body):
            found += piece
            if len(found) > BODY_LIMIT:
                raise RecorderError(
                    f"a body unpacks to more than {BODY_LIMIT >> 20} MiB", "leave it out"
                )
    except Undecodable:
        return body, encoding
    return bytes(found), encoding


class Tracks:
    """The tracks of a recording, by dialect. `former` are those of a cassette that is gone on."""

    def __init__(self, former: tuple[TrackSpec, ...] = ()) -> None:
        self._former = former
        self._origins: dict[str, set[str | None]] = {}

    def see(self, one: Interaction) -> None:
        """First pass: there is such an exchange."""
        self._origins.setdefault(one.dialect, set()).add(public_origin(one.url))

    def specs(self) -> tuple[TrackSpec, ...]:
        """What a header says of them, providers first. One that leads to several places says none:
        what was asked of which is not kept.
        """
        known = {track.dialect: track for track in self._former}
        fresh = sorted(
            self._origins.keys() - known.keys(),
            key=lambda dialect: (dialect == registry.NO_DIALECT, [*self._origins].index(dialect)),
        )
        added: list[TrackSpec] = []
        for dialect in fresh:
            name = PROVIDER if not self._former and not added else dialect
            track_id = OTHER if dialect == registry.NO_DIALECT else name
            only = self._only(self._origins[dialect])
            added.append(TrackSpec(id=track_id, carrier="http", dialect=dialect, endpoint=only))
        return (*map(self._gone_on, self._former), *added)

    def _gone_on(self, former: TrackSpec) -> TrackSpec:
        origins = {former.endpoint} | self._origins.get(former.dialect, {former.endpoint})
        return msgspec.structs.replace(former, endpoint=self._only(origins))

    @staticmethod
    def _only(origins: set[str | None]) -> str | None:
        return next(iter(origins)) if len(origins) == 1 else None


def intake_of(tracks: Iterable[TrackSpec]) -> Intake:
    """Turns what is told of exchanges on `tracks` into raw records."""
    features: dict[str, Features] = {
        track.id: registry.provider(track.dialect).features
        for track in tracks
        if track.carrier == "http"
    }
    return Intake(features)


class Telling:
    """Tells exchanges, numbered on each track behind the `last` ones that it has already."""

    def __init__(self, tracks: Iterable[TrackSpec], last: Mapping[str, int] | None = None) -> None:
        self._ids = {track.dialect: track.id for track in tracks}
        self._last = dict(last or {})

    def told(self, one: Interaction) -> Iterator[Captured]:
        """What an edge would have told of it, in order."""
        track = self._ids[one.dialect]
        exchange = self._last[track] = self._last.get(track, 0) + 1
        if one.messages is not None:
            yield from _conversation(one, track, exchange, one.messages)
            return
        yield _request(one, track, exchange)
        if one.status is not None:
            headers: dict[str, Json] = {
                name: value
                for name, value in joined(one.answered).items()
                if name != "content-encoding"
            }
            fields: dict[str, Json] = {"status": one.status, "headers": headers}
            if one.encoding:
                fields["encoding"] = one.encoding
            yield Fact(one.answered_us, track, "response", exchange, fields)
            yield from _body(one, track, exchange)
            yield Over(one.ended_us, track, "data", exchange)
        if one.broken is None and one.status is not None:
            yield Fact(one.ended_us, track, "end", exchange, {})
        else:
            yield Fact(one.ended_us, track, "cut", exchange, {"by": one.broken or "unknown"})


def _request(one: Interaction, track: str, exchange: int) -> Captured:
    headers = joined(one.asked)
    if one.sent is not None:
        sent = one.sent if len(one.sent) <= REQUEST_LIMIT else b""
        return Asked(one.asked_us, track, exchange, one.method, one.target, headers, sent)
    fields: dict[str, Json] = {
        "method": one.method,
        "path": one.target,
        "headers": dict[str, Json](headers),
    }
    if one.features is not None:
        fields["features"] = one.features
    return Fact(one.asked_us, track, "request", exchange, fields)


def _body(one: Interaction, track: str, exchange: int) -> Iterator[Captured]:
    """Event by event, evenly over the time that the body took."""
    streamed = one.media_type.partition(";")[0].strip().lower() == "text/event-stream"
    ends = [found.end() for found in _FRAME_END.finditer(one.body)] if streamed else []
    if ends[-1:] != [len(one.body)]:
        ends.append(len(one.body))
    span = one.ended_us - one.answered_us
    for place, (start, end) in enumerate(pairwise([0, *ends]), 1):
        at_us = one.answered_us + span * place // len(ends)
        yield Chunk(at_us, track, "data", exchange, one.body[start:end])


def _conversation(
    one: Interaction, track: str, exchange: int, messages: tuple[Message, ...]
) -> Iterator[Captured]:
    headers: dict[str, Json] = dict(joined(one.asked))
    yield Fact(one.asked_us, track, "open", exchange, {"path": one.target, "headers": headers})
    for message in messages:
        yield Chunk(message.at_us, track, message.code, exchange, message.data)
    yield Fact(one.ended_us, track, "cut", exchange, {"by": one.broken or "unknown"})
