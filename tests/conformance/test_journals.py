"""G1-G4, G6, G8 judged on session journals: the lifecycle's own breaks none, and each broken one
fails in its clause alone. No checker knows the table that routes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given

from tests.lifecycle.talking import Numbers, facts
from turnreel.adapters.base import Edge
from turnreel.conformance.checkers import session_watches
from turnreel.conformance.judging import judged_journal
from turnreel.conformance.recording import load
from turnreel.lifecycle.notices import (
    Action,
    Concluded,
    Entry,
    Fact,
    Lost,
    Mode,
    Opened,
    Resumed,
    Said,
    Stands,
    Stepped,
)
from turnreel.lifecycle.session import Session, journal
from turnreel.lifecycle.signals import Message

LIBRARY = Path(__file__).resolve().parents[2] / "cassettes" / "library"


def broken_clauses(entries: list[Entry]) -> set[str]:
    return {violation.clause for violation in judged_journal(entries)}


@pytest.mark.parametrize("mode", ["guided", "free"])
@given(told=facts())
def test_the_lifecycles_own_journal_breaks_nothing(mode: Mode, told: list[Fact]) -> None:
    assert judged_journal(journal([Opened(mode=mode), *told])) == []


@pytest.mark.parametrize("dialect", ["claude-stream-json", "codex-app-server", "hermes-tui"])
def test_every_recorded_session_is_one(dialect: str) -> None:
    """What really happened, with what the person said told where the recording has it."""
    paths = sorted((LIBRARY / dialect).rglob("*.cassette.jsonl"))
    assert paths
    for path in paths:
        entries = [*journal(recorded(path))]
        assert judged_journal(entries) == [], path.stem
        states = [entry.state for entry in entries if isinstance(entry, Stands)]
        assert {*states} <= {"working", "awaiting_command", "awaiting_operator", "stopped"}


def recorded(path: Path) -> Iterator[Fact]:
    recording = load(path)
    translator = recording.translator()
    for arrival in recording.arrivals:
        if isinstance(arrival, Edge) and isinstance(arrival.signal, Message):
            yield Said(message_id=f"m{arrival.number}")
        yield from translator.feed(arrival)


def conversation(mode: Mode = "guided") -> list[Entry]:
    """A whole conversation: every state but the other ends, every action."""
    at = Numbers()
    told: list[Fact] = [
        Opened(mode=mode),
        Said(message_id="m1"),
        at.begun("r1"),
        Said(message_id="m2"),
        Stepped(run_id="r1"),
        at.asked("r1", "g1"),
        at.resolved("r1", "g1", "approved"),
        at.asked("r1", "g2"),
        at.resolved("r1", "g2", "parked"),
        at.ended("r1", "blocked"),
        Resumed(),
        at.begun("r2", continues="r1", request_id="g2"),
        at.ended("r2", "interrupted"),
        Said(message_id="m3"),
        at.begun("r3"),
        at.asked("r3", "g3"),
        Said(message_id="m4"),
        at.resolved("r3", "g3", "withdrawn"),
        at.ended("r3", "failed"),
        Said(message_id="m5"),
        at.begun("r4"),
        at.ended("r4", "completed"),
        Concluded(),
    ]
    return [*journal(told)]


Break = Callable[[list[Entry]], list[Entry]]


def dropped(kind: str, number: int = 1) -> Break:
    """Without the nth action of a kind."""

    def breaks(entries: list[Entry]) -> list[Entry]:
        found = [one for one in entries if isinstance(one, Action) and one.kind == kind]
        return [one for one in entries if one is not found[number - 1]]

    return breaks


def standing(state: str, number: int, instead: str) -> Break:
    """With another word for where it stands, the nth time it comes to stand there."""

    def breaks(entries: list[Entry]) -> list[Entry]:
        found = [one for one in entries if isinstance(one, Stands) and one.state == state]
        return [Stands(state=instead) if one is found[number - 1] else one for one in entries]

    return breaks


def over(number: int, instead: str) -> Break:
    """As `standing` for the hand-backs, and nothing after it."""

    def breaks(entries: list[Entry]) -> list[Entry]:
        told = standing("awaiting_operator", number, instead)(entries)
        return told[: told.index(Stands(state=instead)) + 1]

    return breaks


def acted(kind: str, number: int, instead: Action) -> Break:
    def breaks(entries: list[Entry]) -> list[Entry]:
        found = [one for one in entries if isinstance(one, Action) and one.kind == kind]
        return [instead if one is found[number - 1] else one for one in entries]

    return breaks


def more(*entries: Entry) -> Break:
    return lambda told: [*told, *entries]


BROKEN: dict[str, tuple[str, Break]] = {
    "a banner for a hand-back": ("G1", standing("working", 2, "work_complete")),
    "alive again after an end": ("G1", more(Resumed(), Stands(state="working"))),
    "an answer that goes on working": ("G2", standing("awaiting_operator", 3, "working")),
    "an answer that stops": ("G2", standing("awaiting_operator", 3, "stopped")),
    "a message that nobody takes": ("G3", dropped("start")),
    "a message that starts anew": (
        "G3",
        acted("resume", 2, Action(kind="start", messages=("m3",))),
    ),
    "a steer that leaves the command": ("G3", dropped("withdraw")),
    "a message that is another": (
        "G3",
        acted("resume", 2, Action(kind="resume", messages=("m9",))),
    ),
    "a resume that forgets the command": ("G3", acted("resume", 1, Action(kind="resume"))),
    "a message after the end": (
        "G3",
        more(Said(message_id="m6"), Action(kind="start", messages=("m6",))),
    ),
    "a message that waits for ever": ("G4", dropped("steer")),
    "two commands in a row": ("G4", dropped("park")),
    "a verdict that concludes": ("G6", lambda told: [*told[:-2], Stands(state="concluded")]),
    "a failure that ends the session": ("G8", over(2, "ended")),
    "a failure that is the session's": ("G8", over(2, "error")),
    "a cancelled run that waits": ("G8", standing("stopped", 1, "awaiting_operator")),
}


def test_a_whole_conversation_breaks_nothing() -> None:
    told = conversation()
    assert judged_journal(told) == []
    states = {one.state for one in told if isinstance(one, Stands)}
    assert states == {"working", "awaiting_command", "awaiting_operator", "stopped", "concluded"}


@pytest.mark.parametrize("name", BROKEN)
def test_each_broken_journal_fails_in_its_clause_alone(name: str) -> None:
    clause, breaks = BROKEN[name]
    assert broken_clauses(breaks(conversation())) == {clause}


def test_every_checker_is_seen_to_fail() -> None:
    assert {watch.clause for watch in session_watches()} == {
        clause for clause, _ in BROKEN.values()
    }
    assert all(watch.sentence.endswith(".") for watch in session_watches())


def test_a_free_session_may_not_approve_past_a_message() -> None:
    at = Numbers()
    told: list[Fact] = [Opened(mode="free"), Said(message_id="m1"), at.begun("r1")]
    told += [Said(message_id="m2"), at.asked("r1", "g1")]
    good = [*journal(told)]
    assert judged_journal(good) == []
    asked = good.index(told[-1])
    assert broken_clauses([*good[: asked + 1], Action(kind="approve", request_id="g1")]) == {"G4"}


def test_a_resume_that_sets_the_pending_command_aside_is_seen() -> None:
    at = Numbers()
    told = [*journal([Said(message_id="m1"), at.begun("r1"), at.asked("r1", "g1"), Resumed()])]
    assert judged_journal(told) == []
    assert broken_clauses([*told, Stands(state="working")]) == {"G3"}
    assert broken_clauses([*told, Action(kind="withdraw", request_id="g1")]) == {"G3"}


def test_a_run_of_the_agents_own_does_not_answer_a_parked_command() -> None:
    at = Numbers()
    told: list[Fact] = [Said(message_id="m1"), at.begun("r1"), at.asked("r1", "g1")]
    told += [at.resolved("r1", "g1", "parked"), at.ended("r1", "blocked")]
    told += [at.begun("r2", caused_by="r1"), at.ended("r2", "completed"), Resumed()]
    entries = [*journal(told)]
    assert judged_journal(entries) == []
    assert broken_clauses(acted("resume", 1, Action(kind="resume"))(entries)) == {"G3"}


def test_what_stands_before_the_first_fact_is_judged_at_the_first_entry() -> None:
    (violation,) = judged_journal([Stands(state="work_complete"), Said(message_id="m1")][:1])
    assert violation.message.startswith("entry 1: stands in 'work_complete'")


def test_a_second_voice_is_heard() -> None:
    at = Numbers()
    told: list[Fact] = [Said(message_id="m1"), at.begun("r1"), at.begun("r2", caused_by="r1")]
    entries: list[Entry] = [*journal(told), Said(message_id="m2")]
    assert broken_clauses([*entries, Action(kind="start", messages=("m2",))]) == {"G3", "G4"}


def test_a_lost_agent_is_the_hosts_error() -> None:
    at = Numbers()
    told: list[Fact] = [Said(message_id="m1"), at.begun("r1"), Lost(), at.ended("r1", "failed")]
    assert judged_journal(journal(told, Session())) == []
