"""The last stretch to the file: when the header is written, and with what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnreel.cassettes import AgentInfo, Origin, TrackSpec, open_cassette
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.landing import HELD_RECORDS, Landing
from turnreel.recorder.messages import Plan
from turnreel.sanitizers import KnownSecrets, Raw
from turnreel.wire import JsonUnit, LineFraming, TextUnit

from .conftest import INIT

HANDSHAKE = {"type": "control_response", "response": {"subtype": "success", "request_id": "1"}}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "x.cassette.jsonl"


def landing(
    target: Path,
    dialect: str = "claude-stream-json",
    secrets: tuple[str, ...] = (),
    *,
    replaces: bool = False,
) -> Landing:
    return Landing(
        Plan(
            target=str(target),
            replaces=replaces,
            known=KnownSecrets(secrets=secrets),
            agent=AgentInfo("claude"),
            tracks=(
                TrackSpec(id="agent", carrier="stdio", dialect=dialect),
                TrackSpec(id="host", carrier="host", dialect="edge"),
            ),
            profile="fixture",
            origin=Origin(kind="recorded"),
        )
    )


def out(value: dict[str, Any], at_us: int = 1) -> Raw:
    return Raw(at_us, "agent", "out", JsonUnit(value, LineFraming()))


def started() -> Raw:
    return Raw(0, "host", "message", {"via": "argv"})


def test_the_header_tells_the_version_that_the_first_frame_told(target: Path) -> None:
    one = landing(target)
    one.land([started(), out(HANDSHAKE)])
    assert one.is_holding and target.stat().st_size == 0
    one.land([out(INIT)])
    assert not one.is_holding
    assert len(list(open_cassette(target))) == 3
    one.seal()
    assert open_cassette(target).header.agent.version == "2.1.332"


@pytest.mark.parametrize("first", [{"type": "assistant"}, {"type": "system", "subtype": "init"}])
def test_a_first_frame_without_version_ends_the_wait(target: Path, first: dict[str, Any]) -> None:
    one = landing(target)
    one.land([started(), out(first)])
    assert not one.is_holding
    assert open_cassette(target).header.agent.version is None
    one.land([out(INIT)])
    one.seal()
    assert open_cassette(target).header.agent.version is None


def test_prose_ends_the_wait(target: Path) -> None:
    one = landing(target)
    one.land([started(), Raw(1, "agent", "out", TextUnit("hello", LineFraming()))])
    assert not one.is_holding


def test_the_wait_is_bounded_in_records_and_by_whoever_waits(target: Path) -> None:
    one = landing(target)
    one.land(
        Raw(n, "agent", "err", TextUnit("warning", LineFraming())) for n in range(HELD_RECORDS)
    )
    assert not one.is_holding
    other = landing(target.with_name("y.cassette.jsonl"))
    other.land([started()])
    assert other.is_holding
    other.release()
    assert len(list(open_cassette(target.with_name("y.cassette.jsonl")))) == 1
    other.abandon()
    one.abandon()


def test_an_agent_that_speaks_no_dialect_is_not_waited_for(target: Path) -> None:
    one = landing(target, dialect="none")
    one.land([started()])
    assert not one.is_holding
    one.abandon()


def test_a_session_that_is_cut_has_all_that_was_held_and_no_seal(target: Path) -> None:
    one = landing(target)
    one.land([started()])
    one.abandon()
    cassette = open_cassette(target)
    assert cassette.seal is None
    assert [record.code for record in cassette] == ["message"]


def test_nothing_at_all_leaves_no_file(target: Path) -> None:
    assert landing(target).seal().path is None
    assert not target.exists()
    landing(target).abandon()
    assert not target.exists()


@pytest.mark.parametrize("replaces", [False, True])
def test_what_the_gate_objects_to_stays_private_beside_the_target(
    target: Path, replaces: bool
) -> None:
    one = landing(target, secrets=("masked", "xxxxxx"), replaces=replaces)
    one.land([started(), out(INIT), out({"type": "assistant", "unlisted": "anything"})])
    with pytest.raises(RecorderError) as told:
        one.seal()
    part = target.with_name(f"{target.name}.part")
    assert str(part) in told.value.message
    assert "known-key in record 3" in told.value.message
    assert part.stat().st_mode & 0o777 == 0o600 and not target.exists()
    assert len(list(open_cassette(part))) == 3 and open_cassette(part).ending().seal is None
