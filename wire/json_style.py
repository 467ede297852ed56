"""JSON in and out, with the style it was written in.

`parse` remembers how a document was written only as far as `dump` can write it that way again: the
style is proven by dumping and comparing, never guessed. Depth is bounded so that no reader of a
unit needs to fear recursion.
"""

from __future__ import annotations

import json
import re
from typing import Final, cast

import msgspec

from .units import Json, Style

DEPTH_LIMIT: Final = 200
"""Nesting beyond which a document is noted as deep instead of parsed."""

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",  # half a pair | any other escape
    re.DOTALL,
)
_decode = msgspec.json.Decoder().decode
_compact = msgspec.json.Encoder().encode
_spaced = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
_spaced_ascii = json.JSONEncoder(check_circular=False).encode
_compact_ascii = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode


class NotJson(ValueError):
    """The source is not one JSON document. An answer between modules of this room, not an error."""


class TooDeep(NotJson):
    """The source nests deeper than `DEPTH_LIMIT`."""


def parse(source: bytes) -> tuple[Json, Style]:
    """The value of one JSON document in UTF-8, and its style.

    A half surrogate pair, which JavaScript writes when it cuts a string, reads as U+FFFD. Numbers
    that no float can hold are not JSON here.

    Raises:
        TooDeep: nested deeper than `DEPTH_LIMIT`.
        NotJson: anything else that is not exactly one document.
    """
    value = load(source)
    if source.count(b"[") + source.count(b"{") > DEPTH_LIMIT and _is_deep(value):
        raise TooDeep
    return value, _style_of(value, source)


def nests_deep(source: bytes) -> bool:
    """Whether a document nests deeper than `DEPTH_LIMIT`, broken or not. Costs little where it has
    fewer brackets than that."""
    return source.count(b"[") + source.count(b"{") > DEPTH_LIMIT and _brackets_nest(source)


def dump(value: Json, style: Style = "compact") -> bytes:
    """`value` written in `style`; ``other`` is written compact. Equal to the source it was parsed
    from unless the style is ``other``.
    """
    match style:
        case "spaced":
            return _spaced(value).encode()
        case "spaced-ascii":
            return _spaced_ascii(value).encode()
        case "compact-ascii":
            return _compact_ascii(value).encode()
        case _:
            return _compact(value)


def load(source: bytes) -> Json:
    """The value alone. Raises as `parse` does, but for depth only where the decoder gives up."""
    try:
        return cast(Json, _decode(source))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        pass
    if nests_deep(source):
        raise TooDeep
    whole = _ESCAPE.sub(_without_half_pair, source)
    if whole == source:
        raise NotJson
    try:
        return cast(Json, _decode(whole))
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise NotJson from None


def _without_half_pair(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape[1] else escape[0]


def _brackets_nest(source: bytes) -> bool:
    """Whether brackets outside strings nest beyond the bound: holds for broken documents too, and
    unlike a recursion error does not depend on the caller's stack.
    """
    depth = 0
    for bracket in _STRING.sub(b"", source).translate(None, _NOT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEPTH_LIMIT:
            return True
    return False


def _is_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(DEPTH_LIMIT):
        below: list[Json] = []
        for node in level:
            match node:
                case dict():
                    below.extend(
                        child for child in node.values() if isinstance(child, (dict, list))
                    )
                case list():
                    below.extend(child for child in node if isinstance(child, (dict, list)))
        if not below:
            return False
        level = below
    return True


def _style_of(value: Json, source: bytes) -> Style:
    if _compact(value) == source:
        return "compact"
    candidates: tuple[Style, ...] = (
        ("spaced", "spaced-ascii") if b": " in source or b", " in source else ("compact-ascii",)
    )
    for style in candidates:
        if dump(value, style) == source:
            return style
    return "compact-ascii" if dump(value, "compact-ascii") == source else "other"
