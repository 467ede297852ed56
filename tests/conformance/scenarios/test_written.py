"""Scenarios in files."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from turnreel.adapters.steps import Answer, Ask, Break, Call, End, Fail, Reject, Return, Say, Step
from turnreel.conformance.errors import ConformanceError
from turnreel.conformance.scenarios.equal import EQUAL
from turnreel.conformance.scenarios.written import read_scenario

PAGE = Path(__file__).parents[3] / "docs" / "diagnosing.md"
(EXAMPLE,) = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def write(folder: Path, script: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(script, encoding="utf-8")
    return path


def test_the_example_of_the_page(tmp_path: Path) -> None:
    scenario = read_scenario(write(tmp_path, EXAMPLE))
    assert (scenario.name, scenario.sentence[:8]) == ("mine", "What was")
    assert scenario.script == (
        Answer((Say("I'll look first."), Call("t1", "file_read")), "tool_use"),
        Return("t1", "3 rows"),
        Answer((Say("The total is 76."),)),
        End(),
    )
    as_json = write(tmp_path, json.dumps(tomllib.loads(EXAMPLE)), "mine.json")
    assert read_scenario(as_json) == scenario


def test_a_word_may_have_the_value_of_its_first_field(tmp_path: Path) -> None:
    steps = ('reject = 429', 'break = "The tot"', 'answer = "It is 76."', "fail = 400",
             'answer = {blocks = [{say = "a"}], stop = "max_tokens"}',
             'ask = {tool = "t1", verdict = "deny"}')  # fmt: skip
    text = 'sentence = "s"\n' + "".join(f"[[script]]\n{step}\n" for step in steps)
    assert read_scenario(write(tmp_path, text)).script == (
        Reject(429), Break("The tot"), Answer((Say("It is 76."),)), Fail(400),
        Answer((Say("a"),), "max_tokens"), Ask("t1", "deny"),
    )  # fmt: skip


def said(step: Step) -> dict[str, object]:
    """A step as a file would say it."""
    fields = msgspec.to_builtins(step)
    if isinstance(step, Answer | Break):
        fields["blocks"] = [
            {type(block).__name__.lower(): msgspec.to_builtins(block)} for block in step.blocks
        ]
    return {type(step).__name__.lower(): fields}


@pytest.mark.parametrize("scenario", EQUAL, ids=lambda scenario: scenario.name)
def test_whatever_can_be_scripted_can_be_written(tmp_path: Path, scenario: object) -> None:
    script = scenario.script  # type: ignore[attr-defined]
    text = json.dumps({"sentence": "s", "script": [said(step) for step in script]})
    assert read_scenario(write(tmp_path, text, "mine.json")).script == script


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "no scenario: Object missing required field `sentence`"),
        ("sentence = 's'\nscript = 5", "no scenario: Expected `array`"),
        ("sentence = 's'\nscript = []", "has no steps"),
        ("sentence = 's'\ntitle = 't'\nscript = []", "unknown field `title`"),
        ("= 5", "no scenario: Invalid statement"),
        ("sentence = 's'\n[[script]]\nanwser = 'a'", "step 1: nothing is called 'anwser'"),
        ("sentence = 's'\n[[script]]\nend = {}\nfail = 400", "step 1: end, fail is not one word"),
        ("sentence = 's'\n[[script]]\nfail = 'much'", "step 1: Expected `int`, got `str`"),
        ("sentence = 's'\n[[script]]\nreject = {code = 4}", "reject has no code: it has status"),
        ("sentence = 's'\n[[script]]\nask = 't1'", "step 1: Missing required argument 'verdict'"),
        ("sentence = 's'\n[[script]]\nanswer = [5]", "step 1: 5 is no block"),
        ("sentence = 's'\n[[script]]\nanswer = 5", "step 1: blocks are a list"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path: Path, text: str, wrong: str) -> None:
    with pytest.raises(ConformanceError) as refused:
        read_scenario(write(tmp_path, text))
    assert f"mine.toml: {wrong}" in refused.value.message or wrong in refused.value.message
    assert "\n" not in str(refused.value)


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
