"""Sweeps hold on what is right, and each catches what it is there for: a zoo of broken parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as changed

from tests.conformance.sessions import (
    ANSWERED,
    EXIT,
    PROMPT,
    UNRECONCILED,
    Row,
    assistant,
    call,
    init,
    result,
    text,
    tool_result,
    write,
)
from turnreel.adapters import registry
from turnreel.adapters.base import Adapter, Arrival, Edge, Frame
from turnreel.adapters.translator import Translator
from turnreel.conformance.findings import Check
from turnreel.conformance.native import native_of
from turnreel.conformance.recording import Recording, load
from turnreel.conformance.sessions import runs_of
from turnreel.conformance.sweeps import places as place_rules
from turnreel.conformance.sweeps import rechunk as rechunking
from turnreel.conformance.sweeps.breach import Breach
from turnreel.conformance.sweeps.cancel import cancel_and_end, cancel_and_go_on
from turnreel.conformance.sweeps.cut import cut
from turnreel.conformance.sweeps.duplicate import duplicate
from turnreel.conformance.sweeps.hosts import Host
from turnreel.conformance.sweeps.places import places
from turnreel.conformance.sweeps.prefix import prefix
from turnreel.conformance.sweeps.rechunk import bytes_again, rechunk, streams
from turnreel.conformance.sweeps.tails import Tail, bare, before
from turnreel.conformance.sweeps.timeline import Continuations, Timeline
from turnreel.conformance.sweeps.tracks import without_provider
from turnreel.lifecycle import tables
from turnreel.lifecycle.observations import AnyObservation, Ended, ToolMoved
from turnreel.lifecycle.signals import CancelRequested, Closed
from turnreel.wire import JsonUnit, LineFramer, LineFraming, Unit

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library" / "claude-stream-json"

CUT_MIDWAY: tuple[Row, ...] = (
    *ANSWERED[:5],
    ("agent", "exit", {"signal": "SIGKILL"}),
    UNRECONCILED,
)
TWO_TOOLS: tuple[Row, ...] = (
    PROMPT,
    init(),
    assistant("m1", "u1", text("Both now."), call("x1")),
    assistant("m1", "u2", call("x2", "Bash")),
    tool_result("x2", "u3", is_error=True),
    tool_result("x1", "u4"),
    assistant("m2", "u5", text("One failed, one did not.")),
    result("One failed, one did not."),
    EXIT,
    UNRECONCILED,
)
OPEN: tuple[Row, ...] = ANSWERED[:4]
SESSIONS = {
    "answered": ANSWERED,
    "cut": CUT_MIDWAY,
    "two tools": TWO_TOOLS,
    "open": OPEN,
    "empty": (),
}


def recorded(folder: Path, rows: Sequence[Row]) -> Recording:
    return load(write(folder / "s.cassette.jsonl", rows))


def with_adapter(recording: Recording, wrap: Callable[[Adapter[Any]], Any]) -> Recording:
    """The recording under a broken adapter."""
    return replace(recording, adapters={"agent": wrap(recording.adapters["agent"])})


def sweep(recording: Recording, check: Check) -> list[Breach]:
    """All that one sweep finds."""
    timeline = Timeline(recording)
    chosen = places(timeline, 1)
    host = Host(timeline.arrivals, native_of(recording))
    cases: Iterable[list[Breach]]
    match check:
        case "cut":
            cases = cut(timeline, chosen, host)
        case "cancel":
            cases = [
                *cancel_and_end(timeline, chosen, host),
                *cancel_and_go_on(timeline, chosen),
            ]
        case "duplicate":
            cases = duplicate(timeline, chosen)
        case "prefix":
            cases = prefix(timeline, chosen)
        case "bytes":
            cases = bytes_again(streams(recording.arrivals))
        case _:
            cases = rechunk(streams(recording.arrivals), 1)
    return [breach for case in cases for breach in case]


def clauses(breaches: Iterable[Breach]) -> set[str]:
    return {breach.clause for breach in breaches}


@pytest.mark.parametrize("rows", SESSIONS.values(), ids=SESSIONS.keys())
@pytest.mark.parametrize("check", ["bytes", "cut", "cancel", "duplicate", "prefix", "rechunk"])
def test_what_is_right_survives(tmp_path: Path, rows: Sequence[Row], check: Check) -> None:
    assert sweep(recorded(tmp_path, rows), check) == []


class Broken:
    """An adapter that does one thing wrong."""

    def __init__(self, adapter: Adapter[Any]) -> None:
        self.adapter = adapter
        self.info = adapter.info

    def begin(self) -> Any:
        return self.adapter.begin()

    def step(self, state: Any, arrival: Arrival) -> tuple[Any, Sequence[AnyObservation]]:
        return self.adapter.step(state, arrival)

    def identity(self, frame: Frame) -> str | None:
        return self.adapter.identity(frame)

    def turn_of(self, state: Any) -> str:
        """The key that the adapter gives the first turn."""
        _, seen = self.adapter.step(self.adapter.begin(), frame_of(init()))
        return seen[0].turn


def frame_of(row: Row) -> Frame:
    return Frame("agent", "out", 1, 0, JsonUnit(row[2], LineFraming()))


class SuccessOnSilence(Broken):
    def step(self, state: Any, arrival: Arrival) -> tuple[Any, Sequence[AnyObservation]]:
        state, seen = super().step(state, arrival)
        if isinstance(arrival, Edge) and isinstance(arrival.signal, Closed):
            seen = [*seen, Ended(turn=self.turn_of(state), ending="completed")]
        return state, seen


class SuccessOnCancel(Broken):
    def step(self, state: Any, arrival: Arrival) -> tuple[Any, Sequence[AnyObservation]]:
        state, seen = super().step(state, arrival)
        if isinstance(arrival, Edge) and isinstance(arrival.signal, CancelRequested):
            seen = [*seen, Ended(turn=self.turn_of(state), ending="completed")]
        return state, seen


class Deaf(Broken):
    """Hears nothing any more once it was asked to cancel."""

    def step(self, state: Any, arrival: Arrival) -> tuple[Any, Sequence[AnyObservation]]:
        if state is None or (isinstance(arrival, Edge) and arrival.signal == CancelRequested()):
            return None, ()
        return super().step(state, arrival)


class Nameless(Broken):
    """Says that frames have no identity, though a doubled one is a second message."""

    def identity(self, frame: Frame) -> str | None:
        return None

    def step(self, state: Any, arrival: Arrival) -> tuple[Any, Sequence[AnyObservation]]:
        state, seen = super().step(state, arrival)
        return state, [_renamed(one, arrival.number) for one in seen]


def _renamed(seen: AnyObservation, number: int) -> AnyObservation:
    """Activities keyed by the frame they came in."""
    if isinstance(seen, ToolMoved) and seen.state == "started":
        return changed(seen, activity=f"{seen.activity} {number}")
    return seen


class Unstable(Broken):
    """Takes a frame's number for its identity, and counts what it sees."""

    def begin(self) -> Any:
        return (self.adapter.begin(), 0)

    def step(self, state: Any, arrival: Arrival) -> tuple[Any, Sequence[AnyObservation]]:
        inner, count = state
        inner, seen = self.adapter.step(inner, arrival)
        return (inner, count + 1), seen

    def identity(self, frame: Frame) -> str | None:
        return str(frame.number)


ZOO: dict[str, tuple[type[Broken], Check, set[str]]] = {
    "success on silence": (SuccessOnSilence, "cut", {"T3", "T4"}),
    "success on a cancel": (SuccessOnCancel, "cancel", {"T7"}),
    "a cancel that makes the adapter deaf": (Deaf, "cancel", {"T7"}),
    "a doubled call as two tools": (Nameless, "duplicate", {"R2"}),
    "identity by number": (Unstable, "duplicate", {"R2"}),
    "identity by number, after a reconnect": (Unstable, "prefix", {"R2"}),
}


@pytest.mark.parametrize(("adapter", "check", "expected"), ZOO.values(), ids=ZOO.keys())
def test_the_zoo_is_caught(
    tmp_path: Path, adapter: type[Broken], check: Check, expected: set[str]
) -> None:
    found = sweep(with_adapter(recorded(tmp_path, ANSWERED), adapter), check)
    assert clauses(found) and clauses(found) <= expected


def test_a_table_without_its_last_move_leaves_runs_without_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(tables.RUN, ("settling", "unreconciled"))
    found = sweep(recorded(tmp_path, ANSWERED), "cut")
    assert "T4" in clauses(found)
    assert {breach.message for breach in found if breach.clause == "T4"} == {
        "no terminal, although the stream ended and no receipt will come"
    }


def test_a_table_that_expires_nothing_at_the_end_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only = tables.Effect(message="cut_off")
    monkeypatch.setitem(tables.COUPLING, "run ends otherwise", only)
    assert clauses(sweep(recorded(tmp_path, ANSWERED), "cut")) == {"T9"}


def test_a_translator_that_ignores_record_numbers_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def feed(self: Translator, arrival: Arrival) -> list[Any]:
        return self._frame(arrival) if isinstance(arrival, Frame) else self._edge(arrival)

    monkeypatch.setattr(Translator, "feed", feed)
    recording = recorded(tmp_path, CUT_MIDWAY)
    assert clauses(sweep(recording, "duplicate")) == {"R2"}
    assert clauses(sweep(recording, "prefix")) == {"R2"}


def test_a_framer_that_trusts_chunks_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Trusting(LineFramer):
        def feed(self, data: bytes) -> list[Unit]:
            return [*super().feed(data), *super().close()]

    monkeypatch.setattr(rechunking, "LineFramer", Trusting)
    recording = recorded(tmp_path, ANSWERED)
    assert sweep(recording, "bytes") == []
    assert clauses(sweep(recording, "rechunk")) == {"R3"}


def test_bytes_that_frame_otherwise_are_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rechunking, "encode", lambda unit: b"{}\n")
    assert clauses(sweep(recorded(tmp_path, ANSWERED), "bytes")) == {"R3"}


@pytest.mark.parametrize("rows", [ANSWERED, TWO_TOOLS, CUT_MIDWAY])
def test_a_branch_that_stops_early_tells_what_a_whole_translation_tells(
    tmp_path: Path, rows: Sequence[Row]
) -> None:
    """The shortcut is no judgement: it gives the events of a plain translation, place by place."""
    recording = recorded(tmp_path, rows)
    timeline = Timeline(recording)
    continuations = Continuations(timeline)
    for place in reversed(range(timeline.places)):
        edge = timeline.edge(place, CancelRequested())
        branch = timeline.branch(place)
        short = [*timeline.head(place), *branch.feed(edge), *continuations.follow(branch, place)]
        plain = recording.translator()
        arrivals = [*timeline.arrivals[:place], edge, *timeline.arrivals[place:]]
        long = [event for arrival in arrivals for event in plain.feed(arrival)]
        assert bare(short) == bare(long)


def test_a_fingerprint_is_of_the_events_however_they_are_put_together(tmp_path: Path) -> None:
    timeline = Timeline(recorded(tmp_path, ANSWERED))
    events = timeline.events
    parts = before(events[:2], before(events[2:3], Tail(events[3:])))
    assert (parts.fingerprint, parts.length) == (Tail(events).fingerprint, len(events))
    assert parts.fingerprint == timeline.fingerprint
    assert Tail(events[::-1]).fingerprint != timeline.fingerprint
    for place in range(timeline.places):
        stream = timeline.stream(place, timeline.told[place - 1] if place else [], Tail())
        assert stream.fingerprint == Tail(tuple(stream)).fingerprint


def test_a_branch_changes_nothing_of_the_timeline(tmp_path: Path) -> None:
    timeline = Timeline(recorded(tmp_path, ANSWERED))
    before = [mark.state for mark in timeline.marks]
    branch = timeline.branch(3)
    branch.feed(timeline.edge(3, CancelRequested()))
    Continuations(timeline).follow(branch, 3)
    assert [mark.state for mark in timeline.marks] == before
    assert runs_of(timeline.events).keys() == {f"{timeline.recording.header.id}.1"}


def test_places_are_all_at_first_then_boundaries_and_a_seeded_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place_rules, "FIRST", 4)
    monkeypatch.setattr(place_rules, "SAMPLE", 3)
    noise: list[Row] = [("agent", "err", f"noise {n}", {"kind": "text"}) for n in range(40)]
    rows = [*ANSWERED[:4], *noise, *ANSWERED[4:]]
    timeline = Timeline(recorded(tmp_path, rows))
    chosen = places(timeline, seed=7)
    assert chosen[:5] == [0, 1, 2, 3, 4]
    ended = next(place for place, told in enumerate(timeline.told) if any(e.terminal for e in told))
    assert {ended, ended + 1} <= set(chosen)
    assert chosen == places(timeline, seed=7) != places(timeline, seed=8)
    assert len(chosen) < len(rows)


def test_a_provider_that_changes_the_turn_is_seen(tmp_path: Path) -> None:
    """O4: an adapter of a provider may trouble a run, and nothing else."""

    class Meddler:
        """Ends the turn that its agent began."""

        info = registry.adapter("anthropic-messages").info

        def begin(self) -> int:
            return 0

        def step(self, state: int, arrival: Arrival) -> tuple[int, list[Any]]:
            ends = isinstance(arrival, Frame) and arrival.code == "end"
            return state, [Ended(turn="t1", ending="failed", code="auth")] if ends else []

        def identity(self, frame: Frame) -> None:
            return None

    recording = load(LIBRARY / "2.1.332" / "result-lost-transcript-kept.cassette.jsonl")
    assert list(without_provider(Timeline(recording))) == [[]]
    meddled = replace(recording, adapters={**recording.adapters, "provider": Meddler()})
    (found,) = without_provider(Timeline(meddled))
    assert [(breach.check, breach.clause) for breach in found] == [("tracks", "O4")]


def test_without_a_provider_there_is_nothing_to_compare() -> None:
    recording = load(LIBRARY / "2.1.215" / "interrupted-while-streaming.cassette.jsonl")
    agents = {"agent": recording.adapters["agent"]}
    assert list(without_provider(Timeline(replace(recording, adapters=agents)))) == []
