"""Scripts in no dialect's words: tools called by their kind, and what a provider replies."""

from __future__ import annotations

import pytest

from turnreel.adapters import registry
from turnreel.adapters.replies import Reply, scripted
from turnreel.adapters.steps import (
    Answer,
    Break,
    Call,
    End,
    Fail,
    Interrupt,
    Reject,
    Resume,
    Return,
    Say,
    Script,
    Unsayable,
    calls,
    named,
)
from turnreel.lifecycle.events import ActivityKind

KINDS: dict[str, ActivityKind] = {"Bash": "command", "Shell": "command", "Edit": "file_change"}
SCRIPT: Script = (
    Resume("Before."),
    Reject(429),
    Break("Half", (Say("One."),)),
    Answer((Say("Two."), Call("c1", "command")), "tool_use"),
    Return("c1"),
    Interrupt("Thr"),
    Fail(400),
    End(),
)


def test_a_kind_calls_the_dialects_first_tool_of_it() -> None:
    script: Script = (
        Answer((Call("c1", "command"), Call("c2", "Shell"), Call("c3", "file_change"))),
        Break("", (Call("c4", "search"),)),
    )
    names = {tool: call.name for tool, call in calls(named(script, KINDS)).items()}
    assert names == {"c1": "Bash", "c2": "Shell", "c3": "Edit", "c4": "search"}


def test_a_provider_replies_once_to_each_request() -> None:
    told = scripted(
        SCRIPT,
        lambda status: {"error": status},
        lambda number, blocks, stop: [{"whole": number, "stop": stop}],
        lambda number, blocks, partial: [{"part": number, "text": partial}],
    )
    assert told == (
        Reply(429, ({"error": 429},)),
        Reply(200, ({"part": 1, "text": "Half"},), "cut"),
        Reply(200, ({"whole": 2, "stop": "tool_use"},)),
        Reply(200, ({"part": 3, "text": "Thr"},), "given up"),
        Reply(400, ({"error": 400},)),
    )


@pytest.mark.parametrize("dialect", registry.dialects())
def test_the_same_script_is_rendered_the_same(dialect: str) -> None:
    info = registry.adapter(dialect).info
    if info.tier == "provider":
        return
    render = registry.answer(dialect) if info.carrier == "http" else registry.lines(dialect)
    script = SCRIPT[:5]
    assert render(script) == render(script)


@pytest.mark.parametrize("dialect", ["hermes-session", "hermes-chat", "hermes-responses"])
def test_what_has_no_frame_is_said_to_have_none(dialect: str) -> None:
    with pytest.raises(Unsayable, match="stop"):
        registry.answer(dialect)((Interrupt("Half"),))
