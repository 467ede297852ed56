"""Export: vcrpy plays what it can hold, and is not given what it would play wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import requests
import vcr

from tests.recorder.providers import PATH, asked, message, sse
from tests.recorder.vcrpy.sessions import ORIGIN, exchange, landed, streamed
from turnreel.cassettes import CassetteError, Existing, TrackSpec, open_cassette
from turnreel.recorder import RecorderError
from turnreel.recorder.messages import Asked, Captured, Chunk, Fact, Over
from turnreel.recorder.vcrpy.exchanges import Exchange, exchanges_of
from turnreel.recorder.vcrpy.exporting import export_vcr
from turnreel.recorder.vcrpy.importing import import_vcr
from turnreel.sanitizers import Raw
from turnreel.wire.units import Json, JsonUnit, SseFraming


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_vcrpy_plays_what_was_exported(tmp_path: Path, form: str) -> None:
    """By vcrpy itself, as it is, with nothing of ours."""
    whole = exchange(
        2,
        Chunk(2, "provider", "data", 2, json.dumps(message("Blue.", 2)).encode()),
        Over(2, "provider", "data", 2),
        Fact(2, "provider", "end", 2, {}),
        media_type="application/json",
    )
    source = landed(tmp_path, *streamed(1, sse("Red.")), *whole)
    target = tmp_path / f"session.{form}"
    done = export_vcr(source, target)
    assert (done.interactions, done.lost) == (2, ())
    with vcr.VCR(serializer=form, record_mode="none").use_cassette(str(target)) as tape:
        first = requests.post(ORIGIN + PATH, json=asked("red", stream=True), timeout=5)
        second = requests.post(ORIGIN + PATH, json=asked("blue"), timeout=5)
        assert tape.all_played
    assert first.headers["content-type"] == "text/event-stream" and first.reason == "OK"
    assert [line for line in first.text.splitlines() if "text_delta" in line and "Red." in line]
    assert first.text.count("\n\n") == sse("Red.").count(b"\n\n")
    assert second.json()["content"] == [{"type": "text", "text": "Blue."}]


def test_export_and_import_keep_all_but_times(tmp_path: Path) -> None:
    source = landed(tmp_path, *streamed(1, sse("Red.")), *streamed(2, sse("Green.", 2)))
    export_vcr(source, tmp_path / "session.yaml")
    back = tmp_path / "back.cassette.jsonl"
    import_vcr(tmp_path / "session.yaml", back)
    before, after = list(open_cassette(source)), list(open_cassette(back))
    assert [(r.track, r.code, r.exchange, r.data) for r in before] == [
        (r.track, r.code, r.exchange, r.data) for r in after
    ]
    assert open_cassette(back).header.tracks == open_cassette(source).header.tracks


CUT = streamed(1, sse("Red.")[:-60], "cut")
OPEN = exchange(2, Chunk(2, "provider", "data", 2, sse("Red.")))
UNANSWERED: list[Captured] = [
    Asked(3, "provider", 3, "POST", PATH, {}, b"{}"),
    Fact(3, "provider", "cut", 3, {"by": "upstream"}),
]
SOCKET: list[Captured] = [
    Fact(4, "provider", "open", 4, {"path": "/v1/responses", "headers": {}}),
    Chunk(4, "provider", "send", 4, b"{}"),
    Fact(4, "provider", "close", 4, {"code": 1000, "by": "client"}),
]
UNREADABLE = streamed(5, b'data: {"type":\n\n')


@pytest.mark.parametrize(
    ("told", "loss", "left"),
    [
        (CUT, "exchange 1: it was cut after ", 1),
        (OPEN, "exchange 2: it has no end", 1),
        (UNANSWERED, "exchange 3: it was cut after 0 bytes", 0),
        (SOCKET, "exchange 4: it is a websocket", 0),
        (UNREADABLE, "exchange 5: 1 of its events could not be read", 1),
    ],
    ids=["cut", "open", "unanswered", "websocket", "unreadable"],
)
def test_what_vcrpy_would_play_wrongly_is_refused_unless_told(
    tmp_path: Path, told: list[Captured], loss: str, left: int
) -> None:
    source = landed(tmp_path, *told, *streamed(9, sse("Red.")))
    target = tmp_path / "session.yaml"
    with pytest.raises(RecorderError) as caught:
        export_vcr(source, target)
    assert loss in caught.value.message and "--lossy" in caught.value.remedy
    assert not target.exists()
    done = export_vcr(source, target, losses="accept")
    assert done.interactions == 1 + left
    assert len(done.lost) == 1 and loss in done.lost[0]
    assert ("left out" in done.lost[0]) == (left == 0)


def test_a_dialect_and_a_stream_are_known_again(tmp_path: Path) -> None:
    """Also where the path does not tell the dialect, nor a header the form of the body."""
    track = TrackSpec(id="agent", carrier="http", dialect="hermes-runs")
    asking: dict[str, Json] = {"method": "GET", "path": "/v1/runs/run_1/events", "headers": {}}
    answer: dict[str, Json] = {"status": 200, "headers": {}}
    event: dict[str, Json] = {"event": "run.failed", "run_id": "run_1"}
    source = landed(
        tmp_path,
        Raw(0, "agent", "request", asking, 1),
        Raw(0, "agent", "response", answer, 1),
        Raw(0, "agent", "data", JsonUnit(event, SseFraming()), 1),
        Raw(0, "agent", "end", {}, 1),
        tracks=(track,),
    )
    export_vcr(source, tmp_path / "session.yaml")
    import_vcr(tmp_path / "session.yaml", tmp_path / "back.cassette.jsonl")
    back = open_cassette(tmp_path / "back.cassette.jsonl")
    assert [track.dialect for track in back.header.tracks] == ["hermes-runs"]
    before, after = (
        next(record for record in open_cassette(path) if record.code == "data")
        for path in (source, back.path)
    )
    assert (before.data, before.extra) == (after.data, after.extra)


def test_nothing_is_overwritten_and_nothing_empty_is_written(tmp_path: Path) -> None:
    source = landed(tmp_path, *streamed(1, sse("Red.")))
    target = tmp_path / "precious.yaml"
    target.write_text("mine")
    with pytest.raises(RecorderError, match="exists already"):
        export_vcr(source, target)
    assert target.read_text() == "mine"
    export_vcr(source, target, existing=Existing.REPLACE)
    assert "interactions:" in target.read_text()
    with pytest.raises(RecorderError, match="no such file"):
        export_vcr(source, tmp_path / "no folder" / "x.yaml")
    with pytest.raises(CassetteError):
        export_vcr(target, tmp_path / "x.yaml")
    (tmp_path / "unanswered").mkdir()
    unanswered = landed(tmp_path / "unanswered", *UNANSWERED)
    with pytest.raises(RecorderError, match="vcrpy can hold nothing of it"):
        export_vcr(unanswered, tmp_path / "x.yaml", losses="accept")
    agent = TrackSpec(id="agent", carrier="stdio", dialect="claude-stream-json")
    (tmp_path / "prose").mkdir()
    prose = landed(tmp_path / "prose", Chunk(0, "agent", "out", None, b"Hi\n"), tracks=(agent,))
    with pytest.raises(RecorderError, match="holds no exchange with a provider"):
        export_vcr(prose, tmp_path / "x.yaml")
    assert not (tmp_path / "x.yaml").exists()


LIBRARY = Path(__file__).parents[3] / "cassettes" / "library"


def recorded_exchanges() -> list[Path]:
    """Of each agent and version, the first few recordings that hold exchanges."""
    found: list[Path] = []
    for folder in sorted({path.parent for path in LIBRARY.rglob("*.cassette.jsonl")}):
        having = [
            path
            for path in sorted(folder.glob("*.cassette.jsonl"))
            if any(track.carrier == "http" for track in open_cassette(path).header.tracks)
        ]
        found += having[:3]
    return found


@pytest.mark.parametrize("path", recorded_exchanges(), ids=lambda path: path.name.split(".")[0])
def test_what_agents_really_streamed_goes_to_vcrpy_and_back(path: Path, tmp_path: Path) -> None:
    """Event by event. What a policy of the provider alone does not list is masked on the way."""
    target, back = tmp_path / "session.yaml", tmp_path / "back.cassette.jsonl"
    done = export_vcr(path, target, losses="accept")
    import_vcr(target, back, profile=open_cassette(path).header.profile)
    before = [one for one in exchanges_of(open_cassette(path)) if one.status is not None]
    after = list(exchanges_of(open_cassette(back)))
    assert len(before) == len(after) == done.interactions
    for one, other in zip(before, sorted(after, key=lambda one: one.number), strict=False):
        assert (one.method, one.status, one.features) == (
            other.method,
            other.status,
            other.features,
        )
        assert len(framed(one)) == len(framed(other))


def framed(one: Exchange) -> list[bytes]:
    """The frames of a body."""
    return one.body.split(b"\n\n")
