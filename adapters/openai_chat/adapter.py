"""The Chat Completions API to observations: which answer was struck by which trouble (O4)."""

from __future__ import annotations

from typing import Final, assert_never

from msgspec.structs import replace

from turnreel.adapters.base import AdapterInfo
from turnreel.adapters.exchanges import Exchange, Exchanges, Heard, failed, noted
from turnreel.lifecycle.events import Code
from turnreel.wire.units import JsonUnit, TextUnit, Unit

from .frames import DONE, Chunk, Failed, Known, Unknown, Whole, read

INFO: Final = AdapterInfo(
    dialect="openai-chat",
    agent="",
    carrier="http",
    tier="provider",
    proven=("hermes 0.19.0",),
    boundary_evidence=("a chunk with a finish_reason", "[DONE]"),
    limits=(
        "an answer whose id the agent does not pass on belongs to no run",
        "an error status belongs to no run",
    ),
)

ERRORS: Final[dict[str, Code]] = {
    "rate_limit_exceeded": "rate_limited",
    "rate_limit_error": "rate_limited",
    "insufficient_quota": "quota",
    "invalid_api_key": "auth",
    "authentication_error": "auth",
    "model_not_found": "not_found",
    "context_length_exceeded": "context_exhausted",
    "invalid_request_error": "bad_request",
    "server_error": "provider_unavailable",
    "overloaded_error": "provider_unavailable",
}
"""``error.code`` and, where that says nothing, ``error.type`` (T8)."""


class OpenaiChat(Exchanges):
    """The adapter. Its state is an `exchanges.State`; it keeps nothing itself."""

    info = INFO

    def read(self, known: Exchange, unit: Unit) -> Heard:
        """What a chunk, or the mark behind the last one, shows."""
        if isinstance(unit, TextUnit):
            return (replace(known, closed=True) if unit.text == DONE else known), ()
        match read(unit.value if isinstance(unit, JsonUnit) else None):
            case Chunk(message, complete):
                name = known.message or message
                return replace(known, message=name, complete=known.complete or complete), ()
            case Failed(kind, code):
                return failed(known, ERRORS.get(code) or ERRORS.get(kind, "unknown"))
            case Unknown(what):
                return known, noted(what)
            case Whole() | Known():
                return known, ()
            case other:
                assert_never(other)


ADAPTER: Final = OpenaiChat()
