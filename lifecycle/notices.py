"""What a session's journal holds beside the events of its turns (G1-G4, G6, G8): what persons and
hosts did, what the session asks of its host, and where it stands.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from .events import AnyEvent
from .tables import ActionKind

Mode = Literal["guided", "free"]
"""G4. *guided*: the person decides on each command, and after one that ran the next is handed back.
*free*: approvals are given by policy."""


class Notice(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """An entry of a session's journal that is no event of a turn."""


class Opened(Notice, frozen=True, kw_only=True, tag="session.opened"):
    """A session begins, idle."""

    mode: Mode = "guided"


class Said(Notice, frozen=True, kw_only=True, tag="session.said"):
    """The person says something. The text is the host's."""

    message_id: str


class Resumed(Notice, frozen=True, kw_only=True, tag="session.resumed"):
    """The person lets the session go on without saying anything."""


class Stepped(Notice, frozen=True, kw_only=True, tag="session.stepped"):
    """The run is about to ask its model again: a step boundary (G4)."""

    run_id: str


class Concluded(Notice, frozen=True, kw_only=True, tag="session.concluded"):
    """The person concludes the session (G6)."""


class Ended(Notice, frozen=True, kw_only=True, tag="session.ended"):
    """The host ends the session."""


class Lost(Notice, frozen=True, kw_only=True, tag="session.lost"):
    """The host itself has lost the agent (G8)."""


class Action(Notice, frozen=True, kw_only=True, tag="session.action"):
    """What the host does now: `messages` are those it starts, resumes, steers or queues with, in
    the order they were said; `request_id` the command that is withdrawn, approved, parked, or asked
    again by a resume.
    """

    kind: ActionKind
    messages: tuple[str, ...] = ()
    request_id: str | None = None


class Stands(Notice, frozen=True, kw_only=True, tag="session.state"):
    """The session has come to stand here. A word of somebody else's need not be a state."""

    state: str


Fact = AnyEvent | Opened | Said | Resumed | Stepped | Concluded | Ended | Lost
AnyNotice = Opened | Said | Resumed | Stepped | Concluded | Ended | Lost | Action | Stands
Entry = AnyEvent | AnyNotice

_decoder = msgspec.json.Decoder(AnyNotice)


def encode_notice(notice: AnyNotice) -> bytes:
    """One notice as one line of JSON without a line end, UTF-8."""
    return msgspec.json.encode(notice)


def decode_notice(line: bytes | str) -> AnyNotice:
    """The notice a line holds. Raises `msgspec.ValidationError` for what is none."""
    return _decoder.decode(line)
