"""What a rendered turn is where an agent answers over HTTP: a request, and the events that answer
it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnreel.wire.units import Json

from .steps import Beside


class Event(msgspec.Struct, frozen=True):
    """An event's data with the name in its ``event`` line, or a text that is no JSON."""

    data: dict[str, Json] | str
    name: str | None = None


class Answer(msgspec.Struct, frozen=True):
    """A request and the events that answer it, with what happens beside them. `over` says how the
    body ends.
    """

    method: str
    path: str
    events: tuple[Event | Beside, ...]
    over: Literal["end", "cut"] = "end"
