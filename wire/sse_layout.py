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
    return _usual(
        None if framing.event is None else "{event}",
        None if framing.id is None else "{id}",
        None if framing.retry is None else "{retry}",
        [_DATA] * lines,
    )


def lay_out(framing: SseFraming, text: str) -> str:
    """The frame of `text` under its framing.

    Text with fewer lines than the layout has places leaves the first ones out; more lines repeat
    the last place.
    """
    lines = text.split("\n")
    layout = framing.layout
    if layout is None:
        return _usual(framing.event, framing.id, framing.retry, lines)
    values = {"event": framing.event, "id": framing.id, "retry": framing.retry}

    def fixed(part: str) -> str:
        return _SLOT.sub(lambda slot: _shown(values[slot[1]]), part)

    places = list(_DATA_LINE.finditer(layout))
    if not places:
        return fixed(layout)
    spare = max(0, len(places) - len(lines))
    shares: list[list[str]] = [[]] * spare
    shares += [[line] for line in lines[: len(places) - 1 - spare]]
    shares.append(lines[len(shares) - spare :])
    frame: list[str] = []
    behind = 0
    for place, share in zip(places, shares, strict=True):
        frame.append(fixed(layout[behind : place.start()]))
        frame += [_data_line(place[0], line) for line in share]
        behind = place.end()
    return "".join(frame) + fixed(layout[behind:])


def _usual(event: str | None, id_: str | None, retry: object, lines: list[str]) -> str:
    head = "" if event is None else f"event: {event}\n"
    head += "" if id_ is None else f"id: {id_}\n"
    head += "" if retry is None else f"retry: {retry}\n"
    return head + "".join([f"data: {line}\n" for line in lines]) + "\n"


def _data_line(place: str, line: str) -> str:
    head, _, ending = place.partition(_DATA)
    if head == "data" and line:  # the field stood without a colon, as an empty one may
        head = "data: "
    return head + line + ending


def _shown(value: str | int | None) -> str:
    return "" if value is None else str(value)
