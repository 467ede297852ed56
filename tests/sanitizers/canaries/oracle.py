"""The survivor oracle: everything a reader of a cassette could make of it, and what is found there.

Code of its own: it knows no rule, no policy and no placeholder. It decodes every string in all
views over and over, and puts the pieces of streamed texts together again.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any, Final
from unicodedata import normalize
from urllib.parse import unquote, unquote_plus

from .canary import Canary

DEPTH: Final = 4
_RUN: Final = re.compile(r"[A-Za-z0-9+/_\-]{8,}={0,2}")
_ESCAPE: Final = re.compile(r'\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])')

Record = tuple[str, str, int | None, Any]
"""Track, code, exchange and body (JSON, or text) of a record."""


def survivors(records: Iterable[Record], planted: Iterable[Canary]) -> list[Canary]:
    """The canaries of which the core or a half can be read in `records`."""
    haystack = "\n".join(views(records))
    return [one for one in planted if any(needle in haystack for needle in one.needles())]


def views(records: Iterable[Record]) -> Iterator[str]:
    """Every text that can be read in `records`."""
    seen: set[str] = set()
    joined: defaultdict[object, list[str]] = defaultdict(list)
    for track, code, exchange, body in records:
        stands = _numbers(body)
        for path, text in _strings(body, ()):
            joined[track, code, exchange, stands, path].append(text)
            yield from _decoded(text, DEPTH, seen)
    for pieces in joined.values():
        if len(pieces) > 1:
            yield from _decoded("".join(pieces), DEPTH, seen)


def _strings(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, (*path, "[]"))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield (*path, "key"), key
            yield from _strings(item, (*path, key))


def _numbers(value: Any) -> tuple[Any, ...]:
    """What tells the blocks of one stream apart."""
    if not isinstance(value, dict):
        return ()
    inner = value.get("event")
    return value.get("index"), inner.get("index") if isinstance(inner, dict) else None


def _decoded(text: str, depth: int, seen: set[str]) -> Iterator[str]:
    if not text or text in seen:
        return
    seen.add(text)
    yield text
    if depth:
        for other in _readings(text):
            yield from _decoded(other, depth - 1, seen)


def _readings(text: str) -> Iterator[str]:
    if "&#" in text:
        yield unescape(text)
    if not text.isascii():
        yield normalize("NFKC", text)
    if "\\" in text:
        yield _ESCAPE.sub(_character, text)
    if "%" in text:
        yield unquote(text)
        yield unquote_plus(text)
    for run in _RUN.findall(text):
        plain = run.rstrip("=").replace("-", "+").replace("_", "/")
        for skip in range(4):
            data = _bytes(plain[skip:])
            if len(data) >= 6:
                yield data.decode("latin-1")
                yield from _unpacked(data)


def _character(escape: re.Match[str]) -> str:
    try:
        return str(json.loads(f'"{escape[0]}"'))
    except ValueError:
        return escape[0]


def _bytes(text: str) -> bytes:
    whole = text[: len(text) - 1] if len(text) % 4 == 1 else text
    try:
        return b64decode(whole + "=" * (-len(whole) % 4))
    except ValueError:
        return b""


def _unpacked(data: bytes) -> Iterator[str]:
    if data[:2] == b"\x1f\x8b" or data[:1] == b"\x78":
        try:
            yield zlib.decompressobj(47).decompress(data, 1 << 20).decode("latin-1")
        except zlib.error:
            return
