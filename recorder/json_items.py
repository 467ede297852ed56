"""The items of one array in a JSON document of any size, one at a time.

Formats that keep a whole session in one document are read without having it in memory: what is
skipped is only scanned, what is wanted is decoded item by item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from turnreel.wire.json_style import DEPTH_LIMIT, NotJson, load, nests_deep
from turnreel.wire.units import Json

ITEM_LIMIT: Final = 128 << 20
"""Bytes an item may have."""

_CHUNK: Final = 1 << 20
_MARK_OF_ORDER: Final = b"\xef\xbb\xbf"
_KEY_LIMIT: Final = 64
_MARK: Final = re.compile(rb'["\[\]{},:]')
_REST_OF_STRING: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_CLOSES: Final = {b"}": b"{", b"]": b"["}


class BadItems(Exception):
    """The document is not what was looked for, said in the middle of a sentence."""


def json_items(file: BinaryIO, path: tuple[str, ...]) -> Iterator[Json]:
    """The items of the array under the keys `path`, from the document's own object on.

    Raises `BadItems`, at the latest at the end: no JSON object, cut off, too long or too deep, no
    such array. What stands beside the array is not looked at beyond its brackets and strings.
    """
    scan = _Scan(path)
    if (start := file.read(len(_MARK_OF_ORDER))) != _MARK_OF_ORDER:
        yield from scan.feed(start)
    while chunk := file.read(_CHUNK):
        yield from scan.feed(chunk)
    scan.close()


class _Scan:
    """Finds the array by the keys of the objects around it; cuts it at its own commas."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self._path = [key.encode() for key in path]
        self._open: list[bytes] = []
        self._keys: list[bytes] = []  # of the open objects, as far as the path is long
        self._said = b""  # the beginning of the last string
        self._in_string = False
        self._held = b""  # half an escape
        self._item: bytearray | None = None
        self._begun = False
        self._found = False
        self._count = 0

    def feed(self, chunk: bytes) -> Iterator[Json]:
        """The items that `chunk` completes."""
        chunk, self._held = self._held + chunk, b""
        at = start = 0
        while True:
            if self._in_string:
                end = _REST_OF_STRING.match(chunk, at).end()  # type: ignore[union-attr]
                if len(self._said) < _KEY_LIMIT:
                    self._said += chunk[at : min(end, at + _KEY_LIMIT)]
                at = end
                if at == len(chunk) or chunk[at] != 0x22:
                    break
                at += 1
                self._in_string = False
            mark = _MARK.search(chunk, at)
            if mark is None:
                self._between(chunk[at:])
                at = len(chunk)
                break
            self._between(chunk[at : mark.start()])
            at = mark.end()
            whole = self._step(mark[0], chunk, start, mark.start())
            if mark[0] in (b"[", b",") and self._at_item:
                start = at
            if whole is not None:
                yield whole[0]
        if self._item is not None:
            self._take(chunk[start:at])
        self._held = chunk[at:]

    def close(self) -> None:
        """The document ends here."""
        if not self._begun:
            raise BadItems("an empty file")
        if self._open or self._in_string:
            where = f" of item {self._count + 1}" if self._item is not None else ""
            raise BadItems(f"ends in the middle{where}: it was cut off")
        if not self._found:
            raise BadItems(f"holds no {b'.'.join(self._path).decode()}")

    @property
    def _at_item(self) -> bool:
        return self._item is not None and len(self._open) == len(self._path) + 1

    def _between(self, text: bytes) -> None:
        if not self._open and text.strip():
            raise BadItems("is no JSON object")

    def _step(self, mark: bytes, chunk: bytes, start: int, end: int) -> tuple[Json] | None:
        """Past one bracket, comma, colon or quote; the item that ends there."""
        match mark:
            case b'"':
                self._in_string, self._said = True, b""
            case b"{" | b"[":
                self._enter(mark)
            case b":":
                if self._open[-1:] == [b"{"] and len(self._open) <= len(self._path):
                    self._keys[len(self._open) - 1 :] = [self._said]
            case b"," if self._at_item:
                self._take(chunk[start:end])
                return self._decoded()
            case b"}" | b"]":
                return self._leave(mark, chunk, start, end)
        return None

    def _enter(self, mark: bytes) -> None:
        if not self._open and (self._begun or mark == b"["):
            raise BadItems("is no JSON object")
        self._begun = True
        around = len(self._open)
        is_here = mark == b"[" and around == len(self._path) and self._keys == self._path
        if is_here and set(self._open) == {b"{"} and not self._found:
            self._found, self._item = True, bytearray()
        self._open.append(mark)
        if around >= DEPTH_LIMIT:
            raise BadItems("nests too deep")

    def _leave(self, mark: bytes, chunk: bytes, start: int, end: int) -> tuple[Json] | None:
        if self._open[-1:] != [_CLOSES[mark]]:
            raise BadItems("is no JSON: a bracket closes what is not open")
        ended = None
        if self._at_item:
            self._take(chunk[start:end])
            assert self._item is not None, "an item is read"
            ended = self._decoded() if self._item.strip() or self._count else None
            self._item = None
        self._open.pop()
        del self._keys[len(self._open) :]
        return ended

    def _take(self, data: bytes) -> None:
        assert self._item is not None, "an item is read"
        self._item += data
        if len(self._item) > ITEM_LIMIT:
            raise BadItems(f"item {self._count + 1} is longer than {ITEM_LIMIT >> 20} MiB")

    def _decoded(self) -> tuple[Json]:
        assert self._item is not None, "an item is read"
        source, self._item = bytes(self._item).strip(), bytearray()
        self._count += 1
        if nests_deep(source):
            raise BadItems(f"item {self._count} nests too deep")
        try:
            return (load(source),)
        except NotJson:
            raise BadItems(f"item {self._count} is not JSON") from None
