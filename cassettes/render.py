"""A record in one line, for people.

Generic: words come from the JSON's own ``type``, ``subtype`` and ``method``, never from a dialect.
Safe for terminals: what does not print is escaped, and a line never breaks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from turnreel.wire.units import Json, JsonUnit, TextUnit, TornUnit

from .records import UNIT_CODES, Record, unit_of

WIDTH: Final = 120
_DEPTH = 4
_TYPES: Final = ("type", "method", "object")
_IDS: Final = ("id", "message_id", "item_id", "tool_use_id", "request_id", "uuid")
_TEXTS: Final = (
    "text", "content", "result", "delta", "thinking", "partial_json", "arguments", "message",
    "error", "detail", "command", "name",
)  # fmt: skip


def render(record: Record, width: int = WIDTH) -> str:
    """One line of at most `width` characters: number, time since the session began, track, code,
    what it is, and the begin of its text.
    """
    head = f"#{record.number} +{record.at_us / 1e6:.3f}s {record.track} {record.code}"
    exchange = record.exchange
    if exchange is not None:
        head += f"[{exchange}]"
    words = [printable(head), *(printable(word) for word in _words(record))]
    return clip(" ".join(word for word in words if word), width)


def printable(text: str) -> str:
    """`text` with everything that does not print escaped: control and format characters, line ends,
    surrogates."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def clip(text: str, width: int) -> str:
    """`text` in at most `width` characters, with an ellipsis where it was cut."""
    return text if len(text) <= width else text[: width - 1] + "…"


def _words(record: Record) -> Iterator[str]:
    if record.code not in UNIT_CODES:
        yield from _fields(record.data)
        return
    match unit_of(record):
        case TornUnit(size, cause):
            yield f"torn: {cause}, {size} bytes"
        case TextUnit(text):
            yield _quoted(text)
        case JsonUnit(value):
            yield "/".join(_kinds(value))
            yield _found(value, _IDS, 8)
            text = _found(value, _TEXTS, WIDTH)
            yield _quoted(text) if text else ""


def _fields(value: Json) -> Iterator[str]:
    if not isinstance(value, dict):
        yield _quoted(str(value))
        return
    for name, item in value.items():
        if isinstance(item, (str, int, float)):
            yield f"{name}={item}"
        elif item is not None:
            yield f"{name}={{…}}" if isinstance(item, dict) else f"{name}=[{len(item)}]"


def _kinds(value: Json, under: str = "", depth: int = _DEPTH) -> Iterator[str]:
    """The types from the outside in. A type that only repeats the name of its place says
    nothing.
    """
    if not isinstance(value, dict) or depth == 0:
        return
    own = next((word for key in _TYPES if isinstance(word := value.get(key), str)), "")
    if own and own != under:
        yield own
    if isinstance(subtype := value.get("subtype"), str):
        yield subtype
        return
    for name, item in value.items():
        inner = item if isinstance(item, list) else [item]
        kinds = ["/".join(_kinds(child, name, depth - 1)) for child in inner[:3]]
        kinds = [kind for kind in kinds if kind]
        if kinds:
            yield "+".join(kinds)
            return


def _found(value: Json, names: tuple[str, ...], width: int) -> str:
    """The first text under one of these names, nearest to the outside, clipped."""
    level = [value]
    for _ in range(_DEPTH + 2):
        objects = [node for node in level if isinstance(node, dict)]
        for node, name in itertools.product(objects, names):
            if isinstance(text := node.get(name), str) and text:
                return clip(text, width)
        children = itertools.chain.from_iterable(_children(node) for node in level)
        level = list(itertools.islice(children, 64))
    return ""


def _children(value: Json) -> Iterator[Json]:
    match value:
        case dict():
            return iter(value.values())
        case list():
            return iter(value)
        case _:
            return iter(())


def _quoted(text: str) -> str:
    return f'"{clip(text, WIDTH)}"'
