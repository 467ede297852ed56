"""Transcripts: a track without runs, nothing private in it, and one answer under conditions."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from tests.recorder.transcripts import SESSION, TURN, asked, said, write
from turnreel.adapters.claude_transcript.receipts import Answer, answer
from turnreel.cassettes import CassetteError, open_cassette
from turnreel.recorder import RecorderError
from turnreel.recorder.linting import lint
from turnreel.recorder.transcripts import import_transcript
from turnreel.replayer import refeed


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


def test_the_last_message_of_a_session_is_an_answer() -> None:
    found = answer(TURN, SESSION, "msg_02")
    assert found == Answer(SESSION, "msg_02", "All is well. And done.")
    assert found is not None
    receipt = found.receipt("0123456789abcdef.1", "t1")
    assert (receipt.run_id, receipt.native_turn, receipt.outcome) == (
        "0123456789abcdef.1",
        "msg_02",
        "completed",
    )
    assert receipt.text_digest == sha256(b"All is well. And done.").hexdigest()


@pytest.mark.parametrize(
    ("rows", "session", "message"),
    [
        (TURN, "another session", "msg_02"),
        (TURN, SESSION, "msg_01"),
        (TURN, SESSION, "msg_03"),
        ([*TURN, asked(5)], SESSION, "msg_02"),
        ([*TURN, said(5, "msg_03", "More.")], SESSION, "msg_02"),
        ([asked(1), said(2, "m", "x", None)], SESSION, "m"),
        ([asked(1), said(2, "m", "x", "tool_use")], SESSION, "m"),
        ([asked(1), said(2, "m", " ")], SESSION, "m"),
        ([asked(1), said(2, "m", "x", isApiErrorMessage=True)], SESSION, "m"),
        ([asked(1), said(2, "m", "x", isAbortedMidStream=True)], SESSION, "m"),
        ([asked(1), said(2, "m", "x", isSidechain=True)], SESSION, "m"),
        ([None, 3, {}, {"type": "assistant", "message": []}], SESSION, "m"),
    ],
)
def test_anything_less_is_none(rows: list[object], session: str, message: str) -> None:
    assert answer(rows, session, message) is None
