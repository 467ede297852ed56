"""Checkers that hold a run's texts, and what ends it, against what was observed: a good turn
passes, one that is broken in its clause fails in that clause alone.
"""

from __future__ import annotations

from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from tests.conformance.turns import RUN, final, native_of, number, said, started, tell, tool
from turnreel.conformance.judging import judged
from turnreel.conformance.testimony import gathered
from turnreel.conformance.watching import Native
from turnreel.lifecycle.events import AnyEvent, Commentary
from turnreel.lifecycle.observations import (
    AnyObservation,
    AttemptAbandoned,
    AttemptStarted,
    Began,
    Ended,
    Kept,
    Named,
    Said,
    Saying,
    Stopped,
    ToolMoved,
)

T = "t"
BEGAN = Began(turn=T)
LOOKS = Said(turn=T, message="m", block=0, text="I look around.")
CALLS = ToolMoved(turn=T, activity="x", state="started", kind="command", name="Bash", message="m")
WORKED = ToolMoved(turn=T, activity="x", state="ok")
ANSWERS = Said(turn=T, message="n", block=0, text="The total is 42.")
ENDS = Ended(turn=T, ending="completed")
NAMES = Named(turn=T, text="The total is 42.", extent="whole", alone=True)

TURN = number(
    [started(), said("m1", "I look around."), tool("started"), tool("ok"), final()]
)  # fmt: skip
RIGHT = ([BEGAN], [LOOKS, CALLS], [CALLS], [WORKED], [ANSWERS, ENDS])


def seen(
    events: list[AnyEvent],
    observed: tuple[list[AnyObservation], ...],
    turns: dict[str, set[str]] | None = None,
) -> Native:
    """The native side of `events`, with what was observed in the frame that caused each of them."""
    told = dict(enumerate(observed, 1))
    turns = turns or {RUN: {T}}
    return changed(
        native_of(events),
        observed=told,
        secondary=frozenset({"positional"}),
        turns=turns,
        testimony=gathered(turns, told),
    )


def clauses(events: list[AnyEvent], native: Native) -> set[str]:
    return {violation.clause for violation in judged(events, native)}


EVIDENCE: dict[str, list[list[AnyObservation]]] = {
    "a tool call in its message": [[LOOKS, CALLS], [CALLS]],
    "its mark": [[replace(LOOKS, role="commentary")], [CALLS]],
    "its own reason to go on": [
        [LOOKS, Stopped(turn=T, message="m", reason="continues")],
        [CALLS],
    ],
    "a tool that starts after it": [[LOOKS, replace(CALLS, message=None)], [CALLS]],
    "a later candidate": [[LOOKS, ANSWERS], [CALLS]],
    "pieces with a mark": [
        [
            Saying(turn=T, message="m", block=0, delta="I look ", role="commentary"),
            Saying(turn=T, message="m", block=0, delta="around."),
        ],
        [CALLS],
    ],
}


@pytest.mark.parametrize("frames", EVIDENCE.values(), ids=EVIDENCE)
def test_every_evidence_of_commentary_is_one(frames: list[list[AnyObservation]]) -> None:
    observed = ([BEGAN], *frames, [WORKED], [ANSWERS, ENDS])
    assert clauses(TURN, seen(TURN, observed)) == set()


PARTS = number([started(), said("m1", "So far."), final()])
FLUSHED = number([started(), said("m1", "I look around."), final()])
FLUSHED[1] = replace(FLUSHED[1], evidence=FLUSHED[2].evidence)


def retold(*texts: str) -> list[AnyEvent]:
    return number([started(), *(said(f"m{n}", text) for n, text in enumerate(texts)), final()])


BROKEN: dict[str, tuple[str, list[AnyEvent], tuple[list[AnyObservation], ...]]] = {
    "commentary before its evidence": (
        "C1", TURN, ([BEGAN], [LOOKS], [CALLS], [WORKED], [ANSWERS, ENDS]),
    ),
    "commentary without any": (
        "C1", PARTS, ([BEGAN], [replace(LOOKS, text="So far.")], [NAMES, ENDS]),
    ),
    "commentary that nobody said": (
        "C1", TURN, ([BEGAN], [CALLS], [CALLS], [WORKED], [ANSWERS, ENDS]),
    ),
    "text flushed at the terminal": (
        "C3", FLUSHED, ([BEGAN], [], [LOOKS, NAMES, ENDS]),
    ),
    "a final that nobody said": (
        "C6", TURN, (*RIGHT[:4], [replace(ANSWERS, text="The total is 41."), ENDS]),
    ),
    "a final glued from two messages": (
        "C6",
        number([started(), final("One. The total is 42.")]),
        ([BEGAN], [replace(LOOKS, text="One. "), ANSWERS, ENDS]),
    ),
    "a final that does not end as it was named": (
        "C6",
        TURN,
        (*RIGHT[:4], [ANSWERS, Named(turn=T, text="It is 42.", extent="tail"), ENDS]),
    ),
    "a secondary dialect that does not say so": (
        "C8", [replace(TURN[0], dialect="positional"), *TURN[1:]], RIGHT,
    ),
    "a child's words in the final": (
        "C10", TURN, (*RIGHT[:4], [replace(ANSWERS, turn="c"), replace(ENDS, turn="c")]),
    ),
    "what was given up": (
        "R8",
        number([started(), final("Half an answer")]),
        (
            [BEGAN],
            [
                AttemptStarted(turn=T, message="m"),
                replace(LOOKS, text="Half an answer"),
                AttemptAbandoned(turn=T, message="m"),
                ENDS,
            ],
        ),
    ),
    "the end of another run": (
        "R9", TURN, (*RIGHT[:4], [ANSWERS, replace(ENDS, turn="u")]),
    ),
}  # fmt: skip


def test_a_turn_that_keeps_them_all() -> None:
    assert clauses(TURN, seen(TURN, RIGHT)) == set()


@pytest.mark.parametrize(("clause", "events", "observed"), BROKEN.values(), ids=BROKEN)
def test_a_turn_that_is_broken_in_one(
    clause: str, events: list[AnyEvent], observed: tuple[list[AnyObservation], ...]
) -> None:
    found = clauses(events, seen(events, observed))
    also = {"C10": {"C6", "R9"}, "R9": set()}.get(clause, set())  # what the same words break too
    assert clause in found and found <= {clause, *also}


def test_segments_before_an_answer_are_part_of_it() -> None:
    events = number([started(), final("Half of it. The total is 42.")])
    half = [AttemptStarted(turn=T, message="m"), replace(LOOKS, text="Half of it. ")]
    observed = ([BEGAN], [*half, Kept(turn=T, message="m"), ANSWERS, ENDS])
    assert clauses(events, seen(events, observed)) == set()


def test_the_same_line_twice_is_one_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A surface that does not coalesce is seen."""
    from turnreel.conformance.checkers import v2_surface
    from turnreel.lifecycle.fold import CommentaryEntry, fold

    def doubled(events: list[AnyEvent]) -> tuple[object, ...]:
        (view,) = fold(events)
        twice = (CommentaryEntry("I look around."), CommentaryEntry("I look around"))
        return (replace(view, entries=twice),)

    monkeypatch.setattr(v2_surface, "fold", doubled)
    found = [v.message for v in judged(TURN, None) if v.clause == "V2"]
    assert found == ["a line that no message said", "the same line twice"]


def test_a_second_surface_is_one_too_many() -> None:
    other = tell(Commentary, run_id="s.2", message_id="s.2/m1", text="Hm.", done=True)
    from turnreel.conformance.checkers.v2_surface import Checker

    assert list(Checker(None, frozenset()).whole([*TURN, other])) == ["2 surfaces"]
