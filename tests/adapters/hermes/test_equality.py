"""One script, six surfaces, one turn (Q2): what a surface can say, it says alike."""

from __future__ import annotations

import pytest

from tests.adapters.hearing import HTTP, SURFACES, Hearing, blind
from turnreel.adapters.steps import (
    Answer,
    Ask,
    Break,
    Call,
    End,
    Interrupt,
    Reject,
    Return,
    Say,
    Script,
    Think,
    Unsayable,
)

RUN = {"command": "rm -rf /srv/acme"}

SCRIPTS: dict[str, tuple[Script, list[str]]] = {
    "tools": (
        (
            Answer((Think("Hm."), Say("I'll read."), Call("t1", "read_file")), "tool_use"),
            Return("t1"),
            Answer((Say("Now I'll run."), Call("t2", "terminal")), "tool_use"),
            Return("t2", outcome="failed"),
            Answer((Say("The total is 76."),)),
            End(),
        ),
        [
            "said I'll read.",
            "read_file file_read ok",
            "said Now I'll run.",
            "terminal command failed",
            'final "The total is 76." healthy',
        ],
    ),
    "parallel": (
        (
            Answer((Say("Both."), Call("t1", "terminal"), Call("t2", "terminal")), "tool_use"),
            Return("t1"),
            Return("t2"),
            Answer((Say("Done."),)),
            End(),
        ),
        [
            "said Both.",
            "terminal command ok",
            "terminal command ok",
            'final "Done." healthy',
        ],
    ),
    "silent tool": (
        (
            Answer((Call("t1", "search_files"),), "tool_use"),
            Return("t1"),
            Answer((Say("Found."),)),
            End(),
        ),
        ["search_files search ok", 'final "Found." healthy'],
    ),
    "retry": ((Reject(429), Answer((Say("Here."),)), End()), ['final "Here." healthy']),
    "dropped": (
        (
            Break("Calling a too"),
            Answer((Say("Calling a tool."), Call("t1", "terminal")), "tool_use"),
            Return("t1"),
            Answer((Say("Done."),)),
            End(),
        ),
        [
            "degraded provider_unavailable",
            "said Calling a tool.",
            "recovered provider_unavailable",
            "terminal command ok",
            'final "Done." recovered',
        ],
    ),
    "approved": (
        (
            Answer((Say("I must delete."), Call("t1", "terminal", RUN)), "tool_use"),
            Ask("t1", "allow"),
            Return("t1"),
            Answer((Say("Deleted."),)),
            End(),
        ),
        [
            "said I must delete.",
            "terminal command ok",
            "gate approval approved",
            'final "Deleted." healthy',
        ],
    ),
    "declined": (
        (
            Answer((Say("I must delete."), Call("t1", "terminal", RUN)), "tool_use"),
            Ask("t1", "deny"),
            Return("t1"),
            Answer((Say("Not deleted."),)),
            End(),
        ),
        [
            "said I must delete.",
            "terminal command declined",
            "gate approval declined",
            'final "Not deleted." healthy',
        ],
    ),
    "cancelled": ((Interrupt("tok0 tok1"),), ["cancelled healthy"]),
    "no answer": (
        (
            Answer((Say("Let me check."), Call("t1", "terminal")), "tool_use"),
            Return("t1"),
            End(),
        ),
        ["said Let me check.", "terminal command ok", "failed missing_final degraded"],
    ),
}

CANNOT = {
    "approved": {"hermes-session", "hermes-chat", "hermes-responses"},
    "declined": {"hermes-session", "hermes-chat", "hermes-responses"},
    "cancelled": {"hermes-session", "hermes-chat", "hermes-responses"},
}
"""What a surface has no words for; docs/dialects say so clause by clause."""


@pytest.mark.parametrize("dialect", SURFACES)
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_surface_tells_the_turn_or_says_that_it_cannot(name: str, dialect: str) -> None:
    script, told = SCRIPTS[name]
    if dialect in CANNOT.get(name, ()):
        with pytest.raises(Unsayable):
            Hearing(dialect).plays(script)
        return
    heard = Hearing(dialect).plays(script)
    assert sorted(blind(heard.run)) == sorted(blind(told))


@pytest.mark.parametrize("dialect", ["hermes-session", "hermes-runs", "hermes-tui"])
@pytest.mark.parametrize("name", ["tools", "dropped"])
def test_a_primary_surface_tells_how_tools_ended(name: str, dialect: str) -> None:
    script, told = SCRIPTS[name]
    assert sorted(Hearing(dialect).plays(script).run) == sorted(told)


@pytest.mark.parametrize("dialect", HTTP)
def test_the_answer_comes_from_the_stream_however_it_closes(dialect: str) -> None:
    script, _ = SCRIPTS["tools"]
    before = Hearing(dialect).plays(script)
    assert Hearing(dialect).plays(script).ends().events == before.events


@pytest.mark.parametrize("dialect", SURFACES)
def test_nothing_is_left_open(dialect: str) -> None:
    script, _ = SCRIPTS["tools"]
    heard = Hearing(dialect).plays(script)
    (_, state), *_ = heard.translator.state.adapters
    assert state.turns == {}
