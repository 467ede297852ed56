"""Turns in which an agent works: it comments, runs tools, plans and answers."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.steps import (
    Again,
    Answer,
    Call,
    End,
    Plan,
    Resume,
    Return,
    Say,
    Tell,
    Think,
)
from turnreel.lifecycle.events import PlanItem
from turnreel.lifecycle.signals import Closed, Produced, Reopened

from .pieces import LOOK, RUN, TOTAL, answered
from .scenario import Scenario

WORKING: Final = (
    Scenario(
        "several-tools",
        "Two comments, two tools of which one fails and is overcome, and one answer.",
        ("C1", "C2", "C4", "T10", "T1"),
        (
            Answer((Think("Hm."), Say("I'll count the rows first."), RUN), "tool_use"),
            Return(RUN.tool, "no such file", "failed"),
            Answer((Say("I mend the path."), Call("call_0002", "file_change")), "tool_use"),
            Return("call_0002"),
            *answered("The total is **76**."),
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
        "parallel-tools",
        "Two tools run at once and return in another order: each keeps its own state.",
        ("T10", "C1"),
        (
            Answer((Say("Both at once."), RUN, Call("call_0002", "file_change")), "tool_use"),
            Return("call_0002"),
            Return(RUN.tool, "3 rows"),
            *TOTAL,
        ),
        """
run
  commentary "Both at once."
  activity command command ok
  activity file_change file_change ok
  final "The total is 76." healthy
""",
    ),
    Scenario(
        "planned",
        "A plan replaces the former one and is no text.",
        ("Y", "C1"),
        (
            Plan("plan_0001", (PlanItem("Count", "active"), PlanItem("Add up", "pending"))),
            *LOOK,
            Plan("plan_0002", (PlanItem("Count", "done"), PlanItem("Add up", "done"))),
            *TOTAL,
        ),
        """
run
  plan done "Count" done "Add up"
  commentary "I must look first."
  activity command command ok
  final "The total is 76." healthy
""",
        tier="extended",
    ),
    Scenario(
        "resumed",
        "What a resumed session had said in former turns is not said again.",
        ("R6",),
        (Resume("The total was 70."), *TOTAL),
        """
run
  final "The total is 76." healthy
""",
        whole="resumes",
    ),
    Scenario(
        "reconnected",
        "The connection is lost and comes back: the run goes on as if nothing had been.",
        ("R1", "T4"),
        (*LOOK, Tell(Closed()), Tell(Reopened()), *TOTAL),
        """
run
  commentary "I must look first."
  activity command command ok
  final "The total is 76." healthy
""",
    ),
    Scenario(
        "told-again",
        "The stream is lost and told again from its beginning: nothing is shown twice.",
        ("R2", "R8"),
        (*LOOK, Tell(Closed()), Tell(Reopened()), Again(), *TOTAL),
        """
run
  commentary "I must look first."
  activity command command ok
  final "The total is 76." healthy
""",
        whole="replays",
    ),
    Scenario(
        "artifact-only",
        "A turn that only produced something is answered by it, without a word.",
        ("C5", "Y"),
        (
            *LOOK,
            Tell(Produced(artifact="sheet", name="totals.csv", media_type="text/csv")),
            Answer(()),
            End(),
        ),
        """
run
  commentary "I must look first."
  activity command command ok
  artifact "totals.csv"
  final "" healthy
""",
    ),
)
