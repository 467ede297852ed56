"""Lines of a stdio stream."""

from __future__ import annotations

import pytest

from turnreel.wire import JsonUnit, LineFramer, LineFraming, TextUnit, TornUnit, Unit, encode

LF, CRLF, END = LineFraming("\n"), LineFraming("\r\n"), LineFraming("")


def lines(source: bytes, limit: int = 1 << 20) -> list[Unit]:
    framer = LineFramer(limit)
    return framer.feed(source) + framer.close()


READ: list[tuple[str, bytes, list[Unit]]] = [
    ("object", b'{"type":"x"}\n', [JsonUnit({"type": "x"}, LF)]),
    ("array", b"[1,2]\n", [JsonUnit([1, 2], LF)]),
    ("spaced", b'{"a": 1, "b": [2, 3]}\n', [JsonUnit({"a": 1, "b": [2, 3]}, LF, "spaced")]),
    ("escaped", b'{"a":"\\u00e9"}\n', [JsonUnit({"a": "é"}, LF, "compact-ascii")]),
    ("spaced and escaped", b'{"a": "\\u00e9"}\n', [JsonUnit({"a": "é"}, LF, "spaced-ascii")]),
    ("UTF-8", '{"a":"é漢"}\n'.encode(), [JsonUnit({"a": "é漢"}, LF)]),
    ("CRLF", b'{"a":1}\r\nx\r\n', [JsonUnit({"a": 1}, CRLF), TextUnit("x", CRLF)]),
    ("no newline at the end", b'{"a":1}', [JsonUnit({"a": 1}, END)]),
    ("a number is text", b"17\n", [TextUnit("17", LF)]),
    ("log line in brackets", b"[info] up\n", [TextUnit("[info] up", LF)]),
    ("empty line", b"\n\n", [TextUnit("", LF), TextUnit("", LF)]),
    ("lone CR", b"50%\r100%\n", [TextUnit("50%\r100%", LF)]),
    ("NUL", b"a\x00b\n", [TextUnit("a\x00b", LF)]),
    ("text at the end", b"bye", [TextUnit("bye", END)]),
]


@pytest.mark.parametrize(("source", "units"), [r[1:] for r in READ], ids=[r[0] for r in READ])
def test_line_is_read_and_written_back(source: bytes, units: list[Unit]) -> None:
    assert lines(source) == units
    assert b"".join(map(encode, units)) == source


TORN: list[tuple[str, bytes, list[Unit]]] = [
    ("broken JSON", b'{"a":\n', [TornUnit(5, "json", LF)]),
    ("two documents", b'{"a":1}{"b":2}\r\n', [TornUnit(14, "json", CRLF)]),
    ("bad UTF-8 in JSON", b'{"a":"\xff"}\n', [TornUnit(9, "utf8", LF)]),
    ("bad UTF-8 in text", b"caf\xe9\n", [TornUnit(4, "utf8", LF)]),
    ("cut JSON", b'{"a":"b', [TornUnit(7, "cut", END)]),
    ("cut inside a character", '{"a":"é'.encode()[:-1], [TornUnit(7, "cut", END)]),
    ("text cut inside a character", "né".encode()[:-1], [TornUnit(2, "cut", END)]),
    ("bad UTF-8 at the end", b"caf\xe9 x", [TornUnit(6, "utf8", END)]),
    ("deep", b"[" * 201 + b"]" * 201 + b"\n", [TornUnit(402, "deep", LF)]),
    ("deep and broken", b'{"a":' * 100_000 + b"\n", [TornUnit(500_000, "deep", LF)]),
    ("a number beyond any float", b"[1e999]\n", [TornUnit(7, "json", LF)]),
    ("NaN", b'{"a":NaN}\n', [TornUnit(9, "json", LF)]),
]


@pytest.mark.parametrize(("source", "units"), [t[1:] for t in TORN], ids=[t[0] for t in TORN])
def test_torn_line_keeps_size_and_cause_and_refills(source: bytes, units: list[Unit]) -> None:
    assert lines(source) == units
    filled = b"".join(map(encode, units))
    assert len(filled) == len(source)
    refilled = lines(filled)
    # A cut text refills as a cut document: equal in size and cause, which is all that is known.
    assert refilled == units


def test_depth_at_the_bound_is_read() -> None:
    (unit,) = lines(b"[" * 200 + b"]" * 200)
    assert isinstance(unit, JsonUnit)


def test_many_brackets_are_not_depth() -> None:
    (unit,) = lines(b"[" + b"[]," * 1000 + b"[]]")
    assert isinstance(unit, JsonUnit)


def test_half_a_surrogate_pair_reads_as_the_replacement_character() -> None:
    (unit,) = lines(b'{"a":"x\\ud83d","b":"\\\\ud83d","c":"\\ud83d\\ude00"}\n')
    assert unit == JsonUnit({"a": "x\ufffd", "b": "\\ud83d", "c": "😀"}, LF, "other")


def test_byte_order_mark_and_indent_are_read_over() -> None:
    assert lines(b'\xef\xbb\xbf{"a":1}\n  {"b":2}\n') == [
        JsonUnit({"a": 1}, LF, "other"),
        JsonUnit({"b": 2}, LF, "other"),
    ]


def test_overlong_line_is_noted_once_and_framing_goes_on() -> None:
    source = b"a\n" + b"x" * 500 + b"\r\nb\n" + b"y" * 101 + b"\n" + b"z" * 100 + b"\r\n"
    expected = [
        TextUnit("a", LF),
        TornUnit(500, "long", CRLF),
        TextUnit("b", LF),
        TornUnit(101, "long", LF),
        TextUnit("z" * 100, CRLF),
    ]
    for size in (1, 7, 100, 1000):
        framer = LineFramer(100)
        units: list[Unit] = []
        for start in range(0, len(source), size):
            units += framer.feed(source[start : start + size])
            assert len(framer._pending) <= 101 + size
        assert units + framer.close() == expected


def test_utf16_is_noted_not_raised() -> None:
    units = lines('{"a":1}\n{"b":2}\n'.encode("utf-16"))
    assert units and all(isinstance(unit, TornUnit | TextUnit) for unit in units)
