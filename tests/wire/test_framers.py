"""Laws that hold for every framer and any bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from turnreel.wire import (
    BodyFramer,
    Framer,
    JsonUnit,
    LineFramer,
    SseFramer,
    TornUnit,
    Unit,
    encode,
    framer_for,
)

LIMIT = 64
FRAMERS: list[Callable[[], Framer]] = [
    lambda: SseFramer(LIMIT),
    lambda: LineFramer(LIMIT),
    lambda: BodyFramer(LIMIT),
]

PIECES = [
    b"event: ", b"data: ", b"data:", b"data", b"id: 7", b"retry: 10", b": note", b"other: x",
    b"\n", b"\r\n", b"\r", b"\n\n", b"\r\n\r\n", b"\r\r", b"\xef\xbb\xbf", b"\xff", b"\x00",
    b"[DONE]", b'{"a":1}', b'{"a": "\xc3\xa9"}', b'{"a":', b"[1, 2]",
    b"\xf0\x9f\x98\x80", b"x" * 70, b"event: e\ndata: {}\n\n",
]  # fmt: skip

streams = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join), st.binary(max_size=200)
)


def run(framer: Framer, chunks: list[bytes]) -> list[Unit]:
    units = [unit for chunk in chunks for unit in framer.feed(chunk)]
    return units + framer.close()


def cut_at(source: bytes, places: list[int]) -> list[bytes]:
    marks = [0, *sorted(place % (len(source) + 1) for place in places), len(source)]
    return [source[a:b] for a, b in pairwise(marks)]


@pytest.mark.parametrize("make", FRAMERS, ids=["sse", "lines", "body"])
@given(source=streams, places=st.lists(st.integers(0, 4000), max_size=12))
@example(source=b"data: a\r\n\r\ndata: b\r\r\n\n", places=[8, 9, 10, 11])
@example(source=b"\n\n\r\rdata: x\r\n\r", places=[])
@example(source=b"\n\n\n" + b"x" * 70, places=[1])
@example(source=b"\xef\xbb\xbf\n" + b"x" * 70, places=[1, 4])
def test_any_chunking_gives_the_same_units(
    make: Callable[[], Framer], source: bytes, places: list[int]
) -> None:
    """R3."""
    whole = run(make(), [source])
    assert run(make(), cut_at(source, places)) == whole
    assert run(make(), [bytes([byte]) for byte in source]) == whole


@pytest.mark.parametrize("make", FRAMERS, ids=["sse", "lines", "body"])
@given(source=streams)
def test_closed_framer_is_as_new(make: Callable[[], Framer], source: bytes) -> None:
    framer = make()
    assert run(framer, [source]) == run(framer, [source])


@pytest.mark.parametrize("make", [FRAMERS[1], FRAMERS[2]], ids=["lines", "body"])
@given(source=streams)
def test_what_was_read_is_written_back_exactly(make: Callable[[], Framer], source: bytes) -> None:
    units = run(make(), [source])
    written = b"".join(map(encode, units))
    if not any(isinstance(unit, TornUnit) or style(unit) == "other" for unit in units):
        assert written == source
    if not any(style(unit) == "other" for unit in units):
        assert len(written) == len(source)
        assert run(make(), [written]) == units


@given(source=streams)
@example(source=b"data: \r: note\n\n")
def test_events_are_written_back_as_they_would_be_read(source: bytes) -> None:
    assume(b"\xef\xbb\xbf" not in source[1:])  # moved to the start, it would be read over
    units = run(SseFramer(1 << 20), [source])
    written = b"".join(map(encode, units))
    again = run(SseFramer(1 << 20), [written])
    assert [dispatched(unit) for unit in again if is_event(unit)] == [
        dispatched(unit) for unit in units if is_event(unit)
    ]


lines_of_events = st.sampled_from(
    [
        b"event: e", b"event:e", b"id: 7", b"id:8", b"retry: 10",
        b'data: {"a":1}', b"data:[1]", b"data: a b", b"data",
    ]
)  # fmt: skip


@given(
    frames=st.lists(
        st.tuples(
            st.lists(lines_of_events, min_size=1, max_size=5, unique_by=lambda line: line[:3]),
            st.sampled_from([b"\n", b"\r\n", b"\r"]),
        ),
        max_size=6,
    )
)
def test_well_formed_events_are_written_back_exactly(
    frames: list[tuple[list[bytes], bytes]],
) -> None:
    source = b"".join(b"".join(line + end for line in lines) + end for lines, end in frames)
    units = run(SseFramer(), [source])
    assert b"".join(map(encode, units)) == source
    assert sum(map(is_event, units)) == sum(
        any(line.startswith(b"data") for line in lines) for lines, _ in frames
    )


texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=20,
).map(lambda value: [value])  # fmt: skip


@given(value=json_values, ascii_only=st.booleans(), spaced=st.booleans())
def test_whatever_python_writes_comes_back_exactly(
    value: list[object], ascii_only: bool, spaced: bool
) -> None:
    separators = (", ", ": ") if spaced else (",", ":")
    line = json.dumps(value, ensure_ascii=ascii_only, separators=separators).encode() + b"\n"
    (unit,) = run(LineFramer(), [line])
    assert isinstance(unit, JsonUnit)
    assert unit.value == value
    assert unit.style == "other" or encode(unit) == line


@pytest.mark.parametrize(
    ("media_type", "framer"),
    [
        ("text/event-stream; charset=utf-8", SseFramer),
        ("Text/Event-Stream", SseFramer),
        ("application/x-ndjson", LineFramer),
        ("application/json", BodyFramer),
        (None, BodyFramer),
    ],
)
def test_media_type_chooses_the_framer(media_type: str | None, framer: type) -> None:
    assert type(framer_for(media_type)) is framer


def style(unit: Unit) -> str | None:
    return unit.style if isinstance(unit, JsonUnit) else None


def is_event(unit: Unit) -> bool:
    """Whether a reader of the standard would see it."""
    layout = getattr(unit.framing, "layout", None)
    return not isinstance(unit, TornUnit) and (
        layout is None or "data" in layout.replace("{data}", "")
    )


def dispatched(unit: Unit) -> object:
    data = unit.value if isinstance(unit, JsonUnit) else getattr(unit, "text", None)
    return getattr(unit.framing, "event", None), getattr(unit.framing, "id", None), data
