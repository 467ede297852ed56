"""Turns in which a provider, a runtime or a connection has trouble."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.steps import (
    Answer,
    Break,
    End,
    Fail,
    Foreign,
    Reject,
)

from .pieces import CALLS, LOOK, TOTAL
from .scenario import Scenario


def _failure(status: int, code: str) -> Scenario:
    return Scenario(
        f"failed-{code.replace('_', '-')}",
        f"A request that is rejected for good with {status} is one failure, {code}.",
        ("T8", "C5"),
        (*LOOK, Fail(status)),
        f"""
run
  commentary "I must look first."
  activity command command ok
  failed {code} degraded
""",
        "failures",
    )


TROUBLE: Final = (
    Scenario(
        "retried",
        "A request that the provider rejected and that was repeated fails nothing.",
        ("O3", "O2", "T3"),
        (Reject(429), *TOTAL),
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
        ("R8", "C7", "O2"),
        (Break("I must look fi"), *LOOK, *TOTAL),
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
    _failure(400, "bad_request"),
    _failure(401, "auth"),
    _failure(404, "not_found"),
    _failure(500, "provider_unavailable"),
    Scenario(
        "exhausted",
        "A runtime that tries again in vain and gives up has failed once, with one code.",
        ("R7", "O3", "T8"),
        (Reject(429), Reject(429), Fail(429)),
        """
run
  health degraded rate_limited
  failed rate_limited degraded
""",
    ),
    Scenario(
        "unanswered",
        "A turn that ends well and says nothing is a failure; its commentary is no answer.",
        ("C5", "C3"),
        (*LOOK, Answer(()), End()),
        """
run
  commentary "I must look first."
  activity command command ok
  failed missing_final degraded
""",
        "missing_answers",
    ),
    Scenario(
        "disconnected",
        "A stream that ends in a tool, without a terminal, is incomplete whatever it exits with.",
        ("T4", "T3", "T9"),
        (CALLS,),
        """
run
  commentary "I must look first."
  activity command command unknown
  failed incomplete degraded
""",
    ),
    Scenario(
        "failed-elsewhere",
        "Another thread of the connection fails: this one goes on.",
        ("O6", "O4", "T3"),
        (*LOOK, Foreign(400), *TOTAL),
        """
run
  commentary "I must look first."
  activity command command ok
  final "The total is 76." healthy
""",
        tier="extended",
    ),
)
