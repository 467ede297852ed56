"""Content encodings: any chunking, several at once, bombs and lies."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from turnreel.recorder.encodings import BodyDecoder, Undecodable


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": zstandard.ZstdCompressor().compress,
    "identity": bytes,
}


def decode(encoding: str, chunks: list[bytes], limit: int = 1 << 30) -> bytes:
    decoder = BodyDecoder(encoding, limit)
    return b"".join(piece for chunk in chunks for piece in decoder.feed(chunk))


@pytest.mark.parametrize("encoding", ENCODERS)
@given(body=st.binary(max_size=3000), size=st.integers(1, 700))
def test_any_chunking_gives_the_body(encoding: str, body: bytes, size: int) -> None:
    packed = ENCODERS[encoding](body)
    chunks = [packed[at : at + size] for at in range(0, len(packed), size)]
    assert decode(encoding, chunks) == body


def test_raw_deflate_is_told_from_the_zlib_form() -> None:
    assert decode("deflate", [raw_deflate(b"hello " * 100)]) == b"hello " * 100


def test_encodings_are_undone_in_reverse() -> None:
    assert decode("gzip, br", [brotli.compress(gzip.compress(b"twice"))]) == b"twice"


def test_further_gzip_members_belong_to_the_body() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two")
    assert decode("gzip", [packed[:25], packed[25:]]) == b"one two"


def test_identity_and_nothing_are_no_encoding() -> None:
    assert BodyDecoder("").is_identity and BodyDecoder("identity").is_identity
    assert not BodyDecoder("gzip").is_identity


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_what_is_not_so_encoded_is_undecodable(encoding: str) -> None:
    with pytest.raises(Undecodable):
        decode(encoding, [b'{"type": "error"} this is plain text' * 20])


def test_an_unknown_encoding_is_undecodable() -> None:
    with pytest.raises(Undecodable, match="unknown encoding rot13"):
        BodyDecoder("rot13")


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd"])
def test_a_bomb_stops_at_the_limit_in_little_memory(encoding: str) -> None:
    bomb = ENCODERS[encoding](b"\0" * (96 << 20))
    limit = 64 << 20
    tracemalloc.start()
    decoder = BodyDecoder(encoding, limit)
    taken = 0
    with pytest.raises(Undecodable, match="longer"):
        for piece in decoder.feed(bomb):
            taken += len(piece)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken <= limit
    assert peak < 32 << 20
