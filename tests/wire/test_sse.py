"""Server-sent events: the forms servers write, and what the world makes of them."""

from __future__ import annotations

import pytest

from turnreel.wire import JsonUnit, SseFramer, SseFraming, TextUnit, TornUnit, Unit, encode


def frames(source: bytes, limit: int = 1 << 20) -> list[Unit]:
    framer = SseFramer(limit)
    return framer.feed(source) + framer.close()


FORMS: list[tuple[str, bytes, list[Unit]]] = [
    (
        "usual",
        b'event: ping\ndata: {"a":1}\n\n',
        [JsonUnit({"a": 1}, SseFraming("ping"))],
    ),
    ("data alone", b'data: {"a":1}\n\n', [JsonUnit({"a": 1}, SseFraming())]),
    ("done mark", b"data: [DONE]\n\n", [TextUnit("[DONE]", SseFraming())]),
    (
        "no space after the colon",
        b'event:ping\ndata:{"a":1}\n\n',
        [JsonUnit({"a": 1}, SseFraming("ping", layout="event:{event}\ndata:{data}\n\n"))],
    ),
    (
        "CRLF",
        b'event: ping\r\ndata: {"a":1}\r\n\r\n',
        [JsonUnit({"a": 1}, SseFraming("ping", layout="event: {event}\r\ndata: {data}\r\n\r\n"))],
    ),
    (
        "CR",
        b"data: a\r\rdata: b\r\r",
        [
            TextUnit("a", SseFraming(layout="data: {data}\r\r")),
            TextUnit("b", SseFraming(layout="data: {data}\r\r")),
        ],
    ),
    (
        "id and retry",
        b"event: e\nid: 7\nretry: 3000\ndata: x\n\n",
        [TextUnit("x", SseFraming("e", "7", 3000))],
    ),
    (
        "id first",
        b"id: 7\nevent: e\ndata: x\n\n",
        [TextUnit("x", SseFraming("e", "7", layout="id: {id}\nevent: {event}\ndata: {data}\n\n"))],
    ),
    ("data of two lines", b"data: a\ndata: b\n\n", [TextUnit("a\nb", SseFraming())]),
    ("empty data", b"data\n\n", [TextUnit("", SseFraming(layout="data{data}\n\n"))]),
    ("comment", b": ping\n\n", [TextUnit(" ping", SseFraming(layout=":{data}\n\n"))]),
    (
        "comment in front of an event",
        b": hello\ndata: a\n\n",
        [TextUnit(" hello", SseFraming(layout=":{data}\n")), TextUnit("a", SseFraming())],
    ),
    (
        "unknown field",
        b"trace: 5\ndata: a\n\n",
        [TextUnit("trace: 5", SseFraming(layout="{data}\n")), TextUnit("a", SseFraming())],
    ),
    (
        "an event given twice",
        b"event: old\nevent: new\ndata: a\n\n",
        [TextUnit("event: old", SseFraming(layout="{data}\n")), TextUnit("a", SseFraming("new"))],
    ),
    (
        "no data",
        b"event: ping\n\n",
        [TextUnit("", SseFraming("ping", layout="event: {event}\n\n"))],
    ),
    (
        "blank lines",
        b"\ndata: a\n\n\n\n",
        [
            TextUnit("", SseFraming(layout="\n")),
            TextUnit("a", SseFraming()),
            TextUnit("", SseFraming(layout="\n")),
            TextUnit("", SseFraming(layout="\n")),
        ],
    ),
    (
        "byte order mark",
        b"\xef\xbb\xbfdata: a\n\ndata: b\n\n",
        [
            TextUnit("a", SseFraming(layout="\ufeffdata: {data}\n\n")),
            TextUnit("b", SseFraming()),
        ],
    ),
    (
        "a retry that an int would write differently",
        b"retry: 007\ndata: a\n\n",
        [TextUnit("retry: 007", SseFraming(layout="{data}\n")), TextUnit("a", SseFraming())],
    ),
    ("NUL", b"data: a\x00b\n\n", [TextUnit("a\x00b", SseFraming())]),
]


@pytest.mark.parametrize(("source", "units"), [f[1:] for f in FORMS], ids=[f[0] for f in FORMS])
def test_form_is_read_and_written_back(source: bytes, units: list[Unit]) -> None:
    assert frames(source) == units
    assert b"".join(map(encode, units)) == source


def test_ignored_line_inside_a_frame_moves_in_front_of_it() -> None:
    units = frames(b"event: e\n: note\ndata: a\n\n")
    assert units == [
        TextUnit(" note", SseFraming(layout=":{data}\n")),
        TextUnit("a", SseFraming("e")),
    ]
    assert b"".join(map(encode, units)) == b": note\nevent: e\ndata: a\n\n"


def test_layout_never_holds_a_value() -> None:
    secret = b"sekrit"
    source = (
        b": sekrit\nsekrit: sekrit\nid: sekrit\nevent: sekrit\nevent:sekrit\r\ndata: sekrit\n\n"
    )
    for unit in frames(source):
        assert isinstance(unit.framing, SseFraming)
        assert secret.decode() not in (unit.framing.layout or "")


TORN: list[tuple[str, bytes, list[Unit]]] = [
    ("broken JSON", b'event: e\ndata: {"a":\n\n', [TornUnit(22, "json", SseFraming("e"))]),
    ("bad UTF-8 in data", b"event: e\ndata: a\xff\n\n", [TornUnit(19, "utf8", SseFraming("e"))]),
    ("bad UTF-8 in the event", b"event: \xff\ndata: a\n\n", [TornUnit(18, "utf8", SseFraming())]),
    ("cut in data", b'event: e\ndata: {"a":1', [TornUnit(21, "cut", SseFraming("e"))]),
    ("cut before the blank line", b"data: [DONE]\n", [TornUnit(13, "cut", SseFraming())]),
    ("cut in the event", b"data: a\n\nevent: e", [
        TextUnit("a", SseFraming()), TornUnit(8, "cut", SseFraming()),
    ]),
    ("deep", b"data: " + b"[" * 300 + b"]" * 300 + b"\n\n", [TornUnit(608, "deep", SseFraming())]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "units"), [t[1:] for t in TORN], ids=[t[0] for t in TORN])
def test_torn_frame_keeps_size_and_cause_and_refills(source: bytes, units: list[Unit]) -> None:
    assert frames(source) == units
    filled = b"".join(map(encode, units))
    assert len(filled) == len(source)
    assert frames(filled) == units


def test_overlong_frame_is_noted_once_and_framing_goes_on() -> None:
    long = b"data: " + b"x" * 500 + b"\n\n"
    source = b"data: a\n\n" + long + b"data: b\n\n"
    expected = [
        TextUnit("a", SseFraming()),
        TornUnit(len(long), "long", SseFraming()),
        TextUnit("b", SseFraming()),
    ]
    for size in (1, 7, 100, 1000):
        framer = SseFramer(100)
        units: list[Unit] = []
        for start in range(0, len(source), size):
            units += framer.feed(source[start : start + size])
            assert len(framer._buffer) <= 100 + size
        assert units + framer.close() == expected


def test_utf16_is_noted_not_raised() -> None:
    units = frames("data: {}\n\ndata: a\n\n".encode("utf-16"))
    assert units and all(isinstance(unit, TornUnit | TextUnit) for unit in units)
