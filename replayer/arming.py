"""Which faults may still fire, which did, and which never can.

Scheduling a fault reserves it, executing it fires it; a reservation that was not executed (the
client left first) is given back. So two exchanges at once cannot share the last firing of a
fault, and only what happened counts as fired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from .errors import PlanError
from .faults import Fault, Plan, spec_of
from .schedule import arrange
from .script import AgentScript, Exchange

Reach = Mapping[int, tuple[str, ...]]
"""Which recorded streams have a place for a fault of the plan, by its index."""

SHOWN: Final = 4
"""How many streams are named where none has a place."""


class FaultCount(msgspec.Struct, frozen=True):
    """How often a planned fault was to fire and did; one that was disarmed need not."""

    fault: str
    planned: int
    fired: int
    disarmed: bool = False

    @property
    def is_short(self) -> bool:
        """Whether it fired less often than it still ought to."""
        return not self.disarmed and self.fired < self.planned


class Arming:
    """The state of a plan's faults while it is played. `reach`, as `require_reachable` returns it,
    lets an error say where a fault that did not happen would have.
    """

    def __init__(self, plan: Plan, reach: Reach | None = None) -> None:
        self._planned = self._plan = plan
        self._reach = dict(reach or {})
        self._disarmed: set[int] = set()
        self._fired: Counter[int] = Counter()
        self._reserved: Counter[int] = Counter()

    @property
    def armed(self) -> frozenset[int]:
        """Indices of the faults that may fire now."""
        return frozenset(
            index
            for index, fault in enumerate(self._plan.faults)
            if index not in self._disarmed
            and self._fired[index] + self._reserved[index] < times_of(fault)
        )

    @property
    def plan(self) -> Plan:
        """The plan as it stands."""
        return self._plan

    def arm(self, faults: Sequence[Fault], reach: Reach | None = None) -> None:
        """Add faults to the plan. `reach` is theirs, by their place among them."""
        known = len(self._plan.faults)
        self._plan = replace(self._plan, faults=(*self._plan.faults, *faults))
        self._reach.update({known + index: streams for index, streams in (reach or {}).items()})

    def disarm(self, index: int) -> None:
        """A fault of the plan fires no more and need not. Raises PlanError if there is none."""
        if not 0 <= index < len(self._plan.faults):
            raise PlanError(f"there is no fault {index}", "the state lists them, from 0")
        self._disarmed.add(index)

    def reset(self) -> None:
        """The plan as it was in the beginning, as if nothing had fired."""
        self._plan = self._planned
        self._disarmed.clear()
        self._fired.clear()

    def reserve(self, faults: Iterable[int]) -> None:
        """These faults are scheduled once each."""
        self._reserved.update(faults)

    def settle(self, reserved: Iterable[int], fired: Iterable[int]) -> None:
        """A schedule that reserved `reserved` is over; of those, `fired` were executed, each once
        however many of its steps were.
        """
        self._reserved.subtract(reserved)
        self._fired.update(frozenset(fired))

    def counts(self) -> tuple[FaultCount, ...]:
        """All faults of the plan, in its order."""
        return tuple(
            FaultCount(spec_of(fault), times_of(fault), self._fired[index], index in self._disarmed)
            for index, fault in enumerate(self._plan.faults)
        )

    def check(self) -> None:
        """Raise PlanError naming the faults that did not fire as often as planned, and where each
        would have.
        """
        short = [
            f"{count.fault} fired {count.fired} of {count.planned} times{self._closest(index)}"
            for index, count in enumerate(self.counts())
            if count.is_short
        ]
        if short:
            told = f"a planned fault did not happen: {', '.join(short)} (seed {self._plan.seed})"
            raise PlanError(told, "see the report's requests")

    def _closest(self, index: int) -> str:
        streams = self._reach.get(index, ())
        more = ", …" if len(streams) > SHOWN else ""
        return f"; closest: {', '.join(streams[:SHOWN])}{more} has its place" if streams else ""


def times_of(fault: Fault) -> int:
    """How often the fault is to fire."""
    return getattr(fault, "times", 1)


def require_reachable(plan: Plan, scripts: Sequence[Exchange | AgentScript]) -> Reach:
    """Where each fault of the plan can happen. Raises PlanError naming a fault that no script has
    a place for, why not, and the closest there is.
    """
    reach: dict[int, tuple[str, ...]] = {}
    for index, fault in enumerate(plan.faults):
        made = [(script, arrange(script, plan, (index,))) for script in scripts]
        reach[index] = tuple(
            name_of(script) for script, arranged in made if arranged.schedule.faults
        )
        if not reach[index]:
            reasons = [
                f"{name_of(script)} {arranged.misfits.get(index, 'has no place for it')}"
                for script, arranged in made
            ]
            told = "; ".join(reasons[:SHOWN]) + ("; …" if len(reasons) > SHOWN else "")
            raise PlanError(
                f"{spec_of(fault)} can never happen here",
                told or "the cassette holds nothing to play",
            )
    return reach


def name_of(script: Exchange | AgentScript) -> str:
    """What a stream is called in messages."""
    if not isinstance(script, Exchange):
        return "the agent's stdout"
    return f"exchange {script.number}" + (f", answer {script.turn}" if script.turn else "")
