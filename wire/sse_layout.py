"""How an event's fields stand in its frame, without their values.

A layout is the frame's text with ``{event}``, ``{id}``, ``{retry}`` and ``{data}`` where a value
stood: it holds field names, spaces and line endings only, so that it may land as it is. Each
``{data}`` takes one line of the data. A layout of None means the usual one.
"""

from __future__ import annotations

import re

from .units import SseFraming

_SLOT = re.compile(r"\{(event|id|retry)\}")
_DATA = "{data}"
_DATA_LINE = re.compile(r"[^\r\n]*\{data\}(?:\r\n|\n|\r|\Z)")


def usual_layout(framing: SseFraming, lines: int) -> str:
    """What nearly every server writes: event, id and retry where there are any, then the data."""
    head = "" if framing.event is None else "event: {event}\n"
    head += "" if framing.id is None else "id: {id}\n"
    head += "" if framing.retry is None else "retry: {retry}\n"
    return head + "data: {data}\n" * lines + "\n"


def lay_out(framing: SseFraming, text: str) -> str:
    """The frame of `text` under its framing.

    Text with fewer lines than the layout has places leaves the last ones out; more lines repeat the
    last place.
    """
    lines = text.split("\n")
    layout = framing.layout
    if layout is None:
        layout = usual_layout(framing, len(lines))
    values = {"event": framing.event, "id": framing.id, "retry": framing.retry}

    def fixed(part: str) -> str:
        return _SLOT.sub(lambda slot: _shown(values[slot[1]]), part)

    places = list(_DATA_LINE.finditer(layout))
    if not places:
        return fixed(layout)
    frame = [fixed(layout[: places[0].start()])]
    for number, place in enumerate(places):
        here = lines[number : number + 1] if number + 1 < len(places) else lines[number:]
        frame += [_data_line(place[0], line) for line in here]
        behind = places[number + 1].start() if number + 1 < len(places) else len(layout)
        frame.append(fixed(layout[place.end() : behind]))
    return "".join(frame)


def _data_line(place: str, line: str) -> str:
    head, _, ending = place.partition(_DATA)
    if head == "data" and line:  # the field stood without a colon, as an empty one may
        head = "data: "
    return head + line + ending


def _shown(value: str | int | None) -> str:
    return "" if value is None else str(value)
