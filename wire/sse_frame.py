"""One frame of a server-sent event stream: from lines to units."""

from __future__ import annotations

from typing import NamedTuple

from .classify import classify
from .sse_layout import usual_layout
from .units import SseFraming, TextUnit, TornUnit, Unit


class Line(NamedTuple):
    """A line's bytes and what ended it: LF, CRLF, CR, or nothing at the end of the stream."""

    content: bytes
    ending: str


class _Field(NamedTuple):
    name: str  # data, event, id, retry; empty for what readers ignore
    value: str
    slot: str  # the line as it stands in a layout


def frame_units(lines: list[Line], blank: str, mark: str, limit: int) -> list[Unit]:
    """The units of a complete frame: what readers ignore, then the event.

    `blank` ended the blank line behind it, `mark` is the byte order mark if the frame had one.
    """
    size = _size(lines) + len(blank) + len(mark.encode())
    if size > limit:
        return [TornUnit(size, "long", SseFraming())]
    try:
        fields = [_field(line.content.decode(), line.ending) for line in lines]
    except UnicodeDecodeError:
        return [TornUnit(size, "utf8", _known_framing(lines))]
    fields, ignored = _separate(fields)
    if not fields:
        return [_ignored_unit(ignored, mark, blank)]
    units: list[Unit] = []
    if ignored:
        units.append(_ignored_unit(ignored, mark, ""))
        mark = ""
        if fields[-1].slot.endswith("\r"):
            blank = "\r"  # with what stood between them gone, CR and LF would read as one ending
    data = [field.value for field in fields if field.name == "data"]
    framing = _framing(fields)
    layout = mark + "".join(field.slot for field in fields) + blank
    if layout != usual_layout(framing, max(1, len(data))):
        framing = SseFraming(framing.event, framing.id, framing.retry, layout)
    units.append(
        classify("\n".join(data).encode(), framing, size) if data else TextUnit("", framing)
    )
    return units


def blank_unit(ending: str, mark: str) -> Unit:
    """A blank line that ends no frame."""
    return TextUnit("", SseFraming(layout=mark + ending))


def cut_unit(lines: list[Line]) -> Unit:
    """What the end of the stream left of a frame."""
    complete = [line for line in lines if line.ending]
    return TornUnit(_size(lines), "cut", _known_framing(complete))


def _size(lines: list[Line]) -> int:
    return sum(len(line.content) + len(line.ending) for line in lines)


def _field(line: str, ending: str) -> _Field:
    name, colon, value = line.partition(":")
    space = " " if value.startswith(" ") else ""
    if name == "":
        return _Field("", value, f":{{data}}{ending}")
    readable = {
        "data": True,
        "event": True,
        "id": "\0" not in value,
        "retry": _is_plain_number(value[len(space) :]),
    }.get(name, False)
    if not readable:
        return _Field("", line, f"{{data}}{ending}")
    return _Field(name, value[len(space) :], f"{name}{colon}{space}{{{name}}}{ending}")


def _is_plain_number(value: str) -> bool:
    """Digits that an int writes again as they were."""
    return value.isascii() and value.isdigit() and len(value) < 18 and str(int(value)) == value


def _separate(fields: list[_Field]) -> tuple[list[_Field], list[_Field]]:
    """What makes the event, and what readers ignore: of an event, id or retry given twice the last
    one counts.
    """
    kept: list[_Field] = []
    ignored: list[_Field] = []
    later: set[str] = set()
    for field in reversed(fields):
        if field.name == "":
            ignored.append(field)
        elif field.name in later:
            line = field.slot.replace(f"{{{field.name}}}", field.value).rstrip("\r\n")
            ignored.append(
                _Field("", line, "{data}" + field.slot[len(field.slot.rstrip("\r\n")) :])
            )
        else:
            kept.append(field)
            if field.name != "data":
                later.add(field.name)
    return kept[::-1], ignored[::-1]


def _framing(fields: list[_Field]) -> SseFraming:
    values = {field.name: field.value for field in fields}
    retry = values.get("retry")
    return SseFraming(values.get("event"), values.get("id"), None if retry is None else int(retry))


def _known_framing(lines: list[Line]) -> SseFraming:
    """The fields that can be read of a frame that as a whole cannot."""
    fields: list[_Field] = []
    for line in lines:
        try:
            fields.append(_field(line.content.decode(), line.ending))
        except UnicodeDecodeError:
            continue
    return _framing(fields)


def _ignored_unit(ignored: list[_Field], mark: str, blank: str) -> Unit:
    text = "\n".join(field.value for field in ignored)
    return TextUnit(
        text, SseFraming(layout=mark + "".join(field.slot for field in ignored) + blank)
    )
