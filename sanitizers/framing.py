"""What stands around a unit's data: line endings, SSE fields, headers."""

from __future__ import annotations

import re
from typing import Final

from turnreel.wire.units import BodyFraming, Framing, Json, LineFraming, SseFraming

from .fields import HEADERS, ID_HEADERS
from .placeholders import MASKED
from .scrub import Scrubber

_ENDINGS: Final = frozenset({"", "\n", "\r", "\r\n"})
_FIELD: Final = r"(?:event|id|retry|data)"
_LAYOUT: Final = re.compile(
    rf"\ufeff?(?:(?:{_FIELD}?:? ?\{{{_FIELD}\}}|data:?)?(?:\r\n|\r|\n|\Z))*"
)
"""A layout holds field names, spaces and line endings; one that holds anything else does not
land.
"""


def event_of(framing: Framing) -> str:
    """The name in the ``event`` line, or nothing."""
    return (framing.event or "") if type(framing) is SseFraming else ""


def clean_framing(framing: Framing, scrubber: Scrubber) -> Framing:
    """The framing as it may land; the same object where nothing changes."""
    match framing:
        case SseFraming():
            event, given, layout = framing.event, framing.id, framing.layout
            named = event if event is None else scrubber.word(event)
            if given:
                given = scrubber.placeholders.id(given)
            if layout is not None and not _LAYOUT.fullmatch(layout):
                layout = None
            if named == event and given == framing.id and layout == framing.layout:
                return framing
            return SseFraming(named, given, framing.retry, layout)
        case LineFraming():
            return framing if framing.ending in _ENDINGS else LineFraming()
        case BodyFraming():
            return framing


def clean_headers(headers: Json, scrubber: Scrubber) -> Json:
    """Headers by allow-list: a listed one keeps its scrubbed value, an id becomes a
    placeholder, of any other the name stays. Accepts an object or a list of pairs.
    """
    match headers:
        case dict():
            return {
                scrubber.field(name): _header(name, value, scrubber)
                for name, value in headers.items()
            }
        case list():
            return [_pair(pair, scrubber) for pair in headers]
        case _:
            return None


def _pair(pair: Json, scrubber: Scrubber) -> Json:
    match pair:
        case [str() as name, value]:
            return [scrubber.field(name), _header(name, value, scrubber)]
        case _:
            return None


def _header(name: str, value: Json, scrubber: Scrubber) -> Json:
    match value:
        case list():
            return [_header(name, one, scrubber) for one in value]
        case str() if name.lower() in HEADERS:
            return scrubber.scrub(value)
        case str() if name.lower() in ID_HEADERS:
            return scrubber.placeholders.id(value) if value else value
        case str():
            return MASKED if value else value
        case _:
            return None
