"""The pipe's protocol: any chunking, both directions, nothing that is not a message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.recorder.messages import (
    PREFIX,
    Chunk,
    Fact,
    Finish,
    Over,
    Sealed,
    Unframer,
    answer_decoder,
    framed,
    message_decoder,
)

MESSAGES = [
    Chunk(1, "agent", "out", None, b"\xff\x00 raw"),
    Over(2, "agent", "out", None),
    Fact(3, "provider", "response", 7, {"status": 200, "headers": {"a": "b"}, "deep": [[None]]}),
    Finish(),
]


@given(st.lists(st.integers(1, 40), max_size=60))
def test_messages_survive_any_chunking(sizes: list[int]) -> None:
    stream = b"".join(framed(message) for message in MESSAGES)
    unframer, bodies = Unframer(), []
    for size in [*sizes, len(stream)]:
        bodies += unframer.feed(stream[:size])
        stream = stream[size:]
    assert [message_decoder.decode(body) for body in bodies] == MESSAGES


def test_answers_are_told_apart() -> None:
    (body,) = Unframer().feed(framed(Sealed("x.cassette.jsonl", 3)))
    assert answer_decoder.decode(body) == Sealed("x.cassette.jsonl", 3)


def test_a_length_nobody_sends_is_refused() -> None:
    with pytest.raises(ValueError, match="longer"):
        list(Unframer().feed(PREFIX.pack(1 << 31)))
