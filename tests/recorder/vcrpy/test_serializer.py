"""The serializer alone, under vcrpy's own persister."""

from __future__ import annotations

from pathlib import Path

import pytest
import requests
import vcr

from tests.recorder.providers import KEY, PATH, asked, provider, sse
from tests.recorder.vcrpy.sessions import landed, streamed
from turnreel.cassettes import CassetteError, open_cassette
from turnreel.recorder import RecorderError
from turnreel.recorder.linting import lint
from turnreel.recorder.vcrpy import Serializer


def kept(mode: str) -> vcr.VCR:
    made = vcr.VCR(record_mode=mode, serializer="turnreel")
    made.register_serializer("turnreel", Serializer())
    return made


def test_a_text_is_a_cassette_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "session.cassette.jsonl"
    with provider() as url, kept("once").use_cassette(str(path)):
        live = requests.post(
            url + PATH, json=asked("red", stream=True), headers={"x-api-key": KEY}, timeout=5
        )
    assert live.content == sse("You said red")
    assert open_cassette(path).seal is not None and lint(path).found == ()
    assert "canary" not in path.read_text().lower()
    with kept("none").use_cassette(str(path)) as tape:
        again = requests.post(url + PATH, json=asked("blue", stream=True), timeout=5)
        assert tape.all_played
    assert again.text.count("\n\n") == live.text.count("\n\n")


def test_what_vcrpy_wrote_is_read_and_written_as_ours(tmp_path: Path) -> None:
    path = tmp_path / "session.yaml"
    with provider() as url:
        with vcr.VCR().use_cassette(str(path)):
            requests.post(url + PATH, json=asked("red"), timeout=5)
        with kept("new_episodes").use_cassette(str(path)):
            requests.post(url + PATH, json=asked("red"), timeout=5)
            requests.post(f"{url}{PATH}?beta=true", json=asked("red", stream=True), timeout=5)
    answered = [r.exchange for r in open_cassette(path) if r.code == "response"]
    assert answered == [1, 2]


def test_what_is_neither_is_said(tmp_path: Path) -> None:
    serializer = Serializer()
    with pytest.raises(RecorderError, match="the cassette: holds no interactions"):
        serializer.deserialize("hello")
    with pytest.raises(RecorderError, match="is refused"):
        serializer.deserialize("interactions: [!!python/name:os.system '']")
    with pytest.raises(CassetteError):
        serializer.deserialize('{"turnreel":99}\n')
    cut = landed(tmp_path, *streamed(1, sse("Red.")[:-60], "cut"))
    with pytest.raises(RecorderError, match="it was cut after"):
        serializer.deserialize(cut.read_text())
