"""Records: what happened on a track, one line each.

A line is ``[us_since_previous, track, code, data, extra?]``. `data` holds a native unit or, for
other codes, the record's fields; `extra` what is not the usual about it.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, get_args

import msgspec

from turnreel.sanitizers.records import Clean
from turnreel.wire.json_style import NotJson, load
from turnreel.wire.units import (
    BodyFraming,
    Framing,
    Json,
    JsonUnit,
    LineFraming,
    SseFraming,
    Style,
    TextUnit,
    TornClass,
    TornUnit,
    Unit,
)

from .errors import CassetteError

LINE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes a line may have. A record whose line would be longer is written as torn."""

TIME_LIMIT: Final = 10**15
"""Microseconds, thirty years, that may lie between two records. No clock has to hold more."""

LINE_CODES: Final = frozenset({"in", "out", "err"})
"""Codes whose unit is a line of a stdio stream."""

UNIT_CODES: Final = LINE_CODES | {"data", "send", "receive"}
"""Codes whose data is a native unit; the data of all others are fields."""

_STYLES: Final[frozenset[str]] = frozenset(get_args(Style))
_CAUSES: Final[frozenset[str]] = frozenset(get_args(TornClass))
_FILLER = "x" * 16
_NOTHING = b"{}"
_encode = msgspec.json.Encoder().encode


class Line(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A record's line, as far as every reader needs it. More elements than these are ignored."""

    us: Annotated[int, msgspec.Meta(ge=0, le=TIME_LIMIT)]
    track: str
    code: str
    data: msgspec.Raw
    extra: msgspec.Raw = msgspec.Raw(_NOTHING)


class Record(msgspec.Struct, eq=False, gc=False):
    """A record with its place: `number` from 1 in the cassette, `at_us` microseconds since it
    began.

    `data` and `extra` are decoded when they are asked for, each time: bind what you use twice.
    `source` and `notes` are their JSON as bytes, or their values; `file` where they were read.
    Asking raises `CassetteError` for bytes that no JSON value stands in.
    """

    number: int
    at_us: int
    track: str
    code: str
    source: Any = None
    notes: Any = _NOTHING
    file: Any = None

    @property
    def data(self) -> Json:
        """The native unit's JSON or text, or the record's fields."""
        source: Json | bytes = self.source
        return self._value(source) if isinstance(source, bytes) else source

    @property
    def extra(self) -> dict[str, Json]:
        """What is not the usual about it; empty when all is. Anything but an object reads as
        empty.
        """
        notes = self.notes
        if notes == _NOTHING:
            return {}
        value = self._value(notes) if isinstance(notes, bytes) else notes
        return value if isinstance(value, dict) else {}

    @property
    def exchange(self) -> int | None:
        """The number of the http exchange or websocket on its track."""
        number = self.extra.get("n")
        return number if isinstance(number, int) else None

    @property
    def reads(self) -> tuple[int, ...] | None:
        """Sizes in bytes of the socket reads that the unit spans, where they were kept."""
        sizes = self.extra.get("reads")
        if not isinstance(sizes, list):
            return None
        return tuple(size for size in sizes if isinstance(size, int))

    def _value(self, source: bytes) -> Json:
        try:
            return load(source)
        except NotJson:
            what, remedy = "holds no JSON value", "restore the file from where it came from"
            if self.file is None:
                raise CassetteError(f"record {self.number}", what, remedy) from None
            raise CassetteError(self.file, what, remedy, self.number + 1) from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (
            (self.number, self.at_us, self.track, self.code)
            == (other.number, other.at_us, other.track, other.code)
            and self.data == other.data
            and self.extra == other.extra
        )

    __hash__ = None  # type: ignore[assignment]


def unit_of(record: Record) -> Unit:
    """The native unit of a record whose code has one (`UNIT_CODES`); for any other code its fields
    as a bodily `JsonUnit`. Total: what `extra` says wrongly reads as the usual.
    """
    data, extra = record.data, record.extra
    framing = _framing(record.code, extra)
    torn = extra.get("torn")
    if isinstance(torn, dict):
        size, cause = torn.get("bytes"), torn.get("class")
        return TornUnit(
            size if isinstance(size, int) and size >= 0 else 0,
            cause if cause in _CAUSES else "json",  # type: ignore[arg-type]
            framing,
        )
    if isinstance(data, str) and extra.get("kind") == "text":
        return TextUnit(data, framing)
    style = extra.get("style", "compact")
    return JsonUnit(data, framing, style if style in _STYLES else "other")  # type: ignore[arg-type]


def line_of(clean: Clean, us: int) -> bytes:
    """The line of a sanitized record, `us` microseconds after the one before it. Never longer than
    `LINE_LIMIT`: a record that would be is written as torn, with its size."""
    data, extra = _data_and_extra(clean)
    line = _line(us, clean, data, extra)
    if len(line) > LINE_LIMIT:
        extra = {key: extra[key] for key in ("n", "end", "sse") if key in extra}
        extra["torn"] = {"bytes": len(line), "class": "long"}
        line = _line(us, clean, _FILLER, extra)
    return line


def _line(us: int, clean: Clean, data: Json, extra: dict[str, Json]) -> bytes:
    items = [us, clean.track, clean.code, data]
    if extra:
        items.append(extra)
    return _encode(items) + b"\n"


def _data_and_extra(clean: Clean) -> tuple[Json, dict[str, Json]]:
    extra: dict[str, Json] = {}
    if clean.exchange is not None:
        extra["n"] = clean.exchange
    data: Json
    match clean.body:
        case JsonUnit() as unit:
            data = unit.value
            if unit.style != "compact":
                extra["style"] = unit.style
        case TextUnit() as unit:
            data = unit.text
            extra["kind"] = "text"
        case TornUnit() as unit:
            data = _FILLER[: unit.size]
            extra["torn"] = {"bytes": unit.size, "class": unit.cause}
        case fields:
            return fields, extra
    _add_framing(extra, clean.code, unit.framing)
    if clean.reads is not None:
        extra["reads"] = list(clean.reads)
    return data, extra


def _add_framing(extra: dict[str, Json], code: str, framing: Framing) -> None:
    match framing:
        case LineFraming():
            if code not in LINE_CODES or framing.ending != "\n":
                extra["end"] = framing.ending
        case SseFraming():
            sse: dict[str, Json] = {}
            if framing.event is not None:
                sse["event"] = framing.event
            if framing.id is not None:
                sse["id"] = framing.id
            if framing.retry is not None:
                sse["retry"] = framing.retry
            if framing.layout is not None:
                sse["layout"] = framing.layout
            extra["sse"] = sse
        case BodyFraming():
            pass


def _framing(code: str, extra: dict[str, Json]) -> Framing:
    sse, end = extra.get("sse"), extra.get("end")
    if isinstance(sse, dict):
        retry = sse.get("retry")
        return SseFraming(
            _text(sse.get("event")),
            _text(sse.get("id")),
            retry if isinstance(retry, int) else None,
            _text(sse.get("layout")),
        )
    if code in LINE_CODES or isinstance(end, str):
        return LineFraming(end if isinstance(end, str) else "\n")
    return BodyFraming()


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
