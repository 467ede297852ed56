"""Scenarios in files, anybody's own."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from turnreel.adapters.steps import (
    Answer,
    Ask,
    Break,
    Call,
    End,
    Fail,
    Reject,
    Return,
    Say,
    Step,
    Tell,
)
from turnreel.conformance.errors import ConformanceError
from turnreel.conformance.scenarios import Scenario, held_against, read_scenario, required
from turnreel.lifecycle.signals import Parked, Produced

PAGE = Path(__file__).parents[3] / "docs" / "diagnosing.md"
(EXAMPLE,) = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def write(folder: Path, script: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(script, encoding="utf-8")
    return path


def test_the_example_of_the_page(tmp_path: Path) -> None:
    scenario = read_scenario(write(tmp_path, EXAMPLE))
    assert (scenario.id, scenario.requirement[:8]) == ("mine", "What was")
    assert scenario.script == (
        Answer((Say("I'll look first."), Call("t1", "file_read")), "tool_use"),
        Return("t1", "3 rows"),
        Answer((Say("The total is 76."),)),
        End(),
    )
    as_json = write(tmp_path, json.dumps(tomllib.loads(EXAMPLE)), "mine.json")
    assert read_scenario(as_json) == scenario == held_against(str(as_json))


CALL = 'answer = [{call = {tool = "t1", name = "command"}}]'


def test_a_word_may_have_the_value_of_its_first_field(tmp_path: Path) -> None:
    steps = (
        "reject = 429", 'break = "The tot"', 'answer = "It is 76."', "fail = 400",
        'answer = {blocks = [{say = "a"}], stop = "max_tokens"}', CALL, 'ask = "t1"',
        'tell = "parked"', 'tell = {signal = "artifact", artifact = "a", name = "b"}',
    )  # fmt: skip
    text = 'requirement = "s"\n' + "".join(f"[[script]]\n{step}\n" for step in steps)
    assert read_scenario(write(tmp_path, text)).script == (
        Reject(429), Break("The tot"), Answer((Say("It is 76."),)), Fail(400),
        Answer((Say("a"),), "max_tokens"), Answer((Call("t1", "command"),), "tool_use"),
        Ask("t1", None), Tell(Parked()), Tell(Produced(artifact="a", name="b")),
    )  # fmt: skip


def said(step: Step) -> dict[str, object]:
    """A step as a file would say it."""
    fields = msgspec.to_builtins(step)
    if isinstance(step, Tell):
        fields = fields["signal"]
    if isinstance(step, Answer | Break):
        fields["blocks"] = [
            {type(block).__name__.lower(): msgspec.to_builtins(block)} for block in step.blocks
        ]
    return {type(step).__name__.lower(): fields}


@pytest.mark.parametrize("scenario", required(), ids=lambda scenario: scenario.id)
def test_every_step_can_be_written_with_all_its_fields(tmp_path: Path, scenario: Scenario) -> None:
    text = json.dumps({"requirement": "s", "script": [said(step) for step in scenario.script]})
    assert read_scenario(write(tmp_path, text, "mine.json")).script == scenario.script


STEP = "requirement = 's'\n[[script]]\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "no scenario: Object missing required field `requirement`"),
        ("requirement = 's'\nscript = 5", "no scenario: Expected `array`"),
        ("requirement = 's'\nscript = []", "has no steps"),
        ("requirement = 's'\ntitle = 't'\nscript = []", "unknown field `title`"),
        ("= 5", "no scenario: Invalid statement"),
        ("id = 'other'\n" + STEP + "end = {}", "calls itself other"),
        ("clauses = ['C1', 'C99']\n" + STEP + "end = {}", "there is no clause C99"),
        ("tier = 'some'\n" + STEP + "end = {}", "Invalid enum value 'some'"),
        ("trouble = 'bad luck'\n" + STEP + "end = {}", "Invalid enum value 'bad luck'"),
        ("turn = 'rum'\n" + STEP + "end = {}", "mine.toml: turn:1: expected run here"),
        ("turn = 'run'\n" + STEP + "end = {}", "ends where an entry or the run's end"),
        ("turn = 'run caused-by nobody'\n" + STEP + "end = {}", "no run reads"),
        (STEP + "anwser = 'a'", "step 1: nothing is called 'anwser'"),
        (STEP + "end = {}\nfail = 400", "step 1: end, fail is not one word"),
        (STEP + "fail = 'much'", "step 1: Expected `int`, got `str`"),
        (STEP + "fail = 418", "step 1: Invalid enum value 418"),
        (STEP + "reject = {code = 4}", "reject has no code: it has status"),
        (STEP + "reply = 't1'", "step 1: Missing required argument 'verdict'"),
        (STEP + "answer = [5]", "step 1: 5 is no block"),
        (STEP + "answer = 5", "step 1: blocks are a list"),
        (STEP + "tell = 'nothing'", "step 1: Invalid value 'nothing'"),
        (STEP + "tell = 5", "step 1: Expected `object`, got `int`"),
        (STEP + "tell = {signal = 'artifact'}", "step 1: Object missing required field"),
        (STEP + "return = 't1'", "step 1: no tool t1 was called"),
        (STEP + f"{CALL}\n[[script]]\n{CALL}", "step 2: t1 is called twice"),
        (STEP + CALL + "\n[[script]]\nreturn = 't1'" * 2, "step 3: t1 returned before"),
        (STEP + "wake = 't1'", "step 1: no tool t1 was called"),
        (STEP + CALL + "\n[[script]]\nreport = 't1'", "step 2: no child agent of t1 is at work"),
        (
            STEP + CALL + "\n[[script]]\nspawn = 't1'" * 2,
            "step 3: the child agent of t1 is at work already",
        ),
        (
            STEP + "question = {tool = 'q', text = 'a?', options = []}",
            "step 1: there is nothing to choose from",
        ),
        (STEP + "end = {}\n[[script]]\nresume = 'a'", "step 2: it stands first or nowhere"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path: Path, text: str, wrong: str) -> None:
    with pytest.raises(ConformanceError) as refused:
        read_scenario(write(tmp_path, text))
    assert wrong in refused.value.message
    assert "mine.toml" in refused.value.message
    assert "\n" not in str(refused.value)


def test_what_is_held_against_a_dialect_says_what_must_come_out(tmp_path: Path) -> None:
    path = write(tmp_path, STEP + "end = {}")
    assert read_scenario(path).turn == ""
    with pytest.raises(ConformanceError, match=r"mine\.toml: has no turn"):
        held_against(str(path))
    write(tmp_path, "turn = 'run\\n  open'\n".replace("'", '"') + STEP + "end = {}")
    with pytest.raises(ConformanceError, match=r"mine\.toml: has no clauses"):
        held_against(str(path))


def test_what_is_no_file_is_one_line(tmp_path: Path) -> None:
    for path, wrong in ((tmp_path / "none.toml", "no such file"), (tmp_path, "is a directory")):
        with pytest.raises(ConformanceError, match=wrong):
            read_scenario(path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(ConformanceError, match="no scenario"):
        read_scenario(tmp_path / "bytes.toml")
    write(tmp_path, "#" * ((1 << 20) + 1), "long.toml")
    with pytest.raises(ConformanceError, match="longer than"):
        read_scenario(tmp_path / "long.toml")
    write(tmp_path, '{"script": ' + "[" * 100_000, "deep.json")
    with pytest.raises(ConformanceError, match="no scenario"):
        read_scenario(tmp_path / "deep.json")
