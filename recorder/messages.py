"""What the capturing process says to the sealing process, and the answers.

Messages travel over a pipe, length-prefixed, as MessagePack. They hold raw bytes: they are never
written anywhere else. Times are microseconds since the session began.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from turnreel.cassettes.header import AgentInfo, Origin, TrackSpec
from turnreel.lifecycle.terms import PLAIN, Terms
from turnreel.sanitizers import KnownSecrets, OpinionName, Profile, Unlisted

from .project_policy import ProjectPolicy
from .rotation import Rotation

PREFIX: Final = struct.Struct(">I")
MESSAGE_LIMIT: Final = 128 << 20
"""Bytes a message may have; a request body beyond that is left out by whoever sends it."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What cassette is asked for: where it goes, what it says of itself, what must not be in it.
    `replaces` an existing file or refuses to. `is_reviewed` keeps the session in memory, so that
    fields nobody listed can still be allowed at its end. `opinions` names other scanners that the
    seal gate asks. `terms` are what the host declares of its agents' turns. `issue` and
    `minimized_from` are the header's.
    """

    target: str
    replaces: bool
    agent: AgentInfo
    tracks: tuple[TrackSpec, ...]
    profile: Profile
    origin: Origin
    known: KnownSecrets = KnownSecrets()
    opinions: tuple[OpinionName, ...] = ()
    tags: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    policy: ProjectPolicy = ProjectPolicy()
    sanitized_from: str | None = None
    is_reviewed: bool = False
    rotation: Rotation | None = None
    terms: Terms = PLAIN
    issue: str | None = None
    minimized_from: str | None = None


class _Told(msgspec.Struct, frozen=True, array_like=True):
    at_us: int
    track: str
    code: str
    exchange: int | None


class Chunk(_Told, frozen=True, tag="chunk"):
    """Bytes of the stream (track, code, exchange)."""

    data: bytes


class Over(_Told, frozen=True, tag="over"):
    """That stream ended."""


class Fact(_Told, frozen=True, tag="fact"):
    """A record of fields, which are JSON (a type that the decoder cannot be told)."""

    fields: dict[str, Any]


class Asked(msgspec.Struct, frozen=True, array_like=True, tag="asked"):
    """An http request, with its whole body."""

    at_us: int
    track: str
    exchange: int
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Finish(msgspec.Struct, frozen=True, array_like=True, tag="finish"):
    """The session is over: seal it. A pipe that ends without this was cut."""


class Approved(msgspec.Struct, frozen=True, array_like=True, tag="approved"):
    """The answer to `Review`: the project's policy by which the session shall land."""

    policy: ProjectPolicy


Captured = Chunk | Over | Fact | Asked
Message = Captured | Finish | Approved


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The target can be written: go on."""


class Sealed(msgspec.Struct, frozen=True, tag="sealed"):
    """The cassette is complete. `path` is None if nothing was recorded and so nothing written.
    `note` is what else a person should know.
    """

    path: str | None
    records: int = 0
    note: str = ""


class Review(msgspec.Struct, frozen=True, tag="review"):
    """Before the seal: fields that no policy lists. The session waits for `Approved`."""

    unlisted: tuple[Unlisted, ...]


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """Recording stopped: one line, and what to do about it."""

    message: str
    remedy: str = ""


Answer = Ready | Review | Sealed | Failed

plan_decoder: Final = msgspec.msgpack.Decoder(Plan)
message_decoder: Final = msgspec.msgpack.Decoder(Message)
answer_decoder: Final = msgspec.msgpack.Decoder(Answer)
_encode = msgspec.msgpack.Encoder().encode


def framed(message: Plan | Message | Answer) -> bytes:
    """`message` as it goes onto the pipe."""
    body = _encode(message)
    return PREFIX.pack(len(body)) + body


class Unframer:
    """Bytes of a pipe in any chunking to the bodies of its messages."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The bodies that `data` completes. Raises `ValueError` for a length nobody sends."""
        self._held += data
        start = 0
        while len(self._held) - start >= PREFIX.size:
            (size,) = PREFIX.unpack_from(self._held, start)
            if size > MESSAGE_LIMIT:
                raise ValueError("a message longer than any that is sent")
            end = start + PREFIX.size + size
            if len(self._held) < end:
                break
            yield bytes(self._held[start + PREFIX.size : end])
            start = end
        del self._held[:start]
