"""Pieces that several scenarios are made of."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.steps import Answer, Call, End, Return, Say, Script, Step

RUN: Final = Call("call_0001", "command", {"command": "rm -r old"})
CALLS: Final = Answer((Say("I must look first."), RUN), "tool_use")
LOOK: Final[Script] = (CALLS, Return(RUN.tool, "3 rows"))
TOTAL: Final[Script] = (Answer((Say("The total is 76."),)), End())
MUST_GO: Final = Answer((Say("The old sheets must go."), RUN), "tool_use")


def answered(text: str) -> tuple[Step, Step]:
    """The model answers, and the turn ends."""
    return Answer((Say(text),)), End()
