"""What holds for every fault, alone and together, in every dialect; what each does, by golden."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.replayer.golden import FOLDER, golden
from tests.replayer.streams import PROVIDERS, exchange
from turnreel.conformance.faulting import AGENTS, SEED, SPECS, agent
from turnreel.replayer.compiling import CHUNKED, PLAIN, Batch, compiled
from turnreel.replayer.faults import WORDS, Pacing, Plan, word_of
from turnreel.replayer.plan import make_plan, parse_fault
from turnreel.replayer.schedule import arrange, schedule
from turnreel.replayer.script import AgentScript, Exchange
from turnreel.replayer.tape import load

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
DIALECTS = (*PROVIDERS, *AGENTS)
PLACES = (
    "event=random", "event=1", "event=3", "event=5", "event=terminal", "event=terminal-1",
    "byte=random", "byte=300", "time=0.003",
)  # fmt: skip
SHAPING = ("stall", "delay", "drip", "reslice")
ENDING = ("cut", "truncate", "hang", "half-close", "exit", "kill", "partial-line")
EDITS_OF_ONE = ("drop", "duplicate", "malformed", "unknown")


@cache
def script_of(dialect: str) -> Exchange | AgentScript:
    return exchange(dialect) if dialect in PROVIDERS else agent(dialect)


def side_of(dialect: str) -> str:
    return "server" if dialect in PROVIDERS else "agent"


def placed(names: tuple[str, ...] | None = None) -> list[str]:
    """Specs of faults, at places of every kind they take."""
    specs = []
    for word in WORDS:
        if names is not None and word.name not in names:
            continue
        head = word.examples[0].partition("@")[0]
        specs += [
            f"{head}@{place}" for place in PLACES if place.partition("=")[0] in word.places
        ] or [head]
    return [spec.replace("ping-storm:100", "ping-storm:3") for spec in specs]


@cache
def able(dialect: str, names: tuple[str, ...] | None) -> list[str]:
    """Of these, what can be planned for a dialect's side."""
    side = side_of(dialect)
    return [spec for spec in placed(names) if side in word_of(parse_fault(spec)).sides]


@st.composite
def plans(draw: st.DrawFn, names: tuple[str, ...] | None = None) -> tuple[str, Plan]:
    """A dialect, and a plan of faults that its side can play."""
    dialect = draw(st.sampled_from(DIALECTS))
    specs = draw(st.lists(st.sampled_from(able(dialect, names)), max_size=4, unique=True))
    factor = draw(st.sampled_from([0.0, 0.5, 1.0, 3.0]))
    return dialect, Plan(make_plan(specs).faults, draw(st.integers(0, 99)), Pacing(factor))


@given(plans())
@settings(max_examples=150)
def test_a_schedule_is_its_plans(planned: tuple[str, Plan]) -> None:
    """Equal plans give equal schedules; time runs forwards; every fault happened, was outdone by
    another, or says why it could not.
    """
    dialect, plan = planned
    script = script_of(dialect)
    made = arrange(script, plan)
    assert made == arrange(script, plan)
    steps = made.schedule.steps
    assert list(steps) == sorted(steps, key=lambda step: step.at_us)
    assert made.schedule.faults.isdisjoint(made.misfits)
    assert made.schedule.faults | set(made.misfits) <= set(range(len(plan.faults)))
    assert schedule(script, plan, armed=()) == schedule(script, Plan(pacing=plan.pacing))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_alone_a_fault_happens_or_says_why_not(dialect: str) -> None:
    for spec in placed():
        plan = make_plan([spec], seed=3)
        if side_of(dialect) not in word_of(plan.faults[0]).sides:
            continue
        made = arrange(script_of(dialect), plan)
        assert (made.schedule.faults == {0}) != (set(made.misfits) == {0}), spec
        assert all(reason and "\n" not in reason for reason in made.misfits.values())


@given(plans(SHAPING))
def test_pace_and_packaging_change_no_byte(planned: tuple[str, Plan]) -> None:
    dialect, plan = planned
    script = script_of(dialect)
    assert schedule(script, plan).body == schedule(script, Plan()).body


@given(plans((*SHAPING, *ENDING)))
def test_an_ending_only_ends(planned: tuple[str, Plan]) -> None:
    dialect, plan = planned
    script = script_of(dialect)
    assert schedule(script, Plan()).body.startswith(schedule(script, plan).body)


@given(plans(), plans(ENDING))
def test_what_comes_before_an_ending_is_what_comes_without(
    planned: tuple[str, Plan], ending: tuple[str, Plan]
) -> None:
    dialect, plan = planned
    if side_of(ending[0]) != side_of(dialect):
        return
    script = script_of(dialect)
    alone = schedule(script, plan).body
    both = Plan((*plan.faults, *ending[1].faults), plan.seed, plan.pacing)
    assert alone.startswith(schedule(script, both).body)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_edits_of_different_events_can_be_written_in_any_order(dialect: str) -> None:
    specs = [f"{name}@event={number}" for number, name in enumerate(EDITS_OF_ONE, 2)]
    bodies = {schedule(script_of(dialect), make_plan(order)).body for order in permutations(specs)}
    assert len(bodies) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_endings_can_be_written_in_any_order(dialect: str) -> None:
    specs = ["cut:clean@event=4", "truncate@event=3", "hang@byte=20"]
    schedules = [schedule(script_of(dialect), make_plan(order)) for order in permutations(specs)]
    assert {made.body for made in schedules} == {schedules[0].body}
    assert len(schedules[0].body) == 20


@given(plans(), st.sampled_from(DIALECTS))
def test_a_fault_without_a_place_changes_nothing(planned: tuple[str, Plan], _: str) -> None:
    dialect, plan = planned
    lost = make_plan(["duplicate@event=9999", "cut:clean@type=nothing", "drop@type=x,nth=3"]).faults
    more = Plan((*plan.faults, *lost), plan.seed, plan.pacing)
    script = script_of(dialect)
    assert schedule(script, more) == schedule(script, plan)


@given(plans())
def test_what_is_compiled_is_what_was_planned(planned: tuple[str, Plan]) -> None:
    """The bytes of the writes, under both framings, are the body's."""
    dialect, plan = planned
    if dialect not in PROVIDERS:
        return
    made = schedule(script_of(dialect), plan)
    for framing in (PLAIN, CHUNKED):
        moves = compiled(made, framing)
        batches = [move for move in moves if isinstance(move, Batch)]
        assert sum(batch.size for batch in batches) == len(made.body)
        assert {fault for move in moves for fault in move.faults} == made.faults
    plainly = b"".join(m.wire for m in compiled(made, PLAIN) if isinstance(m, Batch))
    assert plainly == made.body


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_fault_does_what_its_golden_says(dialect: str) -> None:
    assert golden(dialect) == (FOLDER / f"{dialect}.txt").read_text(encoding="utf-8")


def test_the_goldens_show_every_fault_of_a_stream() -> None:
    shown = {word_of(parse_fault(spec)).name for spec in SPECS}
    assert shown == {word.name for word in WORDS if word.sides != {"client"}}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_another_seed_is_another_place(dialect: str) -> None:
    plans = [make_plan(["cut:clean@byte=random"], seed=SEED + more) for more in range(8)]
    places = [len(schedule(script_of(dialect), plan).body) for plan in plans]
    assert len(set(places)) > 1


def test_recorded_streams_of_every_kind_can_be_faulted() -> None:
    """Every fault on a third of the library: it happens or says why not, and time runs on."""
    fired: set[str] = set()
    plans = [(spec, make_plan([spec], seed=SEED)) for spec in SPECS]
    for path in sorted(LIBRARY.rglob("*.cassette.jsonl"))[::3]:
        tape = load(path)
        streams: list[Exchange | AgentScript] = [
            exchange for provider in tape.providers for exchange in provider.exchanges[:3]
        ]
        streams += [tape.acting] if tape.acting is not None else []
        for stream in streams:
            side = "server" if isinstance(stream, Exchange) else "agent"
            for spec, plan in plans:
                if side in word_of(plan.faults[0]).sides:
                    made = arrange(stream, plan)
                    assert (made.schedule.faults == {0}) != bool(made.misfits), (path, spec)
                    times = [step.at_us for step in made.schedule.steps]
                    assert times == sorted(times), (path, spec)
                    fired |= {spec} if made.schedule.faults else set()
    assert fired == set(SPECS)
