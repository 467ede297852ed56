"""One script in every dialect gives one turn; what a dialect says it cannot tell, it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from turnreel.adapters import codex_literals, registry
from turnreel.adapters.base import Arrival, Frame
from turnreel.adapters.claims import SUBJECTS, Claims, Subject
from turnreel.adapters.claude_stream_json import literals as claude
from turnreel.adapters.hermes import literals as hermes
from turnreel.adapters.steps import Ask, Interrupt, Unsayable
from turnreel.cassettes.turnfile import parse_turns
from turnreel.conformance.equality import Difference, differences, equal, exercised
from turnreel.conformance.scenarios import EQUAL, Scenario
from turnreel.conformance.scenarios.playing import arrivals, heard, played
from turnreel.lifecycle.events import AnyEvent, Commentary
from turnreel.lifecycle.fold import RunView, fold
from turnreel.wire.units import Json, JsonUnit

BY_NAME = {scenario.name: scenario for scenario in EQUAL}
AGENTS = [d for d in registry.dialects() if registry.adapter(d).info.tier != "provider"]

BY_SENTENCE: dict[Subject, str] = {
    "retries": "retried",
    "cuts": "broken-off",
    "failures": "refused",
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


def unsaid(scenario: Scenario) -> Iterator[Subject]:
    """The subjects of the steps that a dialect may have no frame for."""
    for step in scenario.script:
        match step:
            case Ask(verdict="deny"):
                yield from ("gates", "refusals")
            case Ask():
                yield "gates"
            case Interrupt():
                yield "cancels"
            case _:
                pass


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("dialect", AGENTS)
def test_a_dialect_tells_the_turn_but_for_what_it_declares(dialect: str, name: str) -> None:
    """A missing declaration fails, and so does one that is no longer true."""
    scenario = BY_NAME[name]
    cannot = claims(dialect).impossible()
    try:
        view = turn(played(dialect, scenario.script))
    except Unsayable:
        assert cannot & {"gates", "cancels"}
        assert cannot.issuperset(unsaid(scenario))
        return
    spoken = exercised(scenario.view, scenario.trouble)
    assert differences(scenario.view, view, scenario.trouble) == cannot & spoken


@pytest.mark.parametrize("dialect", AGENTS)
def test_every_subject_is_spoken_of(dialect: str) -> None:
    spoken: set[str] = {"live", "resumes", "repeats"}  # these have tests of their own
    for scenario in EQUAL:
        spoken |= exercised(scenario.view, scenario.trouble)
    assert spoken == set(SUBJECTS) == set(Claims.__struct_fields__)
    assert all(claims(dialect).of(subject).why for subject in SUBJECTS)


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
    told = subject not in differences(scenario.view, view, scenario.trouble)
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
    assert equal(turn(events), BY_NAME["resumed"].view)


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


def test_order_counts_and_the_place_of_health_does_not() -> None:
    lines = TURN.splitlines()
    (one,) = parse_turns(TURN)
    (moved,) = parse_turns("\n".join([*lines[:2], lines[5], *lines[2:5], lines[6]]))
    assert equal(one, moved)
    (turned,) = parse_turns("\n".join([*lines[:2], lines[3], lines[2], *lines[4:]]))
    assert differences(one, turned, "retries") == {"order"}
