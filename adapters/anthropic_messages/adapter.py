"""The Messages API to observations: which message was struck by which trouble (O4).

An error before the message began names none, as an error status does.
"""

from __future__ import annotations

from typing import Final, assert_never

from msgspec.structs import replace

from turnreel.adapters.base import AdapterInfo
from turnreel.adapters.exchanges import Exchange, Exchanges, Heard, failed, noted
from turnreel.lifecycle.events import Code
from turnreel.wire.units import JsonUnit, Unit

from .frames import Closed, Complete, Failed, Known, Started, Unknown, read

INFO: Final = AdapterInfo(
    dialect="anthropic-messages",
    agent="",
    carrier="http",
    tier="provider",
    proven=("2023-06-01",),
    boundary_evidence=("message_start", "message_delta with a stop reason", "message_stop"),
    limits=("an answer without a message id belongs to no run",),
)

ERRORS: Final[dict[str, Code]] = {
    "authentication_error": "auth",
    "permission_error": "auth",
    "not_found_error": "not_found",
    "rate_limit_error": "rate_limited",
    "billing_error": "quota",
    "invalid_request_error": "bad_request",
    "request_too_large": "bad_request",
    "api_error": "provider_unavailable",
    "overloaded_error": "provider_unavailable",
    "timeout_error": "provider_unavailable",
}
"""``error.type`` of the API to the contract's codes (T8)."""


class AnthropicMessages(Exchanges):
    """The adapter. Its state is an `exchanges.State`; it keeps nothing itself."""

    info = INFO

    def read(self, known: Exchange, unit: Unit) -> Heard:
        """What an event shows."""
        match read(unit.value if isinstance(unit, JsonUnit) else None):
            case Started(message):
                return replace(known, message=message), ()
            case Complete(None):
                return replace(known, complete=True), ()
            case Complete(whole):
                return replace(known, message=whole, complete=True, closed=True), ()
            case Closed():
                return replace(known, closed=True), ()
            case Failed(kind):
                return failed(known, ERRORS.get(kind, "unknown"))
            case Unknown(what):
                return known, noted(what)
            case Known():
                return known, ()
            case other:
                assert_never(other)


ADAPTER: Final = AnthropicMessages()
