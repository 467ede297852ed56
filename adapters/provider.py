"""What a provider's dialect provides beside its adapter, for whoever records it or plays it again:
by what a request is recognised, and what a stand-in must say in the provider's own words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

import msgspec

from turnreel.wire.units import BodyFraming, Json, JsonUnit, Unit

_decode = msgspec.json.Decoder().decode


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


class Plain:
    """A provider nothing is known of."""

    def features(self, method: str, path: str, body: bytes) -> Json:
        return None

    def error(self, status: int, message: str) -> JsonUnit:
        return whole_body({"error": {"message": message}})

    def whole(self, units: Iterable[Unit]) -> JsonUnit | None:
        return None

    def probe(self, method: str, path: str) -> JsonUnit | None:
        return whole_body({}) if method == "HEAD" else None


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
