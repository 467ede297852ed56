"""Records to scripts: total on what a recorder would never write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from turnreel.cassettes import CassetteError
from turnreel.replayer.errors import ReplayError
from turnreel.replayer.script import Exchange, Exited, Finished, Response, Signalled, Torn, kind_of
from turnreel.replayer.tape import load
from turnreel.wire.units import Json

if TYPE_CHECKING:
    from conftest import Recording


def only(recording: Recording) -> Exchange:
    (exchange,) = recording.tape().provider().exchanges
    return exchange


def test_interleaved_exchanges_are_told_apart(recording: Recording) -> None:
    for n in (2, 1):
        recording.request(n)
    for n in (1, 2):
        recording.response(n)
        recording.event(n, {"type": f"event-{n}"})
    recording.note("provider", "end", {}, n=2)
    first, second = recording.tape().provider().exchanges
    assert [event.label for event in first.events] == ["event-1"]
    assert [event.label for event in second.events] == ["event-2"]
    assert first.end is None
    assert second.end == Finished(7000)
    assert (first.asked_us, second.asked_us) == (2000, 1000)


def test_nonsense_reads_as_absent(recording: Recording) -> None:
    recording.note("provider", "request", "what", n=1)
    recording.note("provider", "response", {"status": "high", "headers": 3}, n=1)
    recording.note("provider", "later-invented", {}, n=1)
    recording.note("provider", "cut", {"by": "mice"}, n=1)
    recording.note("provider", "data", {}, n="one")
    assert only(recording) == Exchange(
        number=1,
        track="provider",
        dialect="anthropic-messages",
        method="POST",
        path="/",
        features=None,
        asked_us=1000,
        response=Response(2000, 200, ()),
        events=(),
        end=Torn(4000, "unknown"),
    )


@pytest.mark.parametrize("status", [0, -1, 101, 99_999])
def test_a_status_that_cannot_be_sent_is_not(recording: Recording, status: int) -> None:
    recording.request(1)
    recording.response(1, status)
    response = only(recording).response
    assert response is not None and response.status == 200


def test_headers_are_those_that_can_stand_in_a_head(recording: Recording) -> None:
    recording.request(1)
    headers: Json = [["Set", "a"], ["set", 2], ["evil", "a\r\nb: c"], ["b d", "x"], ["one"], 3]
    recording.note("provider", "response", {"status": 200, "headers": headers}, n=1)
    response = only(recording).response
    assert response is not None and response.headers == (("set", "a"), ("set", "2"))


def test_an_agents_fields_of_the_wrong_shape(recording: Recording) -> None:
    recording.line("what", "signal")
    recording.line({"code": "none", "signal": 9}, "exit")
    assert recording.tape().agent_script().acts == (
        Signalled(1000, "SIGINT"),
        Exited(2000, None, None),
    )


def test_a_cassette_is_loaded_with_both_sides(recording: Recording, tmp_path: Path) -> None:
    recording.answer(1)
    recording.line({"type": "result"})
    tape = load(recording.write(tmp_path / "both.cassette.jsonl"))
    assert (tape.name, tape.agent, tape.agent_version) == (
        "both.cassette.jsonl",
        "claude",
        "2.1.332",
    )
    assert tape.provider() == recording.tape().provider()
    assert tape.agent_script() == recording.tape().agent_script()


def test_what_is_no_cassette_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(CassetteError, match="the file is empty"):
        load(path)


def test_a_tape_names_what_it_lacks(recording: Recording) -> None:
    with pytest.raises(ReplayError, match=r"test\.cassette\.jsonl holds no provider exchanges"):
        recording.tape().provider()
    with pytest.raises(ReplayError, match="holds no agent's stdio"):
        recording.tape().agent_script()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"type": "user", "message": {}}, "user"),
        ({"type": "system", "subtype": "init"}, "system/init"),
        (
            {"type": "control_request", "request": {"subtype": "interrupt"}},
            "control_request/interrupt",
        ),
        ({"type": "stream_event", "event": {"type": "ping"}}, "stream_event/ping"),
        ({"method": "turn/start", "id": 3}, "turn/start"),
        ({"type": 3, "request": []}, ""),
    ],
)
def test_kinds(value: dict[str, Json], kind: str) -> None:
    assert kind_of(value) == kind
