"""Content encodings, undone as a body streams by and never into more memory than a few blocks.

Only the sealing process decodes; the client got the bytes as they were sent.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Final, Protocol

_SLICE_BYTES: Final = 1 << 20

# Where the library has no bound for what a step yields, the input is: a compressed block of a few
# bytes unpacks to 128 KiB (zstd) or to 8 MiB (br).
_ZSTD_MORSEL: Final = 64
_BROTLI_MORSEL: Final = 4

BODY_LIMIT: Final = 1 << 30
"""Decoded bytes a body may have: far more than any answer, far less than a bomb."""


class Undecodable(Exception):
    """The body is not what its encoding says, or unpacks to more than a body may have."""


class _Step(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]:
        """What `data` unpacks to, in slices."""


class BodyDecoder:
    """Undoes the encodings that a ``content-encoding`` header names, last applied first."""

    def __init__(self, content_encoding: str, limit: int = BODY_LIMIT) -> None:
        """Raises `Undecodable` for an encoding nobody knows here."""
        names = [name.strip().lower() for name in content_encoding.split(",")]
        self._steps = [_step(name) for name in reversed(names) if name not in ("", "identity")]
        self._left = limit

    @property
    def is_identity(self) -> bool:
        """Whether nothing is encoded."""
        return not self._steps

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What `data` unpacks to, in slices. Raises `Undecodable`."""
        for piece in _through(self._steps, data):
            self._left -= len(piece)
            if self._left < 0:
                raise Undecodable("longer than a body may be")
            if piece:
                yield piece


def _through(steps: list[_Step], data: bytes) -> Iterator[bytes]:
    if not steps:
        yield data
        return
    for piece in steps[0].feed(data):
        yield from _through(steps[1:], piece)


def _step(name: str) -> _Step:
    match name:
        case "gzip" | "x-gzip":
            return _Zlib(zlib.MAX_WBITS | 16)
        case "deflate":
            return _Deflate()
        case "zstd":
            return _zstd()
        case "br":
            return _brotli()
        case _:
            raise Undecodable(f"unknown encoding {name[:20]}")


class _Zlib:
    def __init__(self, wbits: int) -> None:
        self._wbits = wbits
        self._unpack = zlib.decompressobj(wbits)

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            while data:
                yield self._unpack.decompress(data, _SLICE_BYTES)
                data = self._unpack.unconsumed_tail
                if self._unpack.eof and self._unpack.unused_data:  # a further gzip member
                    data = self._unpack.unused_data
                    self._unpack = zlib.decompressobj(self._wbits)
        except zlib.error as error:
            raise Undecodable(str(error)) from None


class _Deflate:
    """Meant is the zlib form; some servers send the raw one. The first byte tells them apart."""

    def __init__(self) -> None:
        self._inner: _Zlib | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inner is None and data:
            is_zlib = data[0] & 0x0F == 8 and data[0] >> 4 <= 7
            self._inner = _Zlib(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
        if self._inner is not None:
            yield from self._inner.feed(data)


class _Blocks:
    """zstd and br: `unpack` takes input, a `morsel` at a time, and gives what it unpacks to."""

    def __init__(self, unpack: Callable[[bytes], bytes], morsel: int) -> None:
        self._unpack = unpack
        self._morsel = morsel

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            for start in range(0, len(data), self._morsel):
                yield self._unpack(data[start : start + self._morsel])
        except Exception as error:  # each library has its own, and one of them two names for it
            raise Undecodable(type(error).__name__) from None


def _zstd() -> _Step:
    import zstandard

    library = zstandard.ZstdDecompressor(max_window_size=1 << 27)
    return _Blocks(library.decompressobj(read_across_frames=True).decompress, _ZSTD_MORSEL)


def _brotli() -> _Step:
    """Installed with the recording extra; without it nothing can have been recorded in it."""
    try:
        import brotli  # type: ignore[import-untyped]
    except ImportError:
        raise Undecodable("no decoder for br") from None
    return _Blocks(brotli.Decompressor().process, _BROTLI_MORSEL)
