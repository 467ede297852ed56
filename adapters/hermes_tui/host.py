"""Reads what a client writes to the TUI gateway: JSON in, the typed view out. Total."""

from __future__ import annotations

import msgspec

from turnreel.adapters.fields import Fields, fields, is_true, text
from turnreel.wire.units import Json


class Submit(msgspec.Struct, frozen=True):
    """``prompt.submit``: ``session_id``."""

    request: str
    session: str


class Interrupt(msgspec.Struct, frozen=True):
    """``session.interrupt``: ``session_id``."""

    session: str


class Approve(msgspec.Struct, frozen=True):
    """``approval.respond``: ``session_id``, ``choice``, ``all``."""

    session: str
    choice: str
    everything: bool


class Answer(msgspec.Struct, frozen=True):
    """``clarify.respond``, ``sudo.respond``, ``secret.respond``: ``request_id``."""

    request: str


class Other(msgspec.Struct, frozen=True):
    """Any other request: it moves no turn."""


Request = Submit | Interrupt | Approve | Answer | Other


def read_request(value: Json) -> Request:
    """What a line of the client asks for."""
    if not isinstance(value, dict):
        return Other()
    params: Fields = fields(value, "params")
    session = text(params, "session_id") or ""
    match text(value, "method"):
        case "prompt.submit":
            return Submit(str(value.get("id")), session)
        case "session.interrupt":
            return Interrupt(session)
        case "approval.respond":
            return Approve(session, text(params, "choice") or "", is_true(params, "all"))
        case "clarify.respond" | "sudo.respond" | "secret.respond":
            return Answer(text(params, "request_id") or "")
        case _:
            return Other()
