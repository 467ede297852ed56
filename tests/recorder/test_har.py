"""HAR files as browsers write them: what is in them lands, and what is not is said."""

from __future__ import annotations

import asyncio
import base64
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.recorder.mutations import mutated
from tests.recorder.providers import KEY, PATH, asked, events, message, sse
from turnreel.cassettes import CassetteError, Existing, Record, open_cassette
from turnreel.conformance.verify import verify
from turnreel.recorder import RecorderError
from turnreel.recorder.har import import_har
from turnreel.recorder.linting import lint
from turnreel.replayer.client import fetch
from turnreel.replayer.plan import make_plan
from turnreel.replayer.server import serving

START = 1_767_225_600  # 2026-01-01T00:00:00Z
ANTHROPIC = f"https://api.anthropic.com{PATH}"


def moment(seconds: float) -> str:
    """So many seconds after the first entry, as browsers write it."""
    return f"2026-01-01T00:00:{seconds:06.3f}Z"


def entry(
    body: Any = None,
    *,
    at: float = 0.0,
    url: str = ANTHROPIC,
    status: int = 200,
    media_type: str = "text/event-stream",
    request: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """An entry whose answer came after 100 ms and took 400 ms."""
    text = body.decode() if isinstance(body, bytes) else body
    content: dict[str, Any] = {"size": len(text or ""), "mimeType": media_type}
    if text is not None:
        content["text"] = text
    sent = json.dumps(request or asked("red", stream=True))
    post = {"mimeType": "application/json", "text": sent}
    return {
        "startedDateTime": moment(at),
        "time": 500.0,
        "request": {
            "method": "POST",
            "url": url,
            "httpVersion": "h2",
            "headers": [
                {"name": ":authority", "value": "api.anthropic.com"},
                {"name": "X-Api-Key", "value": KEY},
                {"name": "Cookie", "value": "session=canary"},
            ],
            "postData": post,
        },
        "response": {
            "status": status,
            "headers": [
                {"name": "Content-Type", "value": media_type},
                {"name": "Content-Encoding", "value": "br"},
            ],
            "content": content,
            **more.pop("response", {}),
        },
        "timings": {"blocked": -1, "send": 0.1, "wait": 99.9, "receive": 400.0},
        **more,
    }


def write(folder: Path, *entries: Any) -> Path:
    path = folder / "session.har"
    log = {"version": "1.2", "creator": {"name": "WebInspector"}, "pages": [], "entries": entries}
    path.write_text(json.dumps({"log": log}, indent=2))
    return path


def imported(path: Path, **options: Any) -> list[Record]:
    target = path.with_name("out.cassette.jsonl")
    import_har(path, target, existing=Existing.REPLACE, **options)
    return list(open_cassette(target))


def test_providers_exchanges_land_clean_split_and_timed(tmp_path: Path) -> None:
    whole = json.dumps(message("You said blue", 2))
    path = write(
        tmp_path,
        entry("<html>canary</html>", url="https://example.com/", media_type="text/html"),
        entry(sse("You said red"), at=1.0),
        entry(whole, at=3.0, media_type="application/json", request=asked("blue")),
    )
    target = tmp_path / "session.cassette.jsonl"
    sealed = import_har(path, target, profile="fixture")
    assert sealed.note == "exchanges with others, left out: 1"
    header, records = open_cassette(target).header, list(open_cassette(target))
    assert (header.origin.source, header.tracks[0].endpoint) == ("har", "https://api.anthropic.com")
    assert "timing synthesized" in header.lacks
    first = [record for record in records if record.exchange == 1]
    count = len(events("You said red"))
    assert [record.code for record in first] == ["request", "response", *["data"] * count, "end"]
    began = first[0].at_us
    assert [record.at_us - began for record in first[:2]] == [0, 100_000]
    spread = [record.at_us - began - 100_000 for record in first[2:-1]]
    assert spread == [400_000 * n // count for n in range(1, count + 1)]
    assert first[-1].at_us - began == 500_000
    assert records[-1].at_us - began == 2_500_000
    assert all(record.reads is None for record in records)
    answer = records[-3].data
    assert isinstance(answer, dict) and answer["encoding"] == "br"  # and the body is as it was
    text = target.read_text()
    assert "canary" not in text.lower() and "example.com" not in text and KEY[:12] not in text
    assert ":authority" not in text
    assert lint(target).found == () and verify([target]).ok
    assert "You said" not in "".join(map(str, (r.data for r in imported(path))))  # strict is usual


def test_it_is_served_and_found_by_features(tmp_path: Path) -> None:
    target = tmp_path / "session.cassette.jsonl"
    path = write(
        tmp_path,
        entry(sse("You said red")),
        entry(sse("You said green", 3), at=2, request=asked("a", "b", "c", stream=True)),
    )
    import_har(path, target, profile="fixture")

    async def ask() -> list[bytes]:
        found = []
        async with serving(target, make_plan([], pacing="max")) as server:
            for body in (asked("x", "y", "z", stream=True), asked("x", stream=True)):
                got = await fetch(server.url, PATH, body=json.dumps(body).encode())
                found.append(got.body)
        return found

    green, red = asyncio.run(ask())
    assert b" green" in green and b" red" in red


def test_websocket_messages_are_sent_and_received(tmp_path: Path) -> None:
    said = {"type": "response.create", "model": "gpt-5.1", "input": []}
    told = {"type": "response.created", "response": {"id": "resp_canary1", "object": "response"}}
    messages = [
        {"type": "send", "time": START + 0.6, "opcode": 1, "data": json.dumps(said)},
        {"type": "receive", "time": START + 0.8, "opcode": 9, "data": ""},
        {"type": "receive", "time": START + 0.9, "opcode": 1, "data": json.dumps(told)},
        {
            "type": "receive",
            "time": START + 0.95,
            "opcode": 2,
            "data": base64.b64encode(json.dumps(told).encode()).decode(),
        },
    ]
    url = "wss://api.openai.com/v1/responses"
    path = write(tmp_path, entry(None, url=url, status=101, _webSocketMessages=messages))
    records = imported(path)
    assert [(record.code, record.at_us) for record in records] == [
        ("open", 0),
        ("send", 600_000),
        ("receive", 900_000),
        ("receive", 950_000),
        ("cut", 950_000),
    ]
    assert "canary" not in str(records[2].data)
    assert open_cassette(tmp_path / "out.cassette.jsonl").header.tracks[0].dialect == (
        "openai-responses"
    )


@pytest.mark.parametrize(
    ("wrong", "codes", "by"),
    [
        ({"response": {"_error": "net::ERR_ABORTED"}}, "request response data cut", "client"),
        ({"response": {"_error": "net::ERR_FAILED"}}, "request response data cut", "unknown"),
        ({"status": 0}, "request cut", "unknown"),
    ],
)
def test_what_was_broken_off_is_a_cut(
    tmp_path: Path, wrong: dict[str, Any], codes: str, by: str
) -> None:
    records = imported(write(tmp_path, entry(b"data: {}\n\n", **wrong)))
    assert [record.code for record in records] == codes.split()
    assert isinstance(records[-1].data, dict) and records[-1].data["by"] == by


def test_a_body_that_was_not_kept_is_no_empty_answer(tmp_path: Path) -> None:
    bare = entry(None)
    bare["response"]["content"]["size"] = 300
    records = imported(write(tmp_path, bare, entry(b"data: {}\n\n", at=2)))
    assert [record.code for record in records[:3]] == ["request", "response", "cut"]
    lacks = open_cassette(tmp_path / "out.cassette.jsonl").header.lacks
    assert "bodies of answers: 1" in lacks


def test_overlapping_exchanges_keep_their_durations(tmp_path: Path) -> None:
    path = write(tmp_path, entry(sse("Red."), at=0), entry(sse("Blue.", 2), at=0.2))
    records = imported(path)
    times = {
        (record.exchange, record.code): record.at_us
        for record in records
        if record.code in ("request", "response", "end")
    }
    assert times == {
        (1, "request"): 0,
        (1, "response"): 100_000,
        (1, "end"): 500_000,
        (2, "request"): 500_000,
        (2, "response"): 600_000,
        (2, "end"): 1_000_000,
    }


@pytest.mark.parametrize("started", ["", "yesterday", "1970-01-01T00:00:00Z", "9999-01-01"])
def test_a_clock_that_was_set_moves_nothing(tmp_path: Path, started: str) -> None:
    odd = entry(sse("Blue.", 2), time=-1, timings={"receive": -1})
    odd["startedDateTime"] = started
    records = imported(write(tmp_path, entry(sse("Red.")), odd))
    assert records[-1].at_us == 500_000


def test_bodies_in_base64_are_decoded(tmp_path: Path) -> None:
    packed = base64.b64encode(sse("Red.")).decode()
    coded = entry(packed)
    coded["response"]["content"]["encoding"] = "base64"
    assert [r.data for r in imported(write(tmp_path, coded)) if r.code == "data"] == [
        r.data for r in imported(write(tmp_path, entry(sse("Red.")))) if r.code == "data"
    ]


def test_the_same_file_is_the_same_cassette_and_overwrites_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, entry(sse("Red.")))
    one, other = tmp_path / "1.cassette.jsonl", tmp_path / "2.cassette.jsonl"
    import_har(path, one)
    import_har(path, other)
    assert one.read_bytes() == other.read_bytes()
    with pytest.raises(CassetteError, match="exists already"):
        import_har(path, one)


CODED = entry("?")
CODED["response"]["content"]["encoding"] = "base64"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty file"),
        ("Dear diary", "is no JSON object"),
        ("[]", "is no JSON object"),
        ('{"log": {"version": "1.2"}}', "holds no log.entries"),
        ('{"log": {"entries": []}}', "holds no exchange with a provider"),
        ('{"log": {"entries": [1]}}', "entry 1: expected `object`, got `int`"),
        ('{"log": {"entries": [{"request": {}}]}}', "entry 1: object missing required field"),
        (json.dumps({"log": {"entries": [entry("<p>", url="http://a/")]}}), "holds no exchange"),
        (json.dumps({"log": {"entries": [entry("<p>", url="http://[::1")]}}), "holds no exchange"),
        (json.dumps({"log": {"entries": [CODED]}}), "entry 1: its content is not base64"),
        (json.dumps({"log": {"entries": [entry(b"x")]}})[:-3], "it was cut off"),
        (json.dumps({"log": {"entries": [entry(b"x")]}})[:-40], "of item 1: it was cut off"),
        ('{"log": {"entries": [' + "[" * 100_000, "nests too deep"),
    ],
)
def test_what_is_no_har_leaves_nothing(tmp_path: Path, text: str, message: str) -> None:
    path, target = tmp_path / "bad.har", tmp_path / "out.cassette.jsonl"
    path.write_text(text)
    with pytest.raises(RecorderError) as caught:
        import_har(path, target)
    assert message in caught.value.message and "\n" not in str(caught.value)
    assert not target.exists()


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.har"
    with path.open("wb") as file:
        file.truncate(3 << 30)
    with pytest.raises(RecorderError, match="3072 MiB, and at most 1024 MiB are read"):
        import_har(path, tmp_path / "out.cassette.jsonl")


SESSION = {
    "log": {
        "version": "1.2",
        "entries": [
            entry(sse("Red.")),
            entry(json.dumps(message("Blue.")), at=1, media_type="application/json"),
            entry(
                None,
                url="wss://api.openai.com/v1/responses",
                status=101,
                _webSocketMessages=[
                    {"type": "send", "time": START, "opcode": 1, "data": "{}"},
                    {"type": "receive", "time": START + 1, "opcode": 2, "data": "e30="},
                ],
            ),
        ],
    }
}


@given(mutated(SESSION))
def test_whatever_stands_in_it_lands_or_is_said_in_a_line(document: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, target = Path(folder, "x.har"), Path(folder, "out.cassette.jsonl")
        path.write_text(json.dumps(document))
        try:
            import_har(path, target)
        except RecorderError as error:
            assert "\n" not in str(error) and len(str(error)) < 300
            assert list(Path(folder).iterdir()) == [path]
        else:
            assert lint(target).found == ()
