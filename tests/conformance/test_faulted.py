"""Turns that come out of faulted streams: always clean by every clause, and the right ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.replayer.golden import SPECS
from tests.replayer.streams import AGENTS, SAID, agent
from turnreel.adapters import registry
from turnreel.adapters.arrivals import arrival
from turnreel.adapters.translator import Translator
from turnreel.conformance.judging import judged
from turnreel.lifecycle.events import TERMINALS, AnyEvent, Failed, Health
from turnreel.lifecycle.events import Final as Answered
from turnreel.replayer.faults import Plan, word_of
from turnreel.replayer.plan import make_plan, parse_fault
from turnreel.replayer.schedule import schedule
from turnreel.replayer.script import Heard
from turnreel.replayer.steps import Await, Hold, Linger, Quit, Send
from turnreel.wire.ndjson import LineFramer
from turnreel.wire.units import BodyFraming, Json, JsonUnit, Unit

SESSION: Final = "0" * 16
FINAL: Final = "final healthy"
BROKEN: Final = "incomplete degraded"
BREAKING: Final = ("cut", "truncate", "missing-terminal", "kill", "partial-line")

TOUCHING: Final = ("drop", "duplicate", "reorder", "replay", "malformed", "late")
"""Faults that may lose, repeat or move a piece of text."""

EXPECTED: Final = {
    "exit:0@event=terminal-1": BROKEN,
    "native-retry@event=5": "final recovered",
    # What ends a turn without a frame of its own text, or breaks one that comes whole.
    ("late", "codex-exec"): "missing_final degraded",
    ("malformed@event=3", "codex-exec"): BROKEN,
    ("malformed@event=3", "hermes-acp"): BROKEN,
    # A start that is said twice is two turns where it has no identity.
    ("replay@event=3", "hermes-tui"): f"{FINAL}, {BROKEN}",
    # The prompt was said to another process: there is no start, and so no run.
    ("resume@event=3", "hermes-tui"): "",
    ("resume@event=3", "hermes-acp"): "",
}  # fmt: skip
"""How the turn ends, by fault and dialect; `FINAL` where nothing else is said."""


def expected(spec: str, dialect: str) -> str:
    name = word_of(parse_fault(spec)).name
    default = BROKEN if name in BREAKING else FINAL
    return EXPECTED.get((spec, dialect), EXPECTED.get(spec, default))


def records(dialect: str, plan: Plan) -> Iterator[tuple[str, str, Unit]]:
    """What a recorder beside the faulted agent would write: track, code, unit."""
    framer = LineFramer()
    ending: dict[str, Json] = {"code": 0}
    for step in schedule(agent(dialect), plan).steps:
        match step:
            case Await(what=Heard(unit=unit)):
                yield "agent", "in", unit
            case Send(stream="stdout", data=data):
                for unit in framer.feed(data):
                    yield "agent", "out", unit
            case Hold():
                yield "agent", "signal", fields({"name": "SIGINT"})
            case Quit(code=code, signal=killed):
                ending = {"signal": killed} if killed else {"code": code}
                break
            case Linger():
                ending = {"signal": "SIGKILL"}
            case _:
                pass
    for unit in framer.close():
        yield "agent", "out", unit
    yield "agent", "exit", fields(ending)
    yield "host", "unreconciled", fields({})


def fields(data: dict[str, Json]) -> Unit:
    return JsonUnit(data, BodyFraming())


def translated(dialect: str, plan: Plan) -> list[AnyEvent]:
    translator = Translator({"agent": registry.adapter(dialect)}, session=SESSION, agent="agent")
    events: list[AnyEvent] = []
    for number, (track, code, unit) in enumerate(records(dialect, plan), 1):
        came = arrival(number, number * 1000, track, code, unit, None, SESSION)
        if came is not None:
            events += translator.feed(came)
    return events


def outcome(events: list[AnyEvent]) -> str:
    ends = [event for event in events if isinstance(event, TERMINALS)]
    return ", ".join(
        f"{end.code if isinstance(end, Failed) else 'final'} {end.health}" for end in ends
    )


def plans(dialect: str) -> Iterator[tuple[str, Plan]]:
    """The faults that the dialect can have."""
    for spec in SPECS:
        plan = make_plan([spec], seed=7, pacing="max")
        able = "agent" in word_of(plan.faults[0]).sides
        if able and schedule(agent(dialect), plan).faults:
            yield spec, plan


@pytest.mark.parametrize("dialect", AGENTS)
def test_every_faulted_turn_is_clean_and_ends_as_it_must(dialect: str) -> None:
    ended = {}
    for spec, plan in plans(dialect):
        events = translated(dialect, plan)
        assert judged(events) == [], spec
        ended[spec] = outcome(events)
    assert len(ended) > 20
    assert ended == {spec: expected(spec, dialect) for spec in ended}


@pytest.mark.parametrize("dialect", AGENTS)
def test_the_answer_is_the_recorded_one_or_none(dialect: str) -> None:
    pieces_are_all = registry.adapter(dialect).info.repeats_text
    for spec, plan in plans(dialect):
        if pieces_are_all and word_of(plan.faults[0]).name in TOUCHING:
            continue  # no whole text follows the pieces, as the dialect declares
        answers = {e.text for e in translated(dialect, plan) if isinstance(e, Answered)}
        assert answers <= {SAID}, spec


@pytest.mark.parametrize("dialect", AGENTS)
def test_an_exit_after_success_degrades_and_overturns_nothing(dialect: str) -> None:
    events = translated(dialect, make_plan(["exit:2@event=terminal"]))
    assert outcome(events) == FINAL
    assert isinstance(events[-1], Health) and events[-1].state == "degraded"
