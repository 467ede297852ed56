"""The translator's own promises, with a dialect small enough to read: one letter a frame.

``b`` begins a turn, ``s`` says a text, ``e`` ends the turn, anything else is noted. Frames of
the form ``x#id`` carry a native identity.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnreel.adapters.base import AdapterInfo, Arrival, Edge, Frame
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent, Evidence
from turnreel.lifecycle.observations import AnyObservation, Awoke, Began, Ended, Noted, Said
from turnreel.lifecycle.signals import AnySignal, Closed, Unreconciled
from turnreel.wire.units import LineFraming, TextUnit


class Count(msgspec.Struct, frozen=True):
    turn: int = 0
    said: int = 0


class Letters:
    """A dialect of letters."""

    info = AdapterInfo(
        dialect="letters", agent="scribe", carrier="stdio", tier="primary", proven=("1",)
    )

    def begin(self) -> Count:
        return Count()

    def step(self, state: Count, arrival: Arrival) -> tuple[Count, Sequence[AnyObservation]]:
        if isinstance(arrival, Edge) or not isinstance(arrival.unit, TextUnit):
            return state, ()
        letter = arrival.unit.text.partition("#")[0]
        turn = f"t{state.turn}"
        if letter == "b":
            turn = f"t{state.turn + 1}"
            return Count(state.turn + 1, 0), [Began(turn=turn), Awoke(turn=turn)]
        if letter == "s":
            said = state.said + 1
            text = f"Text {said}."
            return Count(state.turn, said), [
                Said(turn=turn, message=f"m{said}", block=0, text=text)
            ]
        if letter == "e":
            return state, [Ended(turn=turn, ending="completed")]
        return state, [Noted(turn=turn, what="unknown letter")]

    def identity(self, frame: Frame) -> str | None:
        text = frame.unit.text if isinstance(frame.unit, TextUnit) else ""
        return text.partition("#")[2] or None


def frame(number: int, text: str, track: str = "agent") -> Frame:
    return Frame(track, "out", number, number * 1000, TextUnit(text, LineFraming()))


def edge(number: int, signal: AnySignal) -> Edge:
    return Edge("host", number, number * 1000, signal)


def fresh() -> Translator:
    return Translator({"agent": Letters()}, session="s", agent="scribe")


def play(translator: Translator, letters: str, start: int = 0) -> list[AnyEvent]:
    events: list[AnyEvent] = []
    for number, letter in enumerate(letters.split(), start):
        events += translator.feed(frame(number, letter))
    return events


def tags(events: list[AnyEvent]) -> list[str]:
    return [str(type(event).__struct_config__.tag) for event in events]


def test_a_turn_and_where_its_events_came_from() -> None:
    events = play(fresh(), "b s s e")
    assert tags(events) == ["run.started", "commentary", "final"]
    assert [event.evidence for event in events] == [
        (Evidence("agent", 0),),
        (Evidence("agent", 2),),
        (Evidence("agent", 3),),
    ]
    assert [event.at_ms for event in events] == [0, 2, 3]
    assert {event.run_id for event in events} == {"s.1"}


def test_a_record_number_seen_before_changes_nothing() -> None:
    translator = fresh()
    events = play(translator, "b s s")
    before = translator.state
    assert play(translator, "b s s") == []
    assert translator.state is before
    assert translator.counts["record seen before"] == 3
    assert tags(events + play(translator, "e", start=3)) == ["run.started", "commentary", "final"]


def test_a_native_identity_seen_before_changes_nothing() -> None:
    translator = fresh()
    play(translator, "b s#one")
    before = translator.state
    assert translator.feed(frame(7, "s#one")) == []
    assert translator.state is before
    assert tags(translator.feed(frame(8, "e"))) == ["final"]


def test_unknown_frames_and_tracks_are_counted() -> None:
    translator = fresh()
    play(translator, "b ? ?")
    assert translator.feed(frame(9, "b", track="elsewhere")) == []
    assert translator.counts["unknown letter"] == 2
    assert translator.counts["track without an adapter"] == 1


def test_a_branch_goes_on_alone() -> None:
    translator = fresh()
    play(translator, "b s#one")
    place = translator.checkpoint()
    rest = play(translator, "s#two e", start=2)
    branch = translator.branch(place)
    assert branch.state == place.state
    assert play(branch, "s#two e", start=2) == rest
    assert branch.state == translator.state
    cut = translator.branch(place)
    assert cut.feed(frame(5, "s#one")) == [], "an identity of the shared past is known"
    assert cut.feed(edge(6, Closed())) == []
    assert tags(cut.feed(edge(7, Unreconciled()))) == ["failed"]
    assert tags(rest) == ["commentary", "final"]


def test_a_turn_whose_stream_just_stops_is_open() -> None:
    assert tags(play(fresh(), "b s")) == ["run.started"]
