"""`schedule`: a recording and a plan to timed steps. Pure; chance comes from the plan's seed.

Rules of this file
- Without faults the bytes of a schedule are the bytes of the recording, in order.
- A refusal (no answer, or an error status) stands in place of the recorded exchange. Otherwise
  what the stream says is edited, then its pace and packaging, each in the plan's order; then the
  earliest ending ends it.
- Places are resolved in what was recorded, before anything is changed.
- Times are the recorded ones under the plan's pacing, from the request or the agent's start.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec
from msgspec.structs import replace

from turnreel.adapters.registry import forger, provider
from turnreel.wire.encode import encode

from .editing import Steps, edited
from .ending import Due, ended, in_character, inside
from .faults import Fault, Plan, place_of
from .faults.places import AtEvent
from .faults.process import PartialLine
from .faults.transport import Close, Cut, Refuse, Reslice, Status, Truncate
from .placing import Misfit, Resolved, Spot, resolved, spot_of
from .recorded import agent_steps, exchange_steps, paced
from .script import (
    AgentScript,
    Exchange,
)
from .shaping import shaped
from .steps import Break, End, Head, Schedule, Send, Step


class Arrangement(msgspec.Struct, frozen=True):
    """A schedule, and why faults that were due are not in it: index in the plan to the reason, a
    sentence that continues "the exchange …".
    """

    schedule: Schedule
    misfits: dict[int, str]


def schedule(
    script: Exchange | AgentScript, plan: Plan, armed: Collection[int] | None = None
) -> Schedule:
    """The timed steps that play `script` under `plan`.

    `armed` are the indices of the plan's faults that may still fire, all unless told. Equal
    arguments give equal schedules. A fault whose place the script does not reach is simply not
    in `Schedule.faults`: `arrange` says why, and who runs the plan reports it (see `arming`).
    """
    return arrange(script, plan, armed).schedule


def arrange(
    script: Exchange | AgentScript, plan: Plan, armed: Collection[int] | None = None
) -> Arrangement:
    """The schedule of `script` under `plan`, with the reason for each armed fault that it has no
    place for.
    """
    due = [index for index in range(len(plan.faults)) if armed is None or index in armed]
    made = _Arranging(script, plan)
    steps = made.steps(due)
    return Arrangement(Schedule(tuple(steps)), made.misfits)


class _Arranging:
    """One schedule in the making. A fault that turns out to have no place is left out from there
    on.
    """

    def __init__(self, script: Exchange | AgentScript, plan: Plan) -> None:
        self._script = script
        self._plan = plan
        self._forger = forger(script.dialect)
        self._places: dict[int, Resolved] = {}
        self._spots: dict[int, Spot] = {}
        self.misfits: dict[int, str] = {}

    def steps(self, due: Iterable[int]) -> Steps:
        """The steps under the plan's faults `due`."""
        due = [index for index in due if self._concerns(index)]
        match self._script:
            case Exchange() as exchange:
                for index in due:
                    if isinstance(fault := self._plan.faults[index], Status | Refuse):
                        return list(_refusal(exchange, fault, index))
                steps = list(exchange_steps(exchange))
            case AgentScript() as script:
                steps = list(agent_steps(script))
        recorded = steps
        due = [index for index in due if self._fits(index, self._resolve, recorded)]
        steps = self._each(due, self._edit, steps)
        due = [index for index in due if self._fits(index, self._locate, steps)]
        steps = self._paced(steps)
        steps = self._each(due, self._shape, steps)
        return ended(
            steps,
            [
                Due(index, self._plan.faults[index], self._spots[index])
                for index in due
                if index in self._spots and index not in self.misfits
            ],
        )

    def _fits(self, index: int, step: Callable[[int, Steps], object], steps: Steps) -> bool:
        """Whether `step` finds what fault `index` needs in `steps`."""
        try:
            step(index, steps)
        except Misfit as misfit:
            self.misfits[index] = str(misfit)
        return index not in self.misfits

    def _each(self, due: Iterable[int], step: Callable[[int, Steps], Steps], steps: Steps) -> Steps:
        """`steps` after `step` of each fault in turn."""
        for index in due:
            try:
                steps = step(index, steps)
            except Misfit as misfit:
                self.misfits[index] = str(misfit)
        return steps

    def _concerns(self, index: int) -> bool:
        only = getattr(self._plan.faults[index], "exchange", None)
        if not isinstance(self._script, Exchange) or only in (None, self._script.number):
            return True
        self.misfits[index] = f"is not exchange {only}"
        return False

    def _resolve(self, index: int, recorded: Steps) -> None:
        place = place_of(self._plan.faults[index])
        if place is not None:
            seed = self._plan.seed
            lot = f"{seed}/{self._script.number}" if isinstance(self._script, Exchange) else seed
            self._places[index] = resolved(place, recorded, f"{lot}/{index}", self._forger)

    def _number(self, index: int) -> int | None:
        """The event that fault `index` is about, if it is about one."""
        place = self._places.get(index)
        return place.event if isinstance(place, AtEvent) else None

    def _edit(self, index: int, steps: Steps) -> Steps:
        fault = self._plan.faults[index]
        return edited(steps, fault, self._number(index), index, self._forger)

    def _locate(self, index: int, steps: Steps) -> None:
        """Find the moment of a fault that has one, on a carrier that can have the fault."""
        fault, place = self._plan.faults[index], self._places.get(index)
        number = self._number(index) or 0
        self._carries(fault, steps)
        match fault:
            case Truncate(inside="character"):
                self._spots[index] = in_character(steps, number)
            case Truncate() | PartialLine():
                self._spots[index] = inside(steps, number)
            case _ if place is not None:
                self._spots[index] = spot_of(place, steps)

    def _carries(self, fault: Fault, steps: Steps) -> None:
        """Raise Misfit for what the stream's carrier does not have."""
        script = self._script
        piped = isinstance(script, AgentScript)
        web = isinstance(script, Exchange) and script.carrier == "websocket"
        match fault:
            case Cut(how="reset" | "chunk" as how) | Truncate(how="reset" | "chunk" as how) if (
                piped
            ):
                raise Misfit(f"is a pipe, which has no {how}; use clean, or kill")
            case Cut(how="chunk") | Truncate(how="chunk") if not Schedule(tuple(steps)).chunked:
                raise Misfit("has a body without chunks; use clean")
            case Reslice() if web:
                raise Misfit("is a WebSocket, whose messages are whole")
            case Close() if not web:
                raise Misfit("is no WebSocket")
            case _:
                pass

    def _paced(self, steps: Steps) -> Steps:
        scale = self._plan.pacing.scale
        self._spots = {
            index: replace(spot, at_us=scale(spot.at_us)) for index, spot in self._spots.items()
        }
        return list(paced(steps, self._plan.pacing))

    def _shape(self, index: int, steps: Steps) -> Steps:
        fault, spot = self._plan.faults[index], self._spots.get(index)
        return shaped(steps, fault, spot, self._number(index), index)


def _refusal(exchange: Exchange, fault: Status | Refuse, index: int) -> Iterator[Step]:
    if isinstance(fault, Refuse):
        yield Break(0, "reset", (index,))
        return
    spoken, told = provider(exchange.dialect), "replayed with a planned fault"
    if exchange.carrier == "websocket":
        unit = spoken.refusal(fault.status, told, fault.retry_after)
        yield Send(0, encode(unit), unit, faults=(index,))
        yield End(0)
        return
    unit = spoken.error(fault.status, told)
    data = encode(unit)
    retry = () if fault.retry_after is None else (("retry-after", str(fault.retry_after)),)
    headers = (("content-type", "application/json"), *retry)
    yield Head(0, fault.status, headers, "length", len(data), (index,))
    yield Send(0, data, unit)
    yield End(0)
