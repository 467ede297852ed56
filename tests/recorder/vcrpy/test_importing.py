"""Cassettes that vcrpy really wrote, imported: sanitized, split, found by features, played."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
import vcr
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.recorder.mutations import mutated
from tests.recorder.providers import KEY, PATH, asked, events, message, provider, sse
from turnreel.cassettes import CassetteError, Existing, Record, open_cassette
from turnreel.conformance.verify import verify
from turnreel.recorder import RecorderError, interactions
from turnreel.recorder.linting import lint
from turnreel.recorder.vcrpy.importing import import_vcr
from turnreel.replayer.client import fetch
from turnreel.replayer.plan import make_plan
from turnreel.replayer.server import serving

CONVERSATION = (
    asked("red", stream=True),
    asked("red", "You said red", "green", stream=True),
    asked("blue"),
    asked("limit"),
)


@pytest.fixture(params=["yaml", "json"])
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A cassette that vcrpy recorded of a conversation, in its two forms."""
    form: str = request.param
    path = tmp_path / f"conversation.{form}"
    said = [*CONVERSATION]
    if form == "json":  # which holds no compressed body
        del said[2]
    with provider() as url, vcr.VCR(serializer=form).use_cassette(str(path)):
        for body in said:
            requests.post(url + PATH, json=body, headers={"x-api-key": KEY}, timeout=5)
        requests.get(f"{url}/weather/berlin", params={"token": "canary"}, timeout=5)
    return path


def write(folder: Path, *items: dict[str, Any], **beside: Any) -> Path:
    """A cassette as vcrpy writes it, in JSON."""
    path = folder / "written.json"
    path.write_text(json.dumps({"version": 1, "interactions": items, **beside}))
    return path


def item(body: Any, request: Any = None, **headers: str) -> dict[str, Any]:
    """One interaction of a streamed conversation."""
    listed = {name.replace("_", "-"): [value] for name, value in headers.items()}
    return {
        "request": {
            "method": "POST",
            "uri": f"https://api.anthropic.com{PATH}",
            "body": request if request is not None else json.dumps(asked("red", stream=True)),
            "headers": {"x-api-key": [KEY]},
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": {"content-type": ["text/event-stream"], **listed},
            "body": body,
        },
    }


def imported(path: Path) -> list[Record]:
    target = path.with_name("out.cassette.jsonl")
    import_vcr(path, target, existing=Existing.REPLACE)
    return list(open_cassette(target))


def test_a_cassette_of_vcrpy_lands_clean_and_split(recorded: Path, tmp_path: Path) -> None:
    assert KEY in recorded.read_text()
    target = tmp_path / "conversation.cassette.jsonl"
    sealed = import_vcr(recorded, target)
    cassette = open_cassette(target)
    header, records = cassette.header, list(cassette)
    assert sealed.records == len(records)
    assert (header.origin.kind, header.origin.source) == ("imported", "vcrpy")
    assert "timing synthesized" in header.lacks
    assert [(t.id, t.dialect) for t in header.tracks] == [
        ("provider", "anthropic-messages"),
        ("other", "none"),
    ]
    assert header.tracks[0].endpoint is not None
    assert header.tracks[0].endpoint.startswith("http://127.0.0.1:")
    first = [record for record in records if (record.track, record.exchange) == ("provider", 1)]
    assert [record.code for record in first] == [
        "request",
        "response",
        *["data"] * len(events("You said red")),
        "end",
    ]
    assert {record.at_us for record in records} == {0}
    assert all(record.reads is None for record in records)
    text = target.read_text()
    assert "canary" not in text.lower() and "Berlin" not in text and KEY[:12] not in text
    assert "You" in text  # a fixture's texts are read
    assert lint(target).found == ()
    assert verify([target]).ok


def test_it_is_the_same_every_time_and_overwrites_nothing(recorded: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "1.cassette.jsonl", tmp_path / "2.cassette.jsonl"
    import_vcr(recorded, one)
    import_vcr(recorded, other)
    assert one.read_bytes() == other.read_bytes()
    with pytest.raises(CassetteError, match="exists already"):
        import_vcr(recorded, one)
    import_vcr(recorded, one, profile="strict", existing=Existing.REPLACE)
    assert "You said" not in one.read_text()


def test_it_answers_by_features_when_it_is_served(recorded: Path, tmp_path: Path) -> None:
    """Asked in another order, and with other words: the shape decides."""
    target = tmp_path / "conversation.cassette.jsonl"
    import_vcr(recorded, target)

    async def ask() -> list[tuple[int, bytes]]:
        found = []
        async with serving(target, make_plan([], pacing="max")) as server:
            for body in (
                asked("a", "b", "c", stream=True),
                asked("anything", stream=True),
                asked("limits" if recorded.suffix == ".yaml" else "limit"),
                asked("a", "b", "c", "d", "e", stream=True),
            ):
                got = await fetch(server.url, PATH, body=json.dumps(body).encode())
                found.append((got.status, got.body))
        return found

    answers = asyncio.run(ask())
    assert [status for status, _ in answers] == [200, 200, answers[2][0], 400]
    assert b'" green"' in answers[0][1] and b'" red"' in answers[1][1]
    if recorded.suffix == ".yaml":
        assert json.loads(answers[2][1])["content"][0]["text"] == "You said blue"
    else:
        assert answers[2][0] == 429


@pytest.mark.parametrize(
    "form",
    [
        lambda body: {"string": body.decode()},
        lambda body: {"base64_string": base64.b64encode(body).decode()},
        lambda body: body.decode(),
        lambda body: [body[:9].decode(), body[9:].decode()],
    ],
)
def test_every_form_of_a_body_is_read(tmp_path: Path, form: Callable[[bytes], Any]) -> None:
    records = imported(write(tmp_path, item(form(sse("You said red")))))
    assert [record.code for record in records].count("data") == len(events("You said red"))


def test_encodings_are_undone_also_where_the_tool_had_done_so(tmp_path: Path) -> None:
    packed = base64.b64encode(gzip.compress(sse("You said red"))).decode()
    really = imported(write(tmp_path, item({"base64_string": packed}, content_encoding="gzip")))
    before = imported(
        write(tmp_path, item({"string": sse("You said red").decode()}, content_encoding="gzip"))
    )
    assert really == before
    fields = really[1].data
    assert isinstance(fields, dict) and fields["encoding"] == "gzip"
    bytes_that_are_none = base64.b64encode(b"\xff\xfe" * 40).decode()
    torn = imported(write(tmp_path, item({"base64_string": bytes_that_are_none})))
    assert [r.extra.get("torn") for r in torn if r.code == "data"] != [None]


def test_an_older_answer_of_httpx_is_read(tmp_path: Path) -> None:
    old = item(None)
    old["response"] = {
        "status_code": 200,
        "http_version": "HTTP/1.1",
        "headers": {"content-type": "application/json"},
        "content": json.dumps(message("Old.")),
    }
    assert imported(write(tmp_path, old))[2].code == "data"


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "holds no interaction"),
        ([1], "interaction 1: it has no request"),
        ([{"request": {}}], "interaction 1: it has no response"),
        ([{"request": {}, "response": {}}], "its request has no method or no uri"),
        ([item(None), item(1)], "interaction 2: its body is neither text nor bytes"),
        ([item({"base64_string": "?"})], "its body is not base64"),
        ([{**item(None), "response": {"status": {"code": 1}}}], "its response has no status"),
        ([{**item(None), "response": {"status": 200, "headers": 1}}], "its headers are no map"),
    ],
)
def test_what_is_no_cassette_of_vcrpy_leaves_nothing(
    tmp_path: Path, items: list[Any], message: str
) -> None:
    target = tmp_path / "out.cassette.jsonl"
    with pytest.raises(RecorderError) as caught:
        import_vcr(write(tmp_path, *items), target)
    assert message in caught.value.message
    assert list(tmp_path.glob("out*")) == []


def test_bombs_and_giants_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.cassette.jsonl"
    giant = tmp_path / "giant.yaml"
    with giant.open("wb") as file:
        file.write(b"interactions:\n- request: '")
        file.truncate(1 << 30)  # a scalar of 1 GB, which takes no room on the disk
    with pytest.raises(RecorderError, match="1024 MiB, and at most 256 MiB are read"):
        import_vcr(giant, target)
    monkeypatch.setattr(interactions, "BODY_LIMIT", 1 << 20)
    bomb = base64.b64encode(gzip.compress(b"\0" * (8 << 20))).decode()
    with pytest.raises(RecorderError, match="interaction 1: a body unpacks to more than 1 MiB"):
        import_vcr(write(tmp_path, item({"base64_string": bomb}, content_encoding="gzip")), target)
    with pytest.raises(RecorderError, match="is no file"):
        import_vcr(tmp_path, target)
    with pytest.raises(RecorderError, match="no such file"):
        import_vcr(tmp_path / "none.yaml", target)
    assert not target.exists()


SESSION = {
    "version": 1,
    "interactions": [
        item({"string": sse("Red.").decode()}),
        item({"base64_string": "e30="}, content_encoding="gzip"),
    ],
}


@given(mutated(SESSION), st.sampled_from(["yaml", "json"]))
def test_whatever_stands_in_it_lands_or_is_said_in_a_line(document: Any, form: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, target = Path(folder, f"x.{form}"), Path(folder, "out.cassette.jsonl")
        path.write_text(json.dumps(document) if form == "json" else yaml.safe_dump(document))
        try:
            import_vcr(path, target)
        except RecorderError as error:
            assert "\n" not in str(error) and len(str(error)) < 300
            assert list(Path(folder).iterdir()) == [path]
        else:
            assert lint(target).found == ()
