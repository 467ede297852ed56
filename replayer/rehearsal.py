"""A dry run: what a plan would do to which event of a cassette, without playing it.

It supposes one client, or host, that asks for every exchange in recorded order, takes what comes
to its end, and asks again for what a fault spoilt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from .arming import Arming, name_of, require_reachable
from .faults import Plan, word_of
from .plan import require
from .schedule import schedule
from .script import AgentScript, Exchange
from .shelf import Shelf, opened
from .steps import render
from .tape import Tape


def rehearse_provider(cassettes: Path | Tape | Sequence[Path | Tape], plan: Plan) -> Iterator[str]:
    """What `serve` would do, as lines for people. They show no content of any event. Raises
    ReplayError and PlanError as serving would, the latter also for a fault that would not happen.
    """
    yield from _rehearsed(Shelf(opened(cassettes)).exchanges, require(plan, "server"))


def rehearse_client(tape: Tape, plan: Plan) -> Iterator[str]:
    """Where `client` would leave, likewise."""
    yield from _rehearsed(tape.provider().exchanges, require(plan, "client"))


def rehearse_agent(tape: Tape, plan: Plan) -> Iterator[str]:
    """What `shim` would do, likewise."""
    yield from _rehearsed((tape.agent_script(),), require(plan, "agent"))


def _rehearsed(scripts: tuple[Exchange | AgentScript, ...], plan: Plan) -> Iterator[str]:
    arming = Arming(plan, require_reachable(plan, scripts))
    yield f"seed {plan.seed}, pacing {plan.pacing.factor:g}x"
    for script in scripts:
        again = True
        while again:
            made = schedule(script, plan, arming.armed)
            arming.settle((), made.faults)
            target = f" {script.method} {script.path}" if isinstance(script, Exchange) else ""
            if made.faults:
                yield f"{name_of(script)}{target}:"
                yield from render(made, plan)
            else:
                yield f"{name_of(script)}{target}: as recorded"
            again = isinstance(script, Exchange) and any(
                word_of(plan.faults[index]).leaves == "spoilt" for index in made.faults
            )
    arming.check()
