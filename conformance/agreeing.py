"""What came of playing a scenario, told as a result: the same for adapters of this process and for
one in another.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnreel.adapters.claims import Claims
from turnreel.cassettes.turnfile import render_turns
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import ActivityEntry, RunView, fold

from . import explain
from .findings import Check, Finding, Result
from .recording import Recording
from .scenarios import Agreement, Scenario


def agreed(
    result: Result,
    agreement: Agreement,
    scenario: Scenario,
    claims: Claims,
    told: Sequence[AnyEvent] = (),
    recording: Recording | None = None,
) -> Result:
    """`result` with what came of comparing the turns; `told` are the events that came out, of
    `recording`. A skip has the reason that the dialect declares, a disagreement is one finding.
    """
    cases: dict[Check, int] = {**result.cases, "scenario": 1}
    result = replace(result, cases=cases, limits=agreement.limits)
    if agreement.state == "unsaid":
        whys = dict.fromkeys(claims.of(subject).why for subject in agreement.limits)
        return replace(result, skipped="; ".join(whys))
    if not agreement.faults:
        return result
    finding = Finding(
        check="scenario",
        clause=agreement.clause,
        message=f"{scenario.requirement} {'; '.join(agreement.faults)}",
        expected=tuple(scenario.turn.strip().splitlines()),
        frames=explain.frames(recording) if recording is not None else (),
        actual=tuple(render_turns(map(_as_compared, fold(told))).splitlines()),
    )
    return replace(result, findings=(*result.findings, finding))


def _as_compared(view: RunView) -> RunView:
    """A run in the words of a scenario: tools by their kind, and no confidence."""
    entries = tuple(
        replace(entry, name=entry.kind) if isinstance(entry, ActivityEntry) else entry
        for entry in view.entries
    )
    end = view.terminal
    return replace(
        view,
        entries=entries,
        terminal=None if end is None else replace(end, confidence=None),
        children=tuple(map(_as_compared, view.children)),
    )
