"""Transcripts: a track without runs, nothing private in it, and one answer under conditions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.transcripts import SESSION, TURN, asked, said, write
from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.claude_transcript.adapter import ADAPTER
from turnreel.cassettes import CassetteError, open_cassette
from turnreel.lifecycle.observations import Receipted
from turnreel.lifecycle.signals import Unreconciled
from turnreel.recorder import RecorderError
from turnreel.recorder.linting import lint
from turnreel.recorder.rows import last_rows
from turnreel.recorder.transcripts import FORM, import_transcript
from turnreel.replayer import refeed
from turnreel.wire.units import JsonUnit, LineFraming


@pytest.mark.parametrize("profile", ["strict", "fixture"])
def test_a_transcript_is_a_track_without_runs(tmp_path: Path, profile: str) -> None:
    target = tmp_path / "t.cassette.jsonl"
    source = write(tmp_path / "t.jsonl", TURN)
    import_transcript(source, target, profile="strict" if profile == "strict" else "fixture")
    cassette = open_cassette(target)
    assert [track.dialect for track in cassette.header.tracks] == ["claude-transcript"]
    assert cassette.header.agent.version == "2.1.332"
    assert cassette.header.origin.source == "transcript"
    assert any("turns" in lack for lack in cassette.header.lacks)
    assert refeed.events(cassette) == []
    records = list(cassette)
    assert len(records) == len(TURN)
    assert [record.at_us for record in records] == [0, 0, 0, 1_000_000, 2_000_000, *[3_000_000] * 2]
    assert records[2].data == {"type": "api-request-blob"}
    text = target.read_text()
    assert "canary" not in text and SESSION not in text
    assert ("All is well." in text) == (profile == "fixture")
    assert lint(target).found == ()


def test_the_same_transcript_is_the_same_cassette(tmp_path: Path) -> None:
    source = write(tmp_path / "t.jsonl", TURN)
    for name in ("1", "2"):
        import_transcript(source, tmp_path / f"{name}.cassette.jsonl")
    one, other = ((tmp_path / f"{n}.cassette.jsonl").read_bytes() for n in (1, 2))
    assert one == other
    with pytest.raises(CassetteError, match="exists already"):
        import_transcript(source, tmp_path / "1.cassette.jsonl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no session"),
        ('{"type":"user"}\n', "names no session"),
        ("not json\n", ":1: is not JSON"),
        ('{"type":"user","sessionId":"x"}\n[]\n', ":2: is no row of a transcript"),
        ('{"capture":"x","agent":"claude"}\n', ":1: is no row of a transcript"),
    ],
)
def test_what_is_no_transcript_leaves_nothing(tmp_path: Path, text: str, message: str) -> None:
    source, target = tmp_path / "t.jsonl", tmp_path / "t.cassette.jsonl"
    source.write_text(text)
    with pytest.raises(RecorderError) as caught:
        import_transcript(source, target)
    assert message in caught.value.message
    assert not target.exists()
    with pytest.raises(RecorderError, match="no such file"):
        import_transcript(tmp_path / "none.jsonl", target)


def test_a_last_row_that_was_cut_is_none(tmp_path: Path) -> None:
    source = write(tmp_path / "t.jsonl", TURN)
    source.write_text(source.read_text() + '{"type":"assis')
    target = tmp_path / "t.cassette.jsonl"
    assert import_transcript(source, target).records == len(TURN)


def told(rows: list[object]) -> list[Receipted]:
    """What the adapter says of these rows when the edge asks for the last time."""
    state = ADAPTER.begin()
    for number, row in enumerate(rows):
        unit = JsonUnit(row, LineFraming())  # type: ignore[arg-type]
        state, seen = ADAPTER.step(state, Frame("transcript", "data", number, 0, unit))
        assert seen == ()
    state, seen = ADAPTER.step(state, Edge("host", len(rows), 0, Unreconciled()))
    assert ADAPTER.step(state, Edge("host", len(rows), 0, Unreconciled())) == (state, ())
    return [one for one in seen if isinstance(one, Receipted)]


def test_the_last_message_of_a_session_is_its_answer() -> None:
    assert told(TURN) == [
        Receipted(turn="", message="msg_02", outcome="completed", text="All is well. And done.")
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [*TURN, asked(5)],
        [asked(1), said(2, "m", "x", None)],
        [asked(1), said(2, "m", "x", "tool_use")],
        [asked(1), said(2, "m", " ")],
        [asked(1), said(2, "m", "x", isApiErrorMessage=True)],
        [asked(1), said(2, "m", "x", isAbortedMidStream=True)],
        [asked(1), said(2, "m", "x", isSidechain=True)],
        [asked(1), {**said(2, "m", "x"), "sessionId": None}],
        [None, 3, {}, {"type": "assistant", "message": []}],
    ],
)
def test_anything_less_is_none(rows: list[object]) -> None:
    assert told(rows) == []


def test_each_session_has_an_end_of_its_own() -> None:
    other = {**said(9, "n", "More."), "sessionId": "another"}
    assert [one.message for one in told([*TURN, other])] == ["msg_02", "n"]


def test_the_last_rows_are_those_of_the_last_message(tmp_path: Path) -> None:
    source = write(tmp_path / "t.jsonl", TURN)
    source.write_text(source.read_text() + '{"type":"assis')
    rows = last_rows(FORM, source, 0)
    assert [row["message"]["id"] for row in rows] == ["msg_02", "msg_02"]
    assert [*last_rows(FORM, write(tmp_path / "u.jsonl", [*TURN, asked(5)]), 0)] == []
    assert [*last_rows(FORM, source, 4e9)] == []
