"""Plans as people write them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import MISSING, fields
from pathlib import Path
from typing import get_type_hints

import jsonschema
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
    AtMatch,
    AtRandom,
    AtTerminal,
    AtTime,
    Fault,
    Pacing,
    Plan,
    spec_of,
)
from turnreel.replayer.faults.event import Drop, Duplicate, Late
from turnreel.replayer.faults.process import Exit, Kill
from turnreel.replayer.faults.session import Cancel
from turnreel.replayer.faults.transport import Cut, Delay, Hang, Stall, Status
from turnreel.replayer.plan import load_plan, make_plan, parse_fault, parse_pacing, placed, require
from turnreel.replayer.plan_schema import plan_schema


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
        ("drop@type=message_delta,nth=2", Drop(at=AtMatch("message_delta", 2))),
        ("drop@type=system/init", Drop(at=AtMatch("system/init"))),
        ("hang@event=terminal", Hang(at=AtTerminal())),
        ("exit:0@event=terminal-1", Exit(code=0, at=AtTerminal(1))),
        ("cut:chunk@time=2.5", Cut(how="chunk", at=AtTime(2.5))),
        ("stall:0.25@byte=3", Stall(seconds=0.25, at=AtByte(3))),
        ("delay:2", Delay(seconds=2)),
        ("late", Late()),
        ("late@event=terminal-1", Late()),
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
        ("late@time=3", "late has no place `time`"),
        ("drop@event=3,nth=2", "`nth` counts events of a type"),
        ("drop@type=x,nth=0", "nth: input should be greater than or equal to 1"),
        ("drop@type=", "type: string should have at least 1 character"),
        ("drop@event=terminal-x", "back: input should be a valid integer"),
        ("drop@event=3,type=x", "one place is enough: event or type"),
        ("stall:nan@event=3", "seconds: input should be"),
        ("stall:-1@event=3", "seconds: input should be greater than or equal to 0"),
        ("stall:1e9@event=3", "seconds: input should be less than or equal to 86400"),
        ("ping-storm:9999999@event=3", "count: input should be less than or equal to 100000"),
        ("close:99@event=1", "code: input should be greater than or equal to 1000"),
        ("missing-terminal@event=3", "missing-terminal has no place `event`"),
        ("refuse:3", "refuse takes no argument"),
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


@pytest.mark.parametrize("spec", ["x" * 100_000, "cut:" + "x" * 100_000, "drop@" + "x" * 100_000])
def test_a_spec_without_end_is_quoted_as_far_as_it_helps(spec: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_fault(spec)
    assert len(str(caught.value)) < 1000


@st.composite
def faults(draw: st.DrawFn) -> Fault:
    """Any fault the table can make, with any options and place."""
    word = draw(st.sampled_from(WORDS))
    hints = get_type_hints(word.fault, include_extras=True)
    values = {
        item.name: draw(st.from_type(hints[item.name]))
        for item in fields(word.fault)
        if item.name != "at" and (item.default is MISSING or draw(st.booleans()))
    }
    if word.places and (placed(word) == "always" or draw(st.booleans())):
        values["at"] = draw(st.one_of(*(PLACES[kind] for kind in word.places)))
    return word.fault(**values)  # type: ignore[return-value]


COUNT = st.integers(0, 9999)
PLACES = {
    "event": st.one_of(
        st.builds(AtEvent, COUNT),
        st.just(AtRandom("event")),
        st.builds(AtTerminal, COUNT),
        st.builds(AtMatch, st.from_regex(r"[A-Za-z0-9_./-]+", fullmatch=True), st.integers(1, 99)),
    ),
    "byte": st.builds(AtByte, COUNT) | st.just(AtRandom("byte")),
    "time": st.builds(AtTime, st.floats(0, 86_400)),
}


@given(faults())
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
    "text", ["", "fast", "max:1", "factor:", "factor:-1", "factor:inf", "factor:nan", "factor:1e9"]
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
        ("p.json", "[]", "it is no table"),
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


@given(st.lists(faults(), max_size=3))
def test_the_schema_accepts_what_the_table_makes(planned: list[Fault]) -> None:
    entries = []
    for fault in planned:
        head, _, tail = spec_of(fault).replace("@", ",").partition(",")
        name, _, argument = head.partition(":")
        word = next(word for word in WORDS if word.name == name)
        said: dict[str, object] = {"fault": name}
        if argument:
            assert word.argument is not None
            said[word.argument] = number(argument)
        for option in filter(None, tail.split(",")):
            key, _, value = option.partition("=")
            said[key] = value if key == "type" else number(value)
        entries.append(said)
    VALIDATOR.validate({"seed": 3, "faults": [*entries, "late"]})


def number(text: str) -> object:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


@pytest.mark.parametrize(
    "entry",
    [
        {"fault": "cutt"},
        {"fault": "cut", "how": "clean"},
        {"fault": "cut", "how": "clean", "event": 1, "byte": 2},
        {"fault": "drop", "event": 1, "nth": 2},
        {"fault": "drop", "event": "last"},
        {"fault": "status", "status": 200},
        {"fault": "refuse", "exchange": None},
        {"fault": "late", "speed": 3},
        7,
    ],
)
def test_the_schema_refuses_what_no_plan_can_say(entry: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate({"faults": [entry]})


VALIDATOR = jsonschema.Draft202012Validator(plan_schema())
