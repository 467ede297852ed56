"""Plans as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.replayer.errors import PlanError
from turnreel.replayer.faults import (
    MAX,
    RECORDED,
    WORDS,
    AtByte,
    AtEvent,
    AtRandom,
    Fault,
    Pacing,
    Plan,
    spec_of,
)
from turnreel.replayer.faults.event import Duplicate
from turnreel.replayer.faults.process import Exit, Kill
from turnreel.replayer.faults.session import Cancel
from turnreel.replayer.faults.transport import Cut, Status
from turnreel.replayer.plan import load_plan, make_plan, parse_fault, parse_pacing, require


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("status:429,times=2,retry-after=1", Status(status=429, times=2, retry_after=1)),
        ("cut:clean@event=5", Cut(how="clean", at=AtEvent(5))),
        ("cut:reset@byte=812", Cut(how="reset", at=AtByte(812))),
        ("cut:reset@exchange=2,event=random", Cut(how="reset", at=AtRandom("event"), exchange=2)),
        ("duplicate@event=3", Duplicate(at=AtEvent(3))),
        ("cancel@event=4", Cancel(at=AtEvent(4))),
        ("cancel:rest@byte=10", Cancel(at=AtByte(10), then="rest")),
        ("exit:2@event=7", Exit(code=2, at=AtEvent(7))),
        ("kill@event=7", Kill(at=AtEvent(7))),
    ],
)
def test_a_spec_means_its_fault(spec: str, fault: Fault) -> None:
    assert parse_fault(spec) == fault


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cutt@event=1", "did you mean cut?"),
        ("", "known: refuse, status, cut"),
        ("cut:clen@event=1", "how: input should be 'clean', 'chunk' or 'reset'"),
        ("cut:clean", "says not where"),
        ("status:200", "greater than or equal to 400"),
        ("status", "status: field required"),
        ("cut:clean@event=-1", "event: input should be greater than or equal to 0"),
        ("cut:clean@event=1,byte=3", "one place is enough"),
        ("kill@byte=3", "kill has no place `byte`"),
        ("duplicate@event=x", "event: input should be a valid integer"),
        ("kill:9@event=1", "kill takes no argument"),
        ("cut:clean@event=1,speed=2", "speed: no such option"),
        ("cut:clean@event", "`event` is not of the form key=value"),
        ("status:429,times=1,times=2", "`times` is said twice"),
        ("status:429,times=0", "times: input should be greater than or equal to 1"),
        ("cut:clean@event=" + "9" * 5000, "event: "),
    ],
)
def test_a_wrong_spec_is_one_line_with_a_remedy(spec: str, said: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_fault(spec)
    assert said in str(caught.value)
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


places = st.one_of(
    st.builds(AtEvent, st.integers(0, 9999)),
    st.builds(AtByte, st.integers(0, 9999)),
    st.builds(AtRandom, st.sampled_from(["event", "byte"])),
)
events = st.one_of(st.builds(AtEvent, st.integers(0, 9999)), st.just(AtRandom("event")))
exchanges = st.none() | st.integers(1, 99)
times = st.integers(1, 9)
faults: st.SearchStrategy[Fault] = st.one_of(
    st.builds(
        Status,
        status=st.integers(400, 599),
        retry_after=st.none() | st.integers(0, 99),
        exchange=exchanges,
        times=times,
    ),
    st.builds(
        Cut, how=st.sampled_from(["clean", "reset"]), at=places, exchange=exchanges, times=times
    ),
    st.builds(Duplicate, at=events, exchange=exchanges, times=times),
    st.builds(Cancel, at=places, then=st.sampled_from(["stop", "rest"]), exchange=exchanges),
    st.builds(Exit, code=st.integers(0, 255), at=events),
    st.builds(Kill, at=events),
)


@given(faults)
def test_every_fault_reads_back_from_its_spec(fault: Fault) -> None:
    assert parse_fault(spec_of(fault)) == fault


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_every_word_has_an_example_that_means_it(word: object) -> None:
    assert isinstance(word, type(WORDS[0]))
    assert word.examples
    assert all(isinstance(parse_fault(spec), word.fault) for spec in word.examples)
    assert word.sides


@pytest.mark.parametrize(
    ("text", "pacing"),
    [("recorded", RECORDED), ("max", MAX), ("factor:0.5", Pacing(0.5)), ("factor:0", MAX)],
)
def test_pacing(text: str, pacing: Pacing) -> None:
    assert parse_pacing(text) == pacing


@pytest.mark.parametrize(
    "text", ["", "fast", "max:1", "factor:", "factor:-1", "factor:inf", "factor:nan"]
)
def test_a_pacing_nobody_knows_is_refused(text: str) -> None:
    with pytest.raises(PlanError, match="is not known"):
        parse_pacing(text)


def test_a_plan_file_in_toml_and_json_means_the_same(tmp_path: Path) -> None:
    toml, json = tmp_path / "plan.toml", tmp_path / "plan.json"
    toml.write_text(
        'seed = 7\npacing = "factor:0.1"\n'
        'faults = ["status:429,times=2", {fault = "cut", how = "reset", byte = 812}]\n'
    )
    json.write_text(
        '{"seed": 7, "pacing": "factor:0.1", "faults":'
        ' ["status:429,times=2", {"fault": "cut", "how": "reset", "byte": 812}]}'
    )
    wanted = make_plan(["status:429,times=2", "cut:reset@byte=812"], seed=7, pacing="factor:0.1")
    assert load_plan(toml) == load_plan(json) == wanted


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.toml", "faults = [", "not a plan"),
        ("p.json", "{", "not a plan"),
        ("p.json", "[" * 100_000, "not a plan"),
        ("p.json", "[]", "valid dictionary"),
        ("p.toml", "speed = 3", "speed: extra inputs are not permitted"),
        ("p.toml", 'faults = ["cutt"]', "did you mean cut?"),
        ("p.toml", "faults = [{how = 'clean'}]", "nothing is called ``"),
        ("p.toml", "pacing = 'fast'", "pacing `fast`"),
        ("p.toml", "#" * (1 << 20) + "\n", "at most"),
    ],
)
def test_a_wrong_plan_file_is_one_line_naming_it(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(PlanError) as caught:
        load_plan(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_plan_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="No such file"):
        load_plan(tmp_path / "none.toml")


def test_a_side_refuses_what_it_cannot_do() -> None:
    plan = make_plan(["status:429", "kill@event=1", "cancel@event=2"])
    with pytest.raises(PlanError) as caught:
        require(plan, "server")
    assert str(caught.value) == "kill@event=1: the server cannot do that (it is for the agent)"
    assert require(plan.part("server"), "server") == Plan((Status(status=429),))
    agents = plan.part("agent").faults
    assert [spec_of(fault) for fault in agents] == ["kill@event=1", "cancel@event=2"]
