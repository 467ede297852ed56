"""Tracks: what a provider's track adds to a turn is health and nothing else (O4)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from turnreel.conformance.sessions import runs_of
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import HealthEntry, RunView, fold

from .breach import Breach
from .timeline import Timeline


def without_provider(timeline: Timeline) -> Iterator[list[Breach]]:
    """The session as whoever hears the agent alone has it; nothing where no provider was heard."""
    recording = timeline.recording
    heard = recording.agents_alone()
    if len(heard.adapters) == len(recording.adapters):
        return
    translator = heard.translator()
    told: list[AnyEvent] = []
    for arrival in timeline.arrivals:
        if arrival.track in heard.adapters or arrival.track not in recording.adapters:
            told += translator.feed(arrival)
    here, there = _views(timeline.events), _views(told)
    events, alone = runs_of(timeline.events), runs_of(told)
    yield [
        Breach(
            "tracks",
            "O4",
            "the provider's track changes more than health",
            timeline.places - 1,
            run_id,
            expected=events.get(run_id, ()),
            actual=alone.get(run_id, ()),
        )
        for run_id in {**here, **there}
        if here.get(run_id) != there.get(run_id)
    ]


def _views(events: list[AnyEvent] | tuple[AnyEvent, ...]) -> dict[str, RunView]:
    """Every run, child or not, as a person sees it who does not see its health."""
    found: dict[str, RunView] = {}
    waiting = list(fold(events))
    while waiting:
        view = waiting.pop()
        waiting += view.children
        entries = tuple(one for one in view.entries if not isinstance(one, HealthEntry))
        end = view.terminal and replace(view.terminal, health="healthy")
        found[view.run_id] = replace(
            view, entries=entries, terminal=end, health="healthy", children=()
        )
    return found
