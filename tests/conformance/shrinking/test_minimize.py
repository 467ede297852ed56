"""Minimizing recordings on disk: what must stay stays, what is left is a valid cassette."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.sessions import AGENT as AGENT_TRACK
from tests.conformance.sessions import (
    ANSWERED,
    EXIT,
    PROMPT,
    UNRECONCILED,
    Row,
    assistant,
    call,
    init,
    result,
    text,
    tool_result,
    write,
)
from tests.conformance.sessions import HOST as HOST_TRACK
from tests.conformance.sessions import PROVIDER as PROVIDER_TRACK
from turnreel.cassettes import CassetteError, Existing, open_cassette, unit_of
from turnreel.conformance.errors import ConformanceError
from turnreel.conformance.goldens import turn_text
from turnreel.conformance.shrinking import Shrunk, minimize
from turnreel.conformance.verify import verify
from turnreel.lifecycle import tables
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.linting import lint
from turnreel.replayer import refeed
from turnreel.wire import encode

LIBRARY = Path(__file__).parents[3] / "cassettes" / "library"
SAMPLE = sorted(LIBRARY.rglob("*.cassette.jsonl"))[::24]


def exchange(number: int, words: str, *, whole: bool = True) -> tuple[Row, ...]:
    """An exchange of the provider; one that is not whole was cut at its last byte."""
    extra = {"n": number}
    data = {"type": "content_block_delta", "index": 0, "delta": {"type": "text", "text": words}}
    size = len(f'event: e\ndata: {{"type":"content_block_delta","index":0,"delta":{{"type":"text",'
               f'"text":"{words}"}}}}\n\n')  # fmt: skip
    units: tuple[Row, ...] = (("provider", "data", data, {**extra, "sse": {"event": "e"}}),) * 2
    end: Row = ("provider", "end", {}, extra)
    if not whole:
        end = ("provider", "cut", {"by": "unknown", "at": 2 * size}, extra)
    return (
        ("provider", "request", {"method": "POST", "path": "/v1/messages"}, extra),
        ("provider", "response", {"status": 200, "headers": []}, extra),
        *units,
        end,
    )


def shrunk(path: Path, **wanted: object) -> tuple[Shrunk, Path]:
    target = path.with_name("less.cassette.jsonl")
    return minimize(path, target, existing=Existing.REPLACE, **wanted), target  # type: ignore[arg-type]


def turn_of(path: Path) -> str:
    return turn_text(refeed.events(open_cassette(path)))


@pytest.mark.parametrize("source", SAMPLE, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_recording_without_fault_keeps_its_turn_under_every_sweep(
    source: Path, tmp_path: Path
) -> None:
    target = tmp_path / source.name
    less = minimize(source, target)
    golden = source.with_name(source.name.replace(".cassette.jsonl", ".turn"))
    assert (less.is_least, less.is_kept) == (True, True)
    assert less.records <= less.of_records
    was_least = open_cassette(source).header.minimized_from is not None
    assert less.characters < less.of_characters or was_least
    target.with_name(golden.name).write_text(golden.read_text(encoding="utf-8"), encoding="utf-8")
    assert verify([target], jobs=1).ok
    assert [found for found in lint(target).found if found.level == "error"] == []


def test_the_same_cassette_gives_the_same_bytes(tmp_path: Path) -> None:
    path = write(tmp_path / "session.cassette.jsonl", ANSWERED)
    _, target = shrunk(path)
    once = target.read_bytes()
    _, target = shrunk(path)
    assert target.read_bytes() == once
    header = open_cassette(target).header
    assert header.minimized_from == open_cassette(path).header.id


def test_the_least_of_the_least_is_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "session.cassette.jsonl", ANSWERED)
    _, target = shrunk(path)
    again = minimize(target, tmp_path / "again.cassette.jsonl")
    assert (again.records, again.characters) == (again.of_records, again.of_characters)
    first, second = (
        open_cassette(one).header for one in (target, tmp_path / "again.cassette.jsonl")
    )
    assert second.minimized_from == first.minimized_from


def test_a_clause_that_fails_goes_on_failing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tables.COUPLING, "run ends otherwise", tables.Effect(message="cut_off"))
    rows = (
        PROMPT, init(),
        assistant("m1", "u1", text("I'll read the report first.")),
        assistant("m1", "u2", call("x1")),
        tool_result("x1", "u3"),
        assistant("m2", "u4", call("x2")),
        assistant("m3", "u5", text("The total of the whole report is 42.")),
        result("The total of the whole report is 42."),
        EXIT, UNRECONCILED,
    )  # fmt: skip
    less, target = shrunk(write(tmp_path / "session.cassette.jsonl", rows))
    assert less.verdict.clauses == {"T9"}
    assert list(less.verdict.lines()) == ["T9 fails"]
    assert not less.is_kept
    assert less.records <= 3
    found = verify([target], jobs=1, sweeps=()).results[0].findings
    assert {one.clause for one in found if one.check == "contract"} == {"T9"}


def test_what_only_a_sweep_breaks_goes_on_breaking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(tables.RUN, ("settling", "unreconciled"))
    less, target = shrunk(write(tmp_path / "session.cassette.jsonl", ANSWERED))
    broken = {("cancel", "T7"), ("cut", "T4")}
    assert (less.verdict.clauses, less.verdict.swept) == (set(), broken)
    assert list(less.verdict.lines())[1] == "T4 fails when swept: cut"
    assert less.records == 1
    found = verify([target], jobs=1).results[0].findings
    assert {(one.check, one.clause) for one in found} == {*broken, ("golden", "")}


def test_an_exchange_goes_as_a_whole_or_stays_framed(tmp_path: Path) -> None:
    rows = (*exchange(1, "gone"), *exchange(2, "kept", whole=False), *ANSWERED)
    tracks = (AGENT_TRACK, PROVIDER_TRACK, HOST_TRACK)
    path = write(tmp_path / "session.cassette.jsonl", rows, *tracks)
    _, target = shrunk(path)
    assert [track.id for track in open_cassette(target).header.tracks] == ["agent", "host"]
    _, target = shrunk(path, keep=[8])
    left = [one for one in open_cassette(target) if one.track == "provider"]
    assert [one.code for one in left] == ["request", "response", "data", "cut"]
    (was,) = (one.data for one in open_cassette(path) if one.code == "cut")
    now = left[-1].data
    assert isinstance(was, dict) and isinstance(now, dict)
    assert int(str(was["at"])) - int(str(now["at"])) == len(encode(unit_of(left[2])))


def test_what_is_to_be_kept_stays_as_it_was(tmp_path: Path) -> None:
    path = write(tmp_path / "session.cassette.jsonl", ANSWERED)
    whole = tmp_path / "whole.cassette.jsonl"
    assert minimize(path, whole, keep=range(1, 10)).records == 9
    _, target = shrunk(whole, keep=[2, 8])
    kept = [one.data for one in open_cassette(whole) if one.number in (2, 8)]
    assert all(data in [one.data for one in open_cassette(target)] for data in kept)
    with pytest.raises(ConformanceError, match="has 9 records"):
        minimize(path, tmp_path / "other.cassette.jsonl", keep=[10])


def test_the_search_ends_where_its_effort_does(tmp_path: Path) -> None:
    path = write(tmp_path / "session.cassette.jsonl", ANSWERED)
    moved: list[tuple[int, int]] = []
    less, target = shrunk(path, effort=60, on_progress=lambda *step: moved.append(step))
    assert not less.is_least
    assert turn_of(target) == turn_of(path)
    assert moved[-1] == (60, 60)
    assert moved == sorted(moved)


def test_mistakes_are_said_before_the_search(tmp_path: Path) -> None:
    path = write(tmp_path / "session.cassette.jsonl", ANSWERED)
    with pytest.raises(CassetteError, match="exists already"):
        minimize(path, path)
    cut = write(tmp_path / "cut.cassette.jsonl", ANSWERED, sealed=False)
    with pytest.raises(RecorderError, match="has no seal"):
        minimize(cut, tmp_path / "less.cassette.jsonl")
    nothing = write(tmp_path / "nothing.cassette.jsonl", ())
    with pytest.raises(ConformanceError, match="no run comes out of it"):
        minimize(nothing, tmp_path / "less.cassette.jsonl")
