"""Scripts rendered as Claude Code's lines: the turn that comes out is the one that was written."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.claude_stream_json.render import lines
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
)

Session = Any

SCRIPTS: dict[str, tuple[Script, list[str]]] = {
    "several tools": (
        (
            Answer((Think("hm"), Say("First a.csv."), Call("toolu_1", "Read")), "tool_use"),
            Return("toolu_1", "1,2"),
            Answer((Say("Now b.csv."), Call("toolu_2", "Read")), "tool_use"),
            Return("toolu_2", "gone", "failed"),
            Answer((Say("Total is 76."),)),
            End(),
        ),
        [
            "said First a.csv.",
            "Read file_read ok",
            "said Now b.csv.",
            "Read file_read failed",
            'final "Total is 76." healthy',
        ],
    ),
    "a retry": (
        (Reject(429), Reject(529), Answer((Say("Recovered."),)), End()),
        [
            "degraded rate_limited",
            "degraded provider_unavailable",
            "recovered provider_unavailable",
            'final "Recovered." recovered',
        ],
    ),
    "a broken answer": (
        (Break("Half a sen"), Answer((Say("Whole."),)), End()),
        [
            "degraded provider_unavailable",
            "recovered provider_unavailable",
            'final "Whole." recovered',
        ],
    ),
    "a broken answer that is continued": (
        (Break("Half", (Say("Kept."),)), Answer((Say("Rest."),)), End()),
        [
            "degraded provider_unavailable",
            "recovered provider_unavailable",
            'final "Kept.Rest." recovered',
        ],
    ),
    "an approval": (
        (
            Answer((Call("toolu_1", "Write"),), "tool_use"),
            Ask("toolu_1", "allow"),
            Return("toolu_1"),
            Answer((Call("toolu_2", "Bash", {"command": "ls"}),), "tool_use"),
            Ask("toolu_2", "deny"),
            Return("toolu_2"),
            Answer((Say("Done."),)),
            End(),
        ),
        [
            "Write file_change ok",
            "gate approval approved",
            "Bash command declined",
            "gate approval declined",
            'final "Done." healthy',
        ],
    ),
    "a cancel": ((Interrupt("tok0 tok1"),), ["cancelled healthy"]),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_turn_is_the_one_that_was_written(session: Session, name: str) -> None:
    script, expected = SCRIPTS[name]
    for side, line in lines(script):
        (session.hears if side == "in" else session.prints)(line)
    assert session.run == expected


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_same_script_gives_the_same_lines(name: str) -> None:
    script, _ = SCRIPTS[name]
    assert lines(script) == lines(script)
