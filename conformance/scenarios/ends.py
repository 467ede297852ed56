"""How a turn ends: once, whatever comes later; and by a person's wish only where there was one."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.steps import Answer, End, Fail, Interrupt, Reject, Say

from .pieces import CALLS, LOOK, TOTAL
from .scenario import Scenario

_LATE: Final = """
run
  commentary "I must look first."
  activity command command ok
  final "The total is 76." healthy
"""

ENDS: Final = (
    Scenario(
        "cancelled",
        "The person cancels while an answer is being said: it is none.",
        ("T7", "C3"),
        (*LOOK, Interrupt("The total is")),
        """
run
  commentary "I must look first."
  activity command command ok
  cancelled healthy
""",
        "cancels",
        tier="extended",
    ),
    Scenario(
        "cancelled-in-a-tool",
        "The person cancels while a command runs: it is cancelled with the turn.",
        ("T7", "T9"),
        (CALLS, Interrupt()),
        """
run
  commentary "I must look first."
  activity command command cancelled
  cancelled healthy
""",
        "cancels",
        tier="extended",
    ),
    Scenario(
        "cancelled-in-backoff",
        "The person cancels while the runtime waits to try again: its trouble stays on record.",
        ("T7", "O2"),
        (Reject(429), Interrupt()),
        """
run
  health degraded rate_limited
  cancelled degraded
""",
        tier="extended",
    ),
    Scenario(
        "said-too-late",
        "What is said when the turn is over changes nothing.",
        ("T2", "T6"),
        (*LOOK, *TOTAL, Answer((Say("And one more thing."),))),
        _LATE,
    ),
    Scenario(
        "ended-twice",
        "A second terminal changes nothing.",
        ("T1", "T2"),
        (*LOOK, *TOTAL, End()),
        _LATE,
    ),
    Scenario(
        "ended-at-odds",
        "A failure that follows a success changes nothing.",
        ("T1", "T2", "T6"),
        (*LOOK, *TOTAL, Fail(400)),
        _LATE,
    ),
)
