"""One script in every dialect gives one turn; what a dialect says it cannot tell, it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from turnreel.adapters import codex_literals, registry
from turnreel.adapters.base import Arrival, Frame
from turnreel.adapters.claims import SUBJECTS, Claims, Subject, impossible, proven
from turnreel.adapters.claude_stream_json import literals as claude
from turnreel.adapters.hermes import literals as hermes
from turnreel.adapters.steps import Unsayable
from turnreel.cassettes.turnfile import parse_turns
from turnreel.conformance.equality import Difference, differences, differences_of_all, equal
from turnreel.conformance.scenarios import compare, required, unsayable
from turnreel.conformance.scenarios.agreement import needs, spoken_of
from turnreel.conformance.scenarios.playing import arrivals, heard, played
from turnreel.lifecycle.events import AnyEvent, Commentary
from turnreel.lifecycle.fold import RunView, fold
from turnreel.wire.units import Json, JsonUnit

BY_NAME = {scenario.id: scenario for scenario in required()}
AGENTS = [d for d in registry.dialects() if registry.adapter(d).info.tier != "provider"]

BY_SENTENCE: dict[Subject, str] = {
    "retries": "retried",
    "cuts": "broken-off",
    "failures": "failed-bad-request",
}
"""What a runtime may tell by a sentence of its own, and the scenario that it is told in."""
SENTENCES = re.compile(
    "|".join(
        (
            *hermes.NOTICES,
            *map(re.escape, codex_literals.heads()),
            *(re.escape(literal.head) for literal in claude.LITERALS),
        )
    )
)


def claims(dialect: str) -> Claims:
    found = registry.adapter(dialect).info.claims
    assert found is not None
    return found


def turn(events: Iterable[AnyEvent]) -> RunView:
    (view,) = fold(events)
    return view


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("dialect", AGENTS)
def test_a_dialect_tells_the_turn_but_for_what_it_declares(dialect: str, name: str) -> None:
    """A missing declaration fails, and so does one that is no longer true."""
    scenario = BY_NAME[name]
    try:
        told = fold(played(dialect, scenario.script))
    except Unsayable as error:
        agreed = unsayable(scenario, claims(dialect), error)
    else:
        agreed = compare(scenario, claims(dialect), tuple(told))
    assert agreed.faults == ()


def test_every_subject_is_spoken_of() -> None:
    spoken: set[str] = {"live", "repeats"}  # these have tests of their own
    for scenario in required():
        spoken |= spoken_of(scenario) | needs(scenario.script)
    assert spoken == set(SUBJECTS) == set(Claims.__struct_fields__)


@pytest.mark.parametrize("dialect", AGENTS)
def test_every_claim_says_why(dialect: str) -> None:
    assert all(claims(dialect).of(subject).why for subject in SUBJECTS)


APPROVED, PLANNED = BY_NAME["approved"], BY_NAME["planned"]


def test_a_step_without_a_frame_that_nobody_declared_fails() -> None:
    able = claims("claude-stream-json")
    assert unsayable(APPROVED, able, Unsayable("no")).state == "failed"
    assert unsayable(APPROVED, claims("codex-exec"), Unsayable("no")).state == "unsaid"


def test_no_dialect_may_leave_out_a_core_scenario() -> None:
    cannot = replace(claims("codex-exec"), answer=impossible("never"))
    core = replace(APPROVED, tier="core")
    assert "core" in unsayable(core, cannot, Unsayable("no")).faults[0]


def test_a_limit_that_is_no_longer_one_fails() -> None:
    stale = replace(claims("claude-stream-json"), gates=impossible("once"))
    told = tuple(fold(played("claude-stream-json", APPROVED.script)))
    agreed = compare(APPROVED, stale, told)
    assert agreed.state == "failed"
    assert all("declared impossible, and told: gates" in fault for fault in agreed.faults)


@pytest.mark.parametrize(
    ("dialect", "scenario", "claim", "wrong"),
    [
        ("claude-stream-json", "subagent", "children", "declared impossible, and told: children"),
        ("hermes-acp", "subagent", "children", "differs in children"),
        ("codex-app-server", "reported-later", "wakes", "declared impossible, and told: wakes"),
        ("hermes-tui", "reported-later", "wakes", "differs in wakes"),
        ("hermes-tui", "steered", "steers", "declared impossible, and told: steers"),
    ],
)
def test_what_is_declared_of_runs_beside_the_turn_is_held_both_ways(
    dialect: str, scenario: str, claim: Subject, wrong: str
) -> None:
    able = claims(dialect).of(claim).standing != "impossible"
    other = replace(claims(dialect), **{claim: impossible("no") if able else proven("yes")})
    told = tuple(fold(played(dialect, BY_NAME[scenario].script)))
    assert [
        fault.partition(":")[0] for fault in compare(BY_NAME[scenario], other, told).faults
    ] == [wrong.partition(":")[0]]
    assert compare(BY_NAME[scenario], other, told).faults[0].startswith(wrong)


def test_nobody_steers_where_it_is_not_declared_impossible() -> None:
    other = replace(claims("codex-exec"), steers=proven("yes"))
    assert unsayable(BY_NAME["steered"], other, Unsayable("no")).faults == (
        "not declared impossible: no",
    )


def test_a_turn_too_many_is_a_difference() -> None:
    told = tuple(fold(played("claude-stream-json", PLANNED.script)))
    assert "runs" in compare(PLANNED, claims("claude-stream-json"), told * 2).faults[0]


@pytest.mark.parametrize("dialect", AGENTS)
def test_an_inferred_answer_says_so(dialect: str) -> None:
    end = turn(played(dialect, BY_NAME["several-tools"].script)).terminal
    assert end is not None
    inferred = claims(dialect).answer.standing == "inferred"
    assert end.confidence == ("positional" if inferred else None)
    assert (registry.adapter(dialect).info.tier == "secondary") == inferred


@pytest.mark.parametrize("subject", BY_SENTENCE)
@pytest.mark.parametrize("dialect", AGENTS)
def test_what_is_proven_needs_no_sentence_of_the_runtime(dialect: str, subject: Subject) -> None:
    """Proven: it is told with every fixed string of the runtime replaced. Inferred: it is not."""
    scenario = BY_NAME[BY_SENTENCE[subject]]
    standing = claims(dialect).of(subject).standing
    (view,) = fold(heard(dialect, map(wordless, arrivals(dialect, scenario.script))))
    told = subject not in differences(scenario.views[0], view, scenario.trouble)
    assert standing == "impossible" or told == (standing == "proven")


def wordless(one: Arrival) -> Arrival:
    """An arrival in which no fixed string of any runtime stands."""
    if not isinstance(one, Frame) or not isinstance(one.unit, JsonUnit):
        return one
    return replace(one, unit=replace(one.unit, value=_wordless(one.unit.value)))


def _wordless(value: Json) -> Json:
    match value:
        case str():
            return SENTENCES.sub("so", value)
        case list():
            return [_wordless(inner) for inner in value]
        case dict():
            return {name: _wordless(inner) for name, inner in value.items()}
        case _:
            return value


@pytest.mark.parametrize("dialect", AGENTS)
def test_commentary_is_shown_while_it_is_said_where_that_is_declared(dialect: str) -> None:
    events = played(dialect, BY_NAME["several-tools"].script)
    live = any(isinstance(event, Commentary) and not event.done for event in events)
    assert live == (claims(dialect).live.standing == "proven")


@pytest.mark.parametrize("dialect", AGENTS)
def test_a_resumed_session_says_nothing_again(dialect: str) -> None:
    assert claims(dialect).resumes.standing == "proven"
    events = played(dialect, BY_NAME["resumed"].script)
    assert equal(turn(events), BY_NAME["resumed"].views[0])


@pytest.mark.parametrize("dialect", AGENTS)
def test_frames_delivered_twice_are_known_where_that_is_declared(dialect: str) -> None:
    """Proven: every frame has an identity. Inferred: some have none, and the view is the same."""
    script = BY_NAME["several-tools"].script
    adapter = registry.adapter(dialect)
    known = all(
        adapter.identity(one) is not None
        for one in arrivals(dialect, script)
        if isinstance(one, Frame) and one.code in ("out", "data")
    )
    same = fold(heard(dialect, _twice(arrivals(dialect, script)))) == fold(played(dialect, script))
    standing = "proven" if known and same else "inferred" if same else "impossible"
    assert standing == claims(dialect).repeats.standing


def _twice(told: Iterable[Arrival]) -> Iterator[Arrival]:
    number = 0
    for one in told:
        is_frame = isinstance(one, Frame) and one.code in ("out", "data")
        for _ in range(2 if is_frame else 1):
            number += 1
            yield replace(one, number=number)


TURN = """
run
  commentary "One."
  activity Bash command ok
  gate approval approved
  health recovered rate_limited
  final "Two." recovered
"""
CHANGED: dict[str, tuple[str, str, Difference | None]] = {
    "a native name": ("Bash", "terminal", None),
    "a text": ("One.", "Eins.", "commentary"),
    "a kind": ("command", "search", "activities"),
    "a state": ("command ok", "command failed", "tool_outcomes"),
    "an answer of the person": ("approval approved", "approval declined", "gates"),
    "health on the way": ("health recovered", "health degraded", "retries"),
    "health at the end": ('"Two." recovered', '"Two." degraded', "retries"),
    "the answer": ('"Two."', '"Zwei."', "answer"),
    "the terminal": ('final "Two."', "failed unknown", "answer"),
    "confidence": ('"Two." recovered', '"Two." positional recovered', None),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_makes_two_turns_unequal(name: str) -> None:
    old, new, subject = CHANGED[name]
    (one,), (other,) = parse_turns(TURN), parse_turns(TURN.replace(old, new))
    assert differences(one, other, "retries") == ({subject} if subject else set())
    assert equal(one, other) == (subject is None)


@pytest.mark.parametrize(
    ("line", "other", "subject"),
    [
        ('final "Of a child."', 'final "Of another."', "children"),
        ("    failed unknown degraded", "    failed unknown healthy", "children"),
        ("  run\n    failed unknown degraded\n", "", "children"),
        ("run caused-by 1", "run", "wakes"),
        ("run caused-by 1", "run continues 1", "wakes"),
    ],
)
def test_child_agents_and_what_began_a_run_count(line: str, other: str, subject: str) -> None:
    said = TURN + (
        '  run\n    final "Of a child." healthy\n  run\n    failed unknown degraded\n'
        'run caused-by 1\n  final "Three." healthy\n'
    )
    one, changed = parse_turns(said), parse_turns(said.replace(line, other))
    assert one != changed
    found = differences_of_all(one, changed, "retries")
    assert found - {"gates"} == {subject}
    assert not differences_of_all(one, one, "retries")


def test_order_counts_and_the_place_of_health_does_not() -> None:
    lines = TURN.splitlines()
    (one,) = parse_turns(TURN)
    (moved,) = parse_turns("\n".join([*lines[:2], lines[5], *lines[2:5], lines[6]]))
    assert equal(one, moved)
    (turned,) = parse_turns("\n".join([*lines[:2], lines[3], lines[2], *lines[4:]]))
    assert differences(one, turned, "retries") == {"order"}
