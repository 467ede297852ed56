"""Scripts rendered as the app-server's lines: the turn that comes out is the one written."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.codex_app_server.render import lines
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

SCRIPTS: dict[str, tuple[Script, str]] = {
    "several tools": (
        (
            Answer((Think("hm"), Say("First a.csv."), Call("call_1", "cat")), "tool_use"),
            Return("call_1", "1,2"),
            Answer((Say("Now b.csv."), Call("call_2", "fileChange")), "tool_use"),
            Return("call_2", "gone", "failed"),
            Answer((Say("Total is 76."),)),
            End(),
        ),
        """
        run
          commentary 'First a.csv.'
          activity commandExecution command ok
          commentary 'Now b.csv.'
          activity fileChange file_change failed
          final 'Total is 76.' healthy
        """,
    ),
    "a retry": (
        (Reject(429), Reject(529), Answer((Say("Recovered."),)), End()),
        """
        run
          health degraded rate_limited
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Recovered.' recovered
        """,
    ),
    "a broken answer": (
        (Break("Half a sen", (Say("Looking."),)), Answer((Say("Whole."),)), End()),
        """
        run
          commentary 'Looking.'
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Whole.' recovered
        """,
    ),
    "approvals": (
        (
            Answer((Call("call_1", "ls"),), "tool_use"),
            Ask("call_1", "allow"),
            Return("call_1"),
            Answer((Call("call_2", "rm"),), "tool_use"),
            Ask("call_2", "deny"),
            Return("call_2"),
            Answer((Say("Done."),)),
            End(),
        ),
        """
        run
          activity commandExecution command ok
          gate approval approved
          activity commandExecution command declined
          gate approval declined
          final 'Done.' healthy
        """,
    ),
    "a limit": (
        (Answer((Say("Cut"),), "max_tokens"), End()),
        """
        run
          failed output_truncated healthy
        """,
    ),
    "a cancel": ((Interrupt("tok0 tok1"),), "\nrun\n  cancelled healthy\n"),
    "nothing said": ((Answer(()), End()), "\nrun\n  failed missing_final degraded\n"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_turn_is_the_one_that_was_written(session: Session, name: str) -> None:
    script, expected = SCRIPTS[name]
    for side, line in lines(script):
        (session.hears if side == "in" else session.prints)(line)
    session.shows(expected)


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_same_script_gives_the_same_lines(name: str) -> None:
    script, _ = SCRIPTS[name]
    assert lines(script) == lines(script)
