"""Which faults may still fire, which did, and which never can.

Scheduling a fault reserves it, executing it fires it; a reservation that was not executed (the
client left first) is given back. So two exchanges at once cannot share the last firing of a
fault, and only what happened counts as fired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from .errors import PlanError
from .faults import Fault, Plan, spec_of
from .schedule import schedule
from .script import AgentScript, Exchange


class FaultCount(msgspec.Struct, frozen=True):
    """How often a planned fault was to fire and did."""

    fault: str
    planned: int
    fired: int


class Arming:
    """The state of a plan's faults while it is played."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._fired: Counter[int] = Counter()
        self._reserved: Counter[int] = Counter()

    @property
    def armed(self) -> frozenset[int]:
        """Indices of the faults that may fire now."""
        return frozenset(
            index
            for index, fault in enumerate(self._plan.faults)
            if self._fired[index] + self._reserved[index] < times_of(fault)
        )

    def reserve(self, faults: Iterable[int]) -> None:
        """These faults are scheduled once each."""
        self._reserved.update(faults)

    def settle(self, reserved: Iterable[int], fired: Iterable[int]) -> None:
        """A schedule that reserved `reserved` is over; of those, `fired` were executed."""
        self._reserved.subtract(reserved)
        self._fired.update(fired)

    def counts(self) -> tuple[FaultCount, ...]:
        """All faults of the plan, in its order."""
        return tuple(
            FaultCount(spec_of(fault), times_of(fault), self._fired[index])
            for index, fault in enumerate(self._plan.faults)
        )

    def check(self) -> None:
        """Raise PlanError naming the faults that did not fire as often as planned."""
        short = [count for count in self.counts() if count.fired < count.planned]
        if short:
            told = ", ".join(f"{c.fault} fired {c.fired} of {c.planned} times" for c in short)
            raise PlanError(f"a planned fault did not happen: {told}", "see the report's requests")


def times_of(fault: Fault) -> int:
    """How often the fault is to fire."""
    return getattr(fault, "times", 1)


def require_reachable(plan: Plan, scripts: Sequence[Exchange | AgentScript]) -> None:
    """Raise PlanError naming a fault that no script has a place for, and the closest there is."""
    for fault in plan.faults:
        alone = Plan((fault,), plan.seed, plan.pacing)
        if not any(schedule(script, alone).faults for script in scripts):
            raise PlanError(f"{spec_of(fault)} can never happen here", _closest(scripts))


def _closest(scripts: Sequence[Exchange | AgentScript]) -> str:
    if not scripts:
        return "the cassette holds nothing to play"
    told = []
    for script in scripts[:4]:
        match script:
            case Exchange(number=number, events=events, size=size):
                told.append(f"exchange {number} has {len(events)} events, {size} bytes")
            case AgentScript(lines=lines):
                told.append(f"the agent printed {lines} lines")
    return "; ".join(told) + ("; …" if len(scripts) > 4 else "")
