"""A session in which one agent hands over to another: nothing is reclassified (R6, V4)."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.adapters.translator import Translator
from turnreel.conformance.scenarios import required
from turnreel.conformance.scenarios.playing import AGENT, arrivals, played
from turnreel.lifecycle.events import AnyEvent, RunStarted
from turnreel.lifecycle.fold import RunView, fold

AGENTS = [d for d in registry.dialects() if registry.adapter(d).info.has_runs]
SCRIPT = next(one.script for one in required() if one.id == "several-tools")


def seen(events: list[AnyEvent]) -> list[RunView]:
    """The runs as a person sees them, whatever they are called."""
    return [replace(view, run_id="", thought_ms=0) for view in fold(events)]


@pytest.mark.parametrize(("former", "latter"), [*permutations(AGENTS, 2)])
def test_each_agents_turn_is_what_it_is_alone(former: str, latter: str) -> None:
    adapters = {"former": registry.adapter(former), "latter": registry.adapter(latter)}
    translator = Translator(adapters, session="scripted", agent="any")
    events: list[AnyEvent] = []
    number = 0
    for track, dialect in (("former", former), ("latter", latter)):
        for one in arrivals(dialect, SCRIPT):
            number += 1
            told = replace(one, number=number, track=track if one.track == AGENT else one.track)
            events += translator.feed(told)
    assert seen(events) == seen([*played(former, SCRIPT)]) + seen([*played(latter, SCRIPT)])
    starts = [event for event in events if isinstance(event, RunStarted)]
    assert [start.dialect for start in starts] == [former, latter]
