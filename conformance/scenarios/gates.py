"""Turns in which a person is asked."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.steps import (
    Ask,
    Interrupt,
    Question,
    Reply,
    Return,
    Step,
    Tell,
    Withdraw,
)
from turnreel.lifecycle.signals import Parked

from .pieces import MUST_GO, RUN, answered
from .scenario import Scenario

_RAN: Final = Return(RUN.tool)
_FAILED: Final = Return(RUN.tool, "nobody answered", "failed")


def _of(*steps: Step) -> tuple[Step, ...]:
    return (MUST_GO, *steps)


GATES: Final = (
    Scenario(
        "approved",
        "The person is asked before a command runs, and approves.",
        ("G7", "T10"),
        _of(Ask(RUN.tool, "allow"), _RAN, *answered("They are gone.")),
        """
run
  commentary "The old sheets must go."
  activity command command ok
  gate approval approved
  final "They are gone." healthy
""",
        tier="extended",
    ),
    Scenario(
        "declined",
        "The person declines: the command did not run, and the turn goes on.",
        ("G7", "T9"),
        _of(Ask(RUN.tool, "deny"), _RAN, *answered("They stay.")),
        """
run
  commentary "The old sheets must go."
  activity command command declined
  gate approval declined
  final "They stay." healthy
""",
        tier="extended",
    ),
    Scenario(
        "withdrawn",
        "What was asked is taken back: nobody can answer it any more.",
        ("G5", "G7"),
        _of(Ask(RUN.tool, None), Withdraw(RUN.tool), _FAILED, *answered("They stay.")),
        """
run
  commentary "The old sheets must go."
  activity command command failed
  gate approval withdrawn
  final "They stay." healthy
""",
        tier="extended",
    ),
    Scenario(
        "expired",
        "A command ends although nobody answered: what was asked has expired.",
        ("G7", "T9"),
        _of(Ask(RUN.tool, None), _FAILED, *answered("They stay.")),
        """
run
  commentary "The old sheets must go."
  activity command command declined
  gate approval expired
  final "They stay." healthy
""",
        tier="extended",
    ),
    Scenario(
        "answered-late",
        "An answer that comes when the gate is closed changes nothing.",
        ("G5",),
        _of(
            Ask(RUN.tool, None),
            _FAILED,
            Reply(RUN.tool, "allow"),
            *answered("They stay."),
        ),
        """
run
  commentary "The old sheets must go."
  activity command command declined
  gate approval expired
  final "They stay." healthy
""",
        tier="extended",
    ),
    Scenario(
        "asked-a-detail",
        "The person is asked for a detail and gives it: a gate, and neither text nor answer.",
        ("G7", "C1"),
        (
            Question("ask_0001", "Which sheet?", ("north", "south")),
            *answered("North makes 41."),
        ),
        """
run
  gate question answered
  final "North makes 41." healthy
""",
        tier="extended",
    ),
    Scenario(
        "parked-and-continued",
        "A gate that the host parks ends the run; its answer opens one that continues it.",
        ("T5", "T9", "R9"),
        _of(
            Ask(RUN.tool, None),
            Tell(Parked()),
            Reply(RUN.tool, "allow"),
            _RAN,
            *answered("They are gone."),
        ),
        """
run
  commentary "The old sheets must go."
  activity command command unknown
  gate approval parked
  needs_input "Allow this?" healthy
run
  final "They are gone." healthy
""",
        tier="extended",
    ),
    Scenario(
        "cancelled-while-asked",
        "The person cancels instead of answering: the gate is withdrawn, the command never ran.",
        ("T7", "T9"),
        _of(Ask(RUN.tool, None), Interrupt()),
        """
run
  commentary "The old sheets must go."
  activity command command cancelled
  gate approval withdrawn
  cancelled healthy
""",
        "cancels",
        tier="extended",
    ),
)
