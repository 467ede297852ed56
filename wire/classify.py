"""The one rule for what a framed piece of bytes is: JSON, text or torn."""

from __future__ import annotations

import re

from .json_style import NotJson, TooDeep, parse
from .units import Framing, JsonUnit, TextUnit, TornUnit, Unit

_BOM = b"\xef\xbb\xbf"
_BEGUN = re.compile(rb"\s*(?:\{|\[\s*(?:[\]\[{\"\-0-9]|true|false|null|\Z))")


def classify(source: bytes, framing: Framing, size: int | None = None) -> Unit:
    """What `source` is, complete as it stands.

    A JSON object or array is a `JsonUnit`. What was begun as one and does not parse is torn: ``{``
    begins one, and ``[`` with a value after it, which ``[DONE]`` and ``[info]`` are not. Anything
    else in UTF-8 is text. A byte order mark or white space before JSON is read over. `size` is what
    a torn unit reports: the bytes of the whole frame where they are more than `source`.
    """
    torn_size = len(source) if size is None else size
    if source[:1] in (b"{", b"["):
        try:
            value, style = parse(source)
            return JsonUnit(value, framing, style)
        except TooDeep:
            return TornUnit(torn_size, "deep", framing)
        except NotJson:
            pass
    return _classify_rest(source, framing, torn_size)


def classify_end(source: bytes, framing: Framing, size: int | None = None) -> Unit:
    """What `source` is when the end of the stream stands where its delimiter should. An unfinished
    document or character was cut; a wrong byte is wrong wherever the stream ends.
    """
    unit = classify(source, framing, size)
    match unit:
        case TornUnit(cause="json"):
            return TornUnit(unit.size, "cut", framing)
        case TornUnit(cause="utf8") if _ends_inside_character(source):
            return TornUnit(unit.size, "cut", framing)
        case _:
            return unit


def _classify_rest(source: bytes, framing: Framing, torn_size: int) -> Unit:
    try:
        text = source.decode()
    except UnicodeDecodeError:
        return TornUnit(torn_size, "utf8", framing)
    document = source.removeprefix(_BOM)
    if _BEGUN.match(document) is None:
        return TextUnit(text, framing)
    try:
        value, _ = parse(document)
    except TooDeep:
        return TornUnit(torn_size, "deep", framing)
    except NotJson:
        return TornUnit(torn_size, "json", framing)
    return JsonUnit(value, framing, "other")


def _ends_inside_character(source: bytes) -> bool:
    try:
        source.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False
