"""Completion scripts, and what they complete."""

from __future__ import annotations

import pytest

from tests.cli.command import Turnreel


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(turnreel: Turnreel, shell: str) -> None:
    answer = turnreel("completion", shell)
    assert answer.status == 0
    assert f"_TURNREEL_COMPLETE={shell}_complete" in answer.out


def test_commands_are_completed(turnreel: Turnreel) -> None:
    asked = {"_TURNREEL_COMPLETE": "bash_complete", "COMP_WORDS": "turnreel re", "COMP_CWORD": "1"}
    answer = turnreel(env=asked)
    assert set(answer.out.split()) == {"plain,record", "plain,recover"}


def test_clauses_are_completed(turnreel: Turnreel) -> None:
    words = "turnreel explain --clause R"
    asked = {"_TURNREEL_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": "3"}
    told = turnreel(env=asked).out.split()
    assert told == [f"plain,R{number}" for number in range(1, 10)]
