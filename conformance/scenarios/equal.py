"""Turns that every agent can have: each is played in every dialect and must come out alike (Q2)."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.steps import (
    Answer,
    Ask,
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
    Think,
)

from .scenario import Scenario

_RUN: Final = Call("call_0001", "command", {"command": "rm -r old"})
_LOOK: Final[Script] = (
    Answer((Say("I must look first."), _RUN), "tool_use"),
    Return("call_0001", "3 rows"),
)


def _asked(verdict: str, answer: str) -> Script:
    return (
        Answer((Say("The old sheets must go."), _RUN), "tool_use"),
        Ask("call_0001", "allow" if verdict == "allow" else "deny"),
        Return("call_0001"),
        Answer((Say(answer),)),
        End(),
    )


EQUAL: Final = (
    Scenario(
        "several-tools",
        "Two comments, two tools of which one fails and is overcome, and one answer.",
        (
            Answer((Think("Hm."), Say("I'll count the rows first."), _RUN), "tool_use"),
            Return("call_0001", "no such file", "failed"),
            Answer((Say("I mend the path."), Call("call_0002", "file_change")), "tool_use"),
            Return("call_0002"),
            Answer((Say("The total is **76**."),)),
            End(),
        ),
        """
run
  commentary "I'll count the rows first."
  activity command command failed
  commentary "I mend the path."
  activity file_change file_change ok
  final "The total is **76**." healthy
""",
    ),
    Scenario(
        "approved",
        "The person is asked before a command runs, and approves.",
        _asked("allow", "They are gone."),
        """
run
  commentary "The old sheets must go."
  activity command command ok
  gate approval approved
  final "They are gone." healthy
""",
    ),
    Scenario(
        "declined",
        "The person declines: the command did not run, and the turn goes on.",
        _asked("deny", "They stay."),
        """
run
  commentary "The old sheets must go."
  activity command command declined
  gate approval declined
  final "They stay." healthy
""",
    ),
    Scenario(
        "retried",
        "A request that the provider rejected and that was repeated fails nothing.",
        (Reject(429), Answer((Say("The total is 76."),)), End()),
        """
run
  health degraded rate_limited
  health recovered rate_limited
  final "The total is 76." recovered
""",
    ),
    Scenario(
        "broken-off",
        "What an answer had said before it broke off is not said twice and is no answer.",
        (Break("I must look fi"), *_LOOK, Answer((Say("The total is 76."),)), End()),
        """
run
  health degraded provider_unavailable
  health recovered provider_unavailable
  commentary "I must look first."
  activity command command ok
  final "The total is 76." recovered
""",
        "cuts",
    ),
    Scenario(
        "refused",
        "A request that cannot succeed is one failure with its code, and its words are no answer.",
        (*_LOOK, Fail(400)),
        """
run
  commentary "I must look first."
  activity command command ok
  failed bad_request degraded
""",
        "failures",
    ),
    Scenario(
        "cancelled",
        "The person cancels while an answer is being said: it is none.",
        (*_LOOK, Interrupt("The total is")),
        """
run
  commentary "I must look first."
  activity command command ok
  cancelled healthy
""",
        "cancels",
    ),
    Scenario(
        "resumed",
        "What a resumed session had said in former turns is not said again.",
        (Resume("The total was 70."), Answer((Say("The total is 76."),)), End()),
        """
run
  final "The total is 76." healthy
""",
        "resumes",
    ),
    Scenario(
        "unanswered",
        "A turn that ends well and says nothing is a failure; its commentary is no answer.",
        (*_LOOK, Answer(()), End()),
        """
run
  commentary "I must look first."
  activity command command ok
  failed missing_final degraded
""",
        "missing_answers",
    ),
)
