"""Forgers: what they make up fits behind the stream, in every dialect, or is refused by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.replayer.streams import PROVIDERS, exchange
from turnreel.adapters.bodies import Event
from turnreel.adapters.forging import OTHER, PLAIN, Forger
from turnreel.adapters.registry import answer, dialects, forger
from turnreel.adapters.steps import Answer, End, Say, Unsayable
from turnreel.conformance.faulting import AGENTS, agent
from turnreel.replayer.script import Printed
from turnreel.wire.encode import encode
from turnreel.wire.ndjson import LineFramer
from turnreel.wire.sse import SseFramer
from turnreel.wire.units import JsonUnit, LineFraming, SseFraming, TextUnit, Unit

FORGED: dict[str, Callable[[Forger, Sequence[Unit]], Sequence[Unit]]] = {
    "second": lambda one, spoken: one.second(spoken),
    "conflicting": lambda one, spoken: one.conflicting(spoken),
    "error": lambda one, spoken: one.error(spoken),
    "retry": lambda one, spoken: one.retry(spoken).failed,
    "ping": lambda one, spoken: [one.ping(spoken)],
    "unknown": lambda one, spoken: [one.unknown(spoken)],
    "resumed": lambda one, spoken: one.resumed(spoken),
}
REFUSED = {
    "codex-app-server": {"ping"},
    "codex-exec": {"ping"},
    "hermes-acp": {"ping", "error", "retry"},
    "hermes-tui": {"ping", "error", "retry"},
    "hermes-chat": {"error", "retry"},
    "hermes-responses": {"error", "retry"},
    "hermes-runs": {"error", "retry"},
    "hermes-session": {"retry"},
}
"""What a dialect has no frame for."""


def spoken_of(dialect: str) -> list[Unit]:
    """A whole stream of the dialect."""
    if dialect in PROVIDERS:
        return [event.unit for event in exchange(dialect).events]
    if dialect in AGENTS:
        return [act.event.unit for act in agent(dialect).acts if isinstance(act, Printed)]
    events = answer(dialect)((Answer((Say("Done."),)), End())).events
    return [
        JsonUnit(event.data, SseFraming(event.name))
        if isinstance(event.data, dict)
        else TextUnit(event.data, SseFraming(event.name))
        for event in events
        if isinstance(event, Event) and not str(event.data).startswith(":")
    ]


@pytest.mark.parametrize("kind", FORGED)
@pytest.mark.parametrize("dialect", dialects())
def test_what_is_forged_is_of_the_stream_or_refused_by_name(dialect: str, kind: str) -> None:
    spoken, one = spoken_of(dialect), forger(dialect)
    if kind in REFUSED.get(dialect, ()):
        with pytest.raises(Unsayable, match=dialect):
            FORGED[kind](one, spoken)
        return
    units = FORGED[kind](one, spoken)
    assert units or kind == "resumed"
    framing = SseFraming if isinstance(spoken[0].framing, SseFraming) else LineFraming
    for unit in units:
        assert isinstance(unit.framing, framing)
        reader = SseFramer() if framing is SseFraming else LineFramer()
        assert [*reader.feed(encode(unit)), *reader.close()] == [unit]


@pytest.mark.parametrize("dialect", dialects())
def test_terminals_are_at_the_end_and_what_is_forged_of_them_is_one(dialect: str) -> None:
    spoken, one = spoken_of(dialect), forger(dialect)
    ends = [place for place, unit in enumerate(spoken) if one.terminal(unit)]
    assert ends and ends == list(range(ends[0], len(spoken)))
    assert any(one.terminal(unit) for unit in one.second(spoken))
    assert one.conflicting(spoken) != one.second(spoken)
    assert one.conflicting(spoken) == one.conflicting(spoken)


@pytest.mark.parametrize("dialect", dialects())
def test_another_terminal_of_the_conflicting_one_says_the_first_again(dialect: str) -> None:
    """Failed after success, and success after a failure."""
    spoken, one = spoken_of(dialect), forger(dialect)
    first = next(place for place, unit in enumerate(spoken) if one.terminal(unit))
    other = [*spoken[:first], *one.conflicting(spoken)]
    if one.terminal(other[-1]):
        assert one.conflicting(other) != one.conflicting(spoken)


@pytest.mark.parametrize("dialect", dialects())
def test_other_ids_are_other_everywhere_and_nothing_else_is(dialect: str) -> None:
    spoken, one = spoken_of(dialect), forger(dialect)
    renamed = [other for unit in spoken if (other := one.renamed(unit)) is not None]
    recorded = {encode(unit) for unit in spoken}
    for unit in renamed:
        assert encode(unit) not in recorded
        assert encode(unit).replace(OTHER.encode(), b"") in recorded
    assert one.renamed(TextUnit("id", LineFraming())) is None


def test_of_a_dialect_nobody_knows_nothing_is_forged() -> None:
    assert forger("none") is PLAIN
    assert PLAIN.terminal(spoken_of("openai-chat")[-1]) is False
    with pytest.raises(Unsayable, match="this dialect has no terminal frame"):
        PLAIN.second(spoken_of("openai-chat"))


@pytest.mark.parametrize("dialect", ["openai-responses", "hermes-responses", "hermes-session"])
def test_numbered_streams_go_on_counting(dialect: str) -> None:
    spoken, one = spoken_of(dialect), forger(dialect)
    name = "seq" if dialect == "hermes-session" else "sequence_number"
    numbered = [
        JsonUnit({**unit.value, name: number}, unit.framing)
        for number, unit in enumerate(spoken)
        if isinstance(unit, JsonUnit) and isinstance(unit.value, dict)
    ]
    first = one.second(numbered)[0]
    assert isinstance(first, JsonUnit) and isinstance(first.value, dict)
    assert first.value[name] == len(numbered)
