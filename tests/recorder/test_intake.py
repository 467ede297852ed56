"""From told bytes to raw records, without sockets: transcripts and laws."""

from __future__ import annotations

import gzip
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from turnreel.recorder.intake import Intake
from turnreel.recorder.messages import Asked, Captured, Chunk, Fact, Over
from turnreel.sanitizers import Raw
from turnreel.wire import JsonUnit, SseFraming, TextUnit, TornUnit, encode

P = "provider"


def response(**headers: str) -> Fact:
    fields: dict[str, Any] = {"status": 200, "headers": headers}
    return Fact(5, P, "response", 1, fields)


def data(text: bytes, at_us: int = 10) -> Chunk:
    return Chunk(at_us, P, "data", 1, text)


def take(*messages: Captured) -> list[Raw]:
    intake = Intake({P: lambda method, path, body: {"method": method, "bytes": len(body)}})
    return [raw for message in messages for raw in intake.take(message)]


SSE = {"content-type": "text/event-stream; charset=utf-8"}


def test_a_line_is_recorded_when_its_newline_was_read() -> None:
    raws = take(
        Chunk(1, "agent", "out", None, b'{"a":'),
        Chunk(2, "agent", "out", None, b'1}\n{"b":2}\nrest'),
        Over(3, "agent", "out", None),
    )
    assert [(raw.at_us, raw.code, type(raw.body)) for raw in raws] == [
        (2, "out", JsonUnit),
        (2, "out", JsonUnit),
        (3, "out", TextUnit),
    ]
    assert all(raw.reads is None for raw in raws)


def test_streams_do_not_mix() -> None:
    raws = take(
        Chunk(1, "agent", "out", None, b"on"),
        Chunk(2, "agent", "err", None, b"other\n"),
        Chunk(3, "agent", "out", None, b"e\n"),
    )
    assert [(raw.code, getattr(raw.body, "text", None)) for raw in raws] == [
        ("err", "other"),
        ("out", "one"),
    ]


def test_a_response_says_how_its_body_reads() -> None:
    raws = take(response(**SSE), data(b'event: ping\ndata: {"type":"ping"}\n\n'))
    assert raws[1].body == JsonUnit({"type": "ping"}, SseFraming("ping"))
    raws = take(response(**{"content-type": "application/json"}), data(b'{"a":'), data(b"1}"))
    assert len(raws) == 1, "a whole body is one unit, at its end"


def test_reads_are_kept_where_they_do_not_end_with_a_unit() -> None:
    first, second = b'data: {"n":1}\n\n', b'data: {"n":2}\n\n'
    assert len(first) == len(second) == 15
    one_each = take(response(**SSE), data(first), data(second))
    assert [raw.reads for raw in one_each[1:]] == [None, None]
    together = take(response(**SSE), data(first + second))
    assert [raw.reads for raw in together[1:]] == [(), None]
    split = take(response(**SSE), data(first[:4]), data(first[4:] + second[:2]), data(second[2:]))
    assert [raw.reads for raw in split[1:]] == [(4,), (2, 13)]


@given(st.lists(st.integers(1, 9), max_size=60), st.lists(st.integers(0, 99), max_size=12))
def test_reads_give_the_boundaries_back(sizes: list[int], numbers: list[int]) -> None:
    body = b"".join(b'data: {"n":%d}\n\n' % number for number in numbers)
    cuts, at = [], 0
    for size in sizes:
        if at < len(body):
            cuts.append(body[at : at + size])
            at += size
    if at < len(body):
        cuts.append(body[at:])
    raws = take(response(**SSE), *(data(cut) for cut in cuts))[1:]
    boundaries, begin = [], 0
    for raw in raws:
        length = len(encode(raw.body))  # type: ignore[arg-type]
        sizes_of = (length,) if raw.reads is None else raw.reads
        if raw.reads is None:
            boundaries.append(begin + length)
        else:
            place = begin
            for size in sizes_of:
                place += size
                boundaries.append(place)
        begin += length
    expected, at = [], 0
    for cut in cuts:
        at += len(cut)
        expected.append(at)
    assert boundaries == expected


def test_after_a_unit_that_is_not_kept_to_the_byte_nothing_is_said_of_reads() -> None:
    odd = b'data: {"a" :1}\n\n'  # no style of ours writes this
    raws = take(response(**SSE), data(odd), data(b'data: {"n":1}\n\ndata: {"n":2}\n\n'))
    assert [raw.reads for raw in raws[1:]] == [None, None, None]


def test_an_encoded_body_is_recorded_as_what_it_means() -> None:
    packed = gzip.compress(b'data: {"n":1}\n\ndata: {"n":2}\n\n')
    head = response(**SSE, **{"content-encoding": "gzip", "content-length": "99", "x-a": "b"})
    raws = take(head, data(packed[:9]), data(packed[9:]), Over(11, P, "data", 1))
    assert raws[0].body == {
        "status": 200,
        "headers": {"content-type": SSE["content-type"], "x-a": "b"},
        "encoding": "gzip",
    }
    assert [raw.body.value for raw in raws[1:]] == [{"n": 1}, {"n": 2}]  # type: ignore[union-attr]


def test_what_cannot_be_decoded_is_torn_with_its_size() -> None:
    for encoding in ("gzip", "rot13"):
        head = response(**SSE, **{"content-encoding": encoding})
        raws = take(head, data(b"not packed"), data(b" at all"), Over(11, P, "data", 1))
        assert [type(raw.body) for raw in raws[1:]] == [TornUnit], encoding
        torn = raws[1].body
        assert isinstance(torn, TornUnit) and torn.size == 17


def test_a_cut_says_at_which_byte_of_the_decoded_body() -> None:
    packed = gzip.compress(b"x" * 1000)
    head = response(**{"content-encoding": "gzip"})
    cut = Fact(12, P, "cut", 1, {"by": "upstream"})
    raws = take(head, data(packed), Over(11, P, "data", 1), cut)
    assert raws[-1].body == {"by": "upstream", "at": 1000}
    assert take(cut)[-1].body == {"by": "upstream", "at": 0}


def test_a_cut_event_is_torn_before_the_cut() -> None:
    cut = Fact(12, P, "cut", 1, {"by": "client"})
    raws = take(response(**SSE), data(b'data: {"n"'), Over(11, P, "data", 1), cut)
    assert [raw.code for raw in raws] == ["response", "data", "cut"]
    assert isinstance(raws[1].body, TornUnit) and raws[1].body.cause == "cut"


def test_of_a_request_body_only_features_are_kept() -> None:
    body = msgspec.json.encode({"secret": "hunter2"})
    (raw,) = take(Asked(1, P, 1, "POST", "/v1/messages", {"a": "b"}, body))
    assert raw.body == {
        "method": "POST",
        "path": "/v1/messages",
        "headers": {"a": "b"},
        "features": {"method": "POST", "bytes": len(body)},
    }
    (raw,) = take(Asked(1, "other", 1, "POST", "/", {}, body))
    assert isinstance(raw.body, dict) and "features" not in raw.body


@given(
    st.binary(max_size=400),
    st.lists(st.integers(1, 30), max_size=40),
    st.sampled_from(["", "gzip", "br"]),
)
def test_nothing_that_comes_raises(body: bytes, sizes: list[int], encoding: str) -> None:
    messages: list[Captured] = [response(**SSE, **{"content-encoding": encoding})]
    for size in sizes:
        messages.append(data(body[:size]))
        body = body[size:]
    take(*messages, Over(11, P, "data", 1), Fact(12, P, "end", 1, {}))
