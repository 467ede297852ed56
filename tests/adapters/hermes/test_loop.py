"""What Hermes' loop does that not every agent does alike: tools at once, tools without a word. What
all agents do is compared in tests/conformance/test_equality.py.
"""

from __future__ import annotations

import pytest

from tests.adapters.hearing import HTTP, SURFACES, Hearing, blind
from turnreel.adapters.steps import Answer, Call, End, Return, Say, Script
from turnreel.conformance.scenarios import required

TOOLS = required()[0].script

SCRIPTS: dict[str, tuple[Script, list[str]]] = {
    "at once": (
        (
            Answer((Say("Both."), Call("t1", "read_file"), Call("t2", "read_file")), "tool_use"),
            Return("t1"),
            Return("t2"),
            Answer((Say("Done."),)),
            End(),
        ),
        ["said Both.", "read_file file_read ok", "read_file file_read ok", 'final "Done." healthy'],
    ),
    "without a word": (
        (
            Answer((Call("t1", "search_files"),), "tool_use"),
            Return("t1"),
            Answer((Say("Found."),)),
            End(),
        ),
        ["search_files search ok", 'final "Found." healthy'],
    ),
}


@pytest.mark.parametrize("dialect", SURFACES)
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_surface_tells_it(name: str, dialect: str) -> None:
    script, told = SCRIPTS[name]
    assert blind(Hearing(dialect).plays(script).run) == blind(told)


@pytest.mark.parametrize("dialect", HTTP)
def test_the_answer_comes_from_the_stream_however_it_closes(dialect: str) -> None:
    before = Hearing(dialect).plays(TOOLS)
    assert Hearing(dialect).plays(TOOLS).ends().events == before.events


@pytest.mark.parametrize("dialect", SURFACES)
def test_nothing_is_left_open(dialect: str) -> None:
    heard = Hearing(dialect).plays(TOOLS)
    (_, state), *_ = heard.translator.state.adapters
    assert state.turns == {}
