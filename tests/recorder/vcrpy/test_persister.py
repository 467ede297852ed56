"""vcrpy with our cassettes under it: recorded clean, replayed without anybody, nothing lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import requests
import vcr
from vcr.errors import CannotOverwriteExistingCassetteException

from tests.recorder.providers import KEY, PATH, asked, provider, sse
from tests.recorder.vcrpy.sessions import landed, streamed
from turnreel.cassettes import TrackSpec, open_cassette
from turnreel.recorder import RecorderError
from turnreel.recorder.messages import Chunk
from turnreel.recorder.vcrpy import Persister, use
from turnreel.recorder.vcrpy.persister import own_path
from turnreel.sanitizers.policy import PolicyError


def kept(mode: str = "once", **options: Any) -> vcr.VCR:
    """A recorder as somebody makes one, with the one line."""
    return use(vcr.VCR(record_mode=mode, **options))


def post(url: str, *texts: str, **options: Any) -> requests.Response:
    body = asked(*texts, **options)
    return requests.post(url + PATH, json=body, headers={"x-api-key": KEY}, timeout=5)


def test_what_is_recorded_lands_clean_and_plays(tmp_path: Path) -> None:
    named = str(tmp_path / "deep" / "session.yaml")
    with provider() as url, kept().use_cassette(named):
        live = post(url, "red", stream=True)
        whole = post(url, "blue")
        requests.get(f"{url}/weather/berlin?unit=c", timeout=5)
    path = tmp_path / "deep" / "session.cassette.jsonl"
    assert list(path.parent.iterdir()) == [path]
    text = path.read_text()
    assert "canary" not in text.lower() and "Berlin" not in text
    with kept("none").use_cassette(named) as tape:
        assert post(url, "green", stream=True).status_code == live.status_code
        again = post(url, "violet")
        weather = requests.get(f"{url}/weather/paris?unit=c", timeout=5)
        assert tape.all_played
    assert again.json()["content"] == whole.json()["content"]
    assert again.json()["id"] != whole.json()["id"]
    assert weather.json() == {"city": "masked"}  # nobody knows what this API says
    assert path.read_text() == text


def test_a_request_of_another_shape_is_no_recorded_one(tmp_path: Path) -> None:
    named = str(tmp_path / "session.yaml")
    with provider() as url, kept().use_cassette(named):
        post(url, "red")
    for texts, options, difference in (
        (("a", "b", "c"), {}, "/history: 1 recorded, 3 asked"),
        (("a",), {"stream": True}, "/stream: false recorded, true asked"),
    ):
        with (
            kept("none").use_cassette(named),
            pytest.raises(CannotOverwriteExistingCassetteException) as caught,
        ):
            post(url, *texts, **options)
        assert difference in str(caught.value)


@pytest.mark.parametrize("model", ["llama3.3:70b", "meta-llama/Llama-3.3-70B", "mine"])
@pytest.mark.parametrize("path", [PATH, "/v1/chat/completions", "/gateway/v1/messages"])
def test_models_and_gateways_that_nobody_knows_are_found_again(
    tmp_path: Path, model: str, path: str
) -> None:
    named = str(tmp_path / "session.yaml")
    body = {**asked("red"), "model": model}
    with provider() as url, kept().use_cassette(named):
        requests.post(url + path, json=body, timeout=5)
    assert model not in own_path(Path(named)).read_text()
    with kept("none").use_cassette(named) as tape:
        requests.post(url + path, json=body, timeout=5)
        assert tape.all_played


def test_aiohttp_records_and_replays(tmp_path: Path) -> None:
    named = str(tmp_path / "session.yaml")

    async def stream(url: str) -> bytes:
        async with (
            aiohttp.ClientSession() as session,
            session.post(url + PATH, json=asked("red", stream=True)) as answer,
        ):
            assert answer.content_type == "text/event-stream"
            return await answer.read()

    with provider() as url, kept().use_cassette(named):
        live = asyncio.run(stream(url))
    with kept("none").use_cassette(named):
        replayed = asyncio.run(stream(url))
    assert live == sse("You said red")
    assert replayed.replace(b"msg_00000001", b"msg_canary0001").count(b"data: ") == 8
    assert b"canary" not in replayed and b" red" in replayed


def test_what_a_proxy_recorded_plays_and_stays_when_something_is_added(tmp_path: Path) -> None:
    """Times included: vcrpy has none, and does not take any."""
    with provider() as url:
        track = TrackSpec(id="provider", carrier="http", dialect="anthropic-messages", endpoint=url)
        source = landed(tmp_path, *streamed(7_000, sse("Red.")), tracks=(track,))
        before = source.read_bytes().splitlines()
        with kept("new_episodes").use_cassette(str(source)):
            assert "Red." in post(url, "what?", stream=True).text
            post(url, "blue")
    after = source.read_bytes().splitlines()
    assert after[1 : len(before) - 1] == before[1:-1]
    assert len(after) > len(before)
    header = open_cassette(source).header
    assert header.origin.kind == "recorded" and "timing synthesized" in header.lacks
    numbers = {record.exchange for record in open_cassette(source)}
    assert numbers == {7_000, 7_001}


def test_the_report_goes_on_telling_what_was_replaced(tmp_path: Path) -> None:
    named = str(tmp_path / "session.yaml")
    path = own_path(Path(named))

    def replaced() -> int:
        seal = open_cassette(path).seal
        assert seal is not None and seal.report is not None
        return sum(seal.report["replaced"].values())

    with provider() as url:
        with kept().use_cassette(named):
            post(url, f"my key is {KEY}")
        before = replaced()
        with kept("new_episodes").use_cassette(named):
            post(url, "a", "b", "and nothing else")
    assert before > 0 and replaced() == before


def test_an_agents_own_session_is_never_replaced(tmp_path: Path) -> None:
    tracks = (
        TrackSpec(id="agent", carrier="stdio", dialect="claude-stream-json"),
        TrackSpec(id="provider", carrier="http", dialect="anthropic-messages"),
    )
    source = landed(
        tmp_path, Chunk(0, "agent", "out", None, b"Hi\n"), *streamed(1, sse("Red.")), tracks=tracks
    )
    before = source.read_bytes()
    persister = Persister()
    requests_, responses = persister.load_cassette(str(source), None)
    assert b"Red." in responses[0]["body"]["string"]
    # vcrpy itself would not take its patches back after this.
    with pytest.raises(RecorderError, match="holds an agent's session"):
        persister.save_cassette(str(source), {"requests": requests_, "responses": responses}, None)
    assert source.read_bytes() == before


def test_a_cut_stream_is_not_played_as_a_whole_one(tmp_path: Path) -> None:
    source = landed(tmp_path, *streamed(1, sse("Red.")[:-60], "cut"))
    with pytest.raises(RecorderError) as caught, kept("none").use_cassette(str(source)):
        pass
    assert "exchange 1: it was cut after" in caught.value.message
    assert "turnreel serve" in caught.value.remedy


def test_all_mode_records_anew_and_keeps_the_rest(tmp_path: Path) -> None:
    named = str(tmp_path / "session.yaml")
    path = own_path(Path(named))
    with provider() as url:
        with kept().use_cassette(named):
            post(url, "red")
            post(url, "a", "b", "c")
        with kept("all").use_cassette(named):
            post(url, "blue")
    answers = [str(r.data) for r in open_cassette(path) if r.code == "data"]
    assert len(answers) == 2
    assert "You said c" in answers[0] and "You said blue" in answers[1]


def test_matchers_that_a_suite_names_ask_for_what_was_kept(tmp_path: Path) -> None:
    named = str(tmp_path / "session.yaml")
    on = ["method", "scheme", "host", "port", "path", "query", "headers", "body", "uri", "raw_body"]
    with provider() as url, kept(match_on=on).use_cassette(named):
        requests.post(f"{url}{PATH}?account=secret&beta=true", json=asked("red"), timeout=5)

    def replayed(base: str = url, path: str = PATH, query: str = "?account=x&beta=true") -> bool:
        with kept("none", match_on=on).use_cassette(named):
            try:
                requests.post(f"{base}{path}{query}", json=asked("blue"), timeout=5)
            except CannotOverwriteExistingCassetteException:
                return False
        return True

    assert replayed()
    assert not replayed(base="http://127.0.0.1:1")
    assert not replayed(base=url.replace("127.0.0.1", "localhost"))
    assert not replayed(path="/v2/messages")
    assert not replayed(query="?beta=true")
    assert not replayed(query="?beta=false&account=y")


def test_hooks_and_filters_are_vcrpys(tmp_path: Path) -> None:
    named = str(tmp_path / "session.yaml")
    options: dict[str, Any] = {
        "filter_headers": ["x-api-key"],
        "before_record_request": lambda request: request if request.method == "POST" else None,
        "before_record_response": lambda response: {
            **response,
            "headers": {**response["headers"], "retry-after": ["7"]},
        },
    }
    with provider() as url, kept(**options).use_cassette(named):
        post(url, "red")
        requests.get(f"{url}/x", timeout=5)
    records = list(open_cassette(own_path(Path(named))))
    assert [record.code for record in records] == ["request", "response", "data", "end"]
    request, response = records[0].data, records[1].data
    assert isinstance(request, dict) and isinstance(response, dict)
    assert "x-api-key" not in str(request["headers"])
    assert "'retry-after': '7'" in str(response["headers"])


def test_a_projects_lines_are_followed(tmp_path: Path) -> None:
    policy = tmp_path / "policy.txt"
    policy.write_text("[anthropic-messages]\nframe  message  gateway_zone  word\n")
    named = str(tmp_path / "session.yaml")
    with provider() as url, use(vcr.VCR(), policy=policy).use_cassette(named):
        post(url, "red")
    assert open_cassette(own_path(Path(named))).header.project_policy is not None
    policy.write_text("[anthropic-messages]\nnonsense\n")
    with pytest.raises((RecorderError, PolicyError)):
        use(vcr.VCR(), policy=policy)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("a/test_x.yaml", "a/test_x.cassette.jsonl"),
        ("test_x[1.5].json", "test_x[1.5].cassette.jsonl"),
        ("test_x.v1", "test_x.v1.cassette.jsonl"),
        ("a.cassette.jsonl", "a.cassette.jsonl"),
        ("a.cassette.jsonl.zst", "a.cassette.jsonl.zst"),
    ],
)
def test_names(theirs: str, ours: str) -> None:
    assert own_path(Path(theirs)) == Path(ours)


def test_the_longest_names_are_still_two(tmp_path: Path) -> None:
    one, other = (own_path(tmp_path / f"{'ü' * 120}{n}.yaml") for n in (1, 2))
    assert one != other
    for path in (one, other):
        path.with_name(f"{path.name}.part").write_text("fits")


def test_nothing_kept_is_said_in_vcrpys_own_words(tmp_path: Path) -> None:
    from vcr.persisters.filesystem import CassetteNotFoundError

    with pytest.raises(CassetteNotFoundError, match="nothing is recorded"):
        Persister().load_cassette(str(tmp_path / "a.yaml"), None)


def test_vcrpy_and_yaml_are_imported_when_they_are_used() -> None:
    program = (
        "import sys, turnreel.recorder.vcrpy, turnreel.recorder.vcrpy.importing\n"
        "import turnreel.recorder.vcrpy.exporting, turnreel.recorder.har\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'vcr', 'yaml', 'pytest'})"
    )
    child = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert child.stdout.strip() == ""
