"""What a provider's dialect provides beside its adapter, for whoever records it or plays it again:
by what a request is recognised, and what a stand-in must say in the provider's own words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

import msgspec

from turnreel.wire.units import BodyFraming, Json, JsonUnit, Unit

_decode = msgspec.json.Decoder().decode


class Told(msgspec.Struct, frozen=True):
    """What an answer leaves for the request that continues it: the name that the request calls it
    by, and the entries of a request's ``history`` that the answer stands for.
    """

    id: str
    history: tuple[str, ...] = ()


class Provider(Protocol):
    """A provider's dialect, as recorder and replayer need it. Pure and total."""

    def features(self, method: str, path: str, body: bytes) -> Json:
        """What a request is recognised by again, computed of the request as it was sent and alike
        when it is recorded and when it is asked for; None if the dialect has no such thing.
        `path` may hold a query.
        """

    def error(self, status: int, message: str) -> JsonUnit:
        """An error body for `status` in the provider's shape."""

    def whole(self, units: Iterable[Unit]) -> JsonUnit | None:
        """The body that the same step has when it is not streamed, from its streamed units; None
        if they do not hold a whole answer.
        """

    def probe(self, method: str, path: str) -> JsonUnit | None:
        """The body for a request beside the conversation that needs no recording (a reachability
        check, a token count); None if the request is no such thing.
        """

    def continues(self, body: bytes) -> str | None:
        """The name of the answer that a request continues without repeating what led to it; None
        if it repeats all.
        """

    def continuing(self, body: bytes, name: str | None) -> bytes:
        """The request, continuing the answer of that name; with None, none. As it is where the
        dialect has no such thing.
        """

    def told(self, units: Iterable[Unit]) -> Told | None:
        """What an answer leaves for requests that continue it; None if they cannot."""

    def ends(self, unit: Unit) -> bool:
        """Whether a message on a WebSocket is the last one of an answer."""

    def refusal(self, status: int, message: str, retry_after: float | None = None) -> JsonUnit:
        """What the provider sends on a WebSocket in place of an error status."""

    def unknown_answer(self) -> JsonUnit:
        """What the provider sends on a WebSocket to a request that continues an answer it does not
        know.
        """

    def prewarmed(self, body: bytes) -> tuple[JsonUnit, ...]:
        """The answer to a message on a WebSocket that only makes ready for others and asks for
        nothing; empty if the message is no such thing.
        """


class Plain:
    """A provider nothing is known of, and what any provider does that knows no better."""

    def features(self, method: str, path: str, body: bytes) -> Json:
        return None

    def error(self, status: int, message: str) -> JsonUnit:
        return whole_body({"error": {"message": message}})

    def whole(self, units: Iterable[Unit]) -> JsonUnit | None:
        return None

    def probe(self, method: str, path: str) -> JsonUnit | None:
        return whole_body({}) if method == "HEAD" else None

    def continues(self, body: bytes) -> str | None:
        return None

    def continuing(self, body: bytes, name: str | None) -> bytes:
        return body

    def told(self, units: Iterable[Unit]) -> Told | None:
        return None

    def ends(self, unit: Unit) -> bool:
        return False

    def refusal(self, status: int, message: str, retry_after: float | None = None) -> JsonUnit:
        return whole_body({"error": {"message": message}, "status": status})

    def unknown_answer(self) -> JsonUnit:
        return self.refusal(400, "turnreel: that answer is not known here")

    def prewarmed(self, body: bytes) -> tuple[JsonUnit, ...]:
        return ()


PLAIN: Final = Plain()


def whole_body(value: dict[str, Json]) -> JsonUnit:
    """`value` as a whole body."""
    return JsonUnit(value, BodyFraming())


def read_body(body: bytes) -> Json:
    """The JSON of a request's body; None where there is none."""
    try:
        value: Json = _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value
