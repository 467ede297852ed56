"""Two cassettes compared by what was said. When it was said, and in which socket reads, does not
count.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from turnreel.wire.units import Json

from .header import Header
from .reader import Cassette
from .records import Record
from .render import WIDTH, clip, printable, render

_PATHS_SHOWN: Final = 6
_ABSENT: Final = "(absent)"
_NOT_CONTENT: Final = frozenset({"reads"})


class HeaderChanged(msgspec.Struct, frozen=True):
    """A header field that differs. The id always does where anything does, and is left out."""

    field: str
    left: Json
    right: Json


class Changed(msgspec.Struct, frozen=True):
    """A record that stands in both with different content."""

    left: Record
    right: Record


class Removed(msgspec.Struct, frozen=True):
    """A record that only the left one has."""

    left: Record


class Added(msgspec.Struct, frozen=True):
    """A record that only the right one has."""

    right: Record


Difference = HeaderChanged | Changed | Removed | Added


def diff(left: Cassette, right: Cassette) -> list[Difference]:
    """What differs, in order; empty if both say the same. Both are held in memory.

    Raises:
        CassetteError: one of them cannot be read.
    """
    return [*_headers(left.header, right.header), *_records(list(left), list(right))]


def render_difference(difference: Difference) -> str:
    """A difference in a few lines: what went after ``-``, what came after ``+``, changed paths
    beneath.
    """
    match difference:
        case HeaderChanged(field, left, right):
            return f"header {field}: {_shown(left)} -> {_shown(right)}"
        case Removed(record):
            return f"- {render(record)}"
        case Added(record):
            return f"+ {render(record)}"
        case Changed(left_record, right_record):
            return "\n".join(
                [
                    f"- {render(left_record)}",
                    f"+ {render(right_record)}",
                    *_paths(left_record, right_record),
                ]
            )


def _headers(left: Header, right: Header) -> Iterator[Difference]:
    a, b = msgspec.to_builtins(left), msgspec.to_builtins(right)
    for name in [*a, *(name for name in b if name not in a)]:
        if name != "id" and a.get(name) != b.get(name):
            yield HeaderChanged(name, a.get(name), b.get(name))


def _records(left: list[Record], right: list[Record]) -> Iterator[Difference]:
    a, b = [_content(record) for record in left], [_content(record) for record in right]
    # Most of two similar cassettes is equal at both ends; the matcher gets only what lies between.
    start = _common(a, b)
    end = min(_common(a[::-1], b[::-1]), min(len(a), len(b)) - start)
    matcher = difflib.SequenceMatcher(
        None, a[start : len(a) - end], b[start : len(b) - end], autojunk=False
    )
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag != "equal":
            yield from _replaced(left[start + a0 : start + a1], right[start + b0 : start + b1])


def _common(a: Sequence[bytes], b: Sequence[bytes]) -> int:
    return next(
        (n for n, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]),
        min(len(a), len(b)),
    )


def _replaced(left: list[Record], right: list[Record]) -> Iterator[Difference]:
    """A stretch that differs: records of the same track and code change into one another in order,
    the others go and come.
    """
    waiting = list(right)
    for record in left:
        place = (record.track, record.code)
        match = next((n for n, r in enumerate(waiting) if (r.track, r.code) == place), None)
        if match is None:
            yield Removed(record)
            continue
        yield from (Added(skipped) for skipped in waiting[:match])
        yield Changed(record, waiting[match])
        del waiting[: match + 1]
    yield from (Added(record) for record in waiting)


def _content(record: Record) -> bytes:
    extra = {name: value for name, value in record.extra.items() if name not in _NOT_CONTENT}
    return msgspec.json.encode([record.track, record.code, record.data, extra], order="sorted")


def _paths(left: Record, right: Record) -> list[str]:
    changes = [*_changes("", left.data, right.data), *_changes("extra", left.extra, right.extra)]
    shown = [
        f"    {printable(path) or '.'}: {_shown(a)} -> {_shown(b)}"
        for path, a, b in changes[:_PATHS_SHOWN]
    ]
    if len(changes) > _PATHS_SHOWN:
        shown.append(f"    and {len(changes) - _PATHS_SHOWN} more")
    return shown


def _changes(path: str, a: Json, b: Json) -> Iterator[tuple[str, Json, Json]]:
    match a, b:
        case dict(), dict():
            for name in [*a, *(name for name in b if name not in a)]:
                yield from _changes(f"{path}.{name}", a.get(name, _ABSENT), b.get(name, _ABSENT))
        case list(), list():
            for place, (one, two) in enumerate(zip_longest(a, b, fillvalue=_ABSENT)):
                yield from _changes(f"{path}[{place}]", one, two)
        case _ if a != b or type(a) is not type(b):
            yield path, a, b


def _shown(value: Json) -> str:
    text = value if value is _ABSENT else msgspec.json.encode(value).decode()
    return clip(printable(str(text)), WIDTH // 3)
