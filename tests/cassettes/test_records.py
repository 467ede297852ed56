"""Records and units are two forms of the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cassettes.making import clean
from turnreel.cassettes import records
from turnreel.cassettes.records import Record, line_of, unit_of
from turnreel.wire import (
    BodyFraming,
    Json,
    JsonUnit,
    LineFraming,
    SseFraming,
    TextUnit,
    TornUnit,
    Unit,
)

texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=10,
)
sse = st.builds(
    SseFraming, st.none() | texts, st.none() | texts, st.none() | st.integers(0), st.none() | texts
)
stdio = st.sampled_from(["\n", "\r\n", ""]).map(LineFraming)
bodies = st.just(BodyFraming())
codes = st.sampled_from(
    [
        ("out", stdio),
        ("err", stdio),
        ("data", sse),
        ("data", stdio),
        ("data", bodies),
        ("send", bodies),
    ]
)
styles = st.sampled_from(["compact", "spaced", "compact-ascii", "spaced-ascii", "other"])
causes = st.sampled_from(["utf8", "json", "cut", "long", "deep"])


@st.composite
def units(draw: st.DrawFn) -> tuple[str, Unit]:
    code, framings = draw(codes)
    framing = draw(framings)
    unit = st.one_of(
        st.builds(JsonUnit, values, st.just(framing), styles),
        st.builds(TextUnit, texts, st.just(framing)),
        st.builds(TornUnit, st.integers(0, 1 << 40), causes, st.just(framing)),
    )
    return code, draw(unit)


def reread(source: bytes) -> Record:
    us, track, code, data, *extra = json.loads(source)
    return Record(1, us, track, code, data, extra[0] if extra else {})


@given(coded=units(), us=st.integers(0))
def test_a_unit_survives_its_line(coded: tuple[str, Unit], us: int) -> None:
    code, unit = coded
    source = line_of(clean(0, unit, code), us)
    assert source.count(b"\n") == 1 and source.endswith(b"\n")
    record = reread(source)
    assert (record.at_us, record.code, unit_of(record)) == (us, code, unit)


def test_the_usual_needs_no_extra() -> None:
    unit = JsonUnit({"type": "result"}, LineFraming())
    assert line_of(clean(0, unit), 5) == b'[5,"agent","out",{"type":"result"}]\n'


def test_fields_stand_as_they_are() -> None:
    source = line_of(clean(0, {"code": 0}, "exit"), 0)
    assert source == b'[0,"agent","exit",{"code":0}]\n'


def test_exchange_and_reads() -> None:
    record = reread(
        line_of(
            clean(0, TextUnit("x", SseFraming()), "data", "provider", exchange=2, reads=(3, 4)), 0
        )
    )
    assert (record.exchange, record.reads) == (2, (3, 4))
    assert record.extra == {"n": 2, "kind": "text", "sse": {}, "reads": [3, 4]}


def test_a_torn_unit_lands_as_filler() -> None:
    source = line_of(clean(0, TornUnit(812, "cut", LineFraming(""))), 0)
    assert b"x" * 16 in source and b"x" * 17 not in source
    assert b'"torn":{"bytes":812,"class":"cut"}' in source


def test_a_record_longer_than_a_line_is_written_as_torn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "LINE_LIMIT", 200)
    unit = JsonUnit({"a": "b" * 300}, SseFraming("e"))
    source = line_of(clean(0, unit, "data", "provider", exchange=3), 0)
    assert len(source) < 200
    record = reread(source)
    assert record.exchange == 3
    assert unit_of(record) == TornUnit(359, "long", SseFraming("e"))


@pytest.mark.parametrize(
    "extra",
    [
        {"torn": 5}, {"torn": {"bytes": "x", "class": "y"}}, {"style": "rot13"}, {"sse": []},
        {"sse": {"retry": "x"}}, {"end": 7}, {"n": "x"}, {"reads": 5},
        {"kind": "video"}, {"unknown": {"a": 1}},
    ],
)  # fmt: skip
def test_wrong_extras_read_as_something_and_never_raise(extra: dict[str, Json]) -> None:
    record = Record(1, 0, "agent", "out", {"a": 1}, extra)
    assert unit_of(record) is not None
    assert record.exchange is None
    assert record.reads in (None, ())


def test_half_a_surrogate_pair_reads_as_the_replacement_character() -> None:
    assert Record(1, 0, "agent", "out", b'{"a":"\\ud83d"}').data == {"a": "\ufffd"}


def test_records_are_equal_by_content() -> None:
    decoded = Record(1, 0, "agent", "out", {"a": 1}, {"n": 1})
    assert Record(1, 0, "agent", "out", b'{"a": 1}', b'{"n":1}') == decoded
    assert Record(1, 0, "agent", "out", b'{"a":2}', b'{"n":1}') != decoded
    assert decoded != "a record"
