"""What a host sends to Hermes' API server."""

from __future__ import annotations

import msgspec

from turnreel.wire.units import Json


class Request(msgspec.Struct, frozen=True):
    """A request with its JSON body. Every one needs ``Authorization: Bearer`` with the server's
    key, which is the caller's to add.
    """

    method: str
    path: str
    body: dict[str, Json] | None = None
