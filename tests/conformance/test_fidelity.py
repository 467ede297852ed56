"""Rendered turns look like recorded ones: the same fields in every frame, and frames in an order in
which the real agents print them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from turnreel.adapters import codex_items, registry
from turnreel.adapters.base import Arrival, Frame
from turnreel.adapters.steps import Unsayable
from turnreel.cassettes import open_cassette
from turnreel.conformance.scenarios import EQUAL
from turnreel.conformance.scenarios.playing import AGENT, arrivals
from turnreel.replayer import refeed
from turnreel.wire.units import Json, JsonUnit

LIBRARY = Path(__file__).resolve().parents[2] / "cassettes" / "library"
AGENTS = [d for d in registry.dialects() if registry.adapter(d).info.tier != "provider"]
OWN = ("input", "args", "arguments", "rawInput")
"""Fields whose inside is the tool's: a script is free there."""

PARTED = {
    "hermes-runs": {("tool.completed", "run.failed")},
    "hermes-responses": {
        ("response.output_item.added function_call_output", "response.output_text.done")
    },
    "codex-app-server": {("thread/tokenUsage/updated", "error")},
    "codex-exec": {("item.completed tool", "turn.completed")},
}
"""Orders that no recording of the library happens to have: a failure, or nothing at all, right
after a tool.
"""

Kind = str


class Shape(NamedTuple):
    """The fields that one object of a kind of frame always has, and those it ever has."""

    always: frozenset[str]
    ever: frozenset[str]


class Native(NamedTuple):
    """What recordings of a dialect show: shapes by kind and place, and which kind follows which."""

    shapes: dict[tuple[Kind, str], Shape]
    follows: frozenset[tuple[Kind, Kind]]


@pytest.mark.parametrize("dialect", AGENTS)
def test_frames_have_the_fields_that_recorded_ones_have(dialect: str) -> None:
    known = native(dialect).shapes
    wrong = set()
    for frame in (frame for turn in rendered(dialect) for frame in turn):
        kind = kind_of(dialect, frame)
        for place, fields in objects(frame.unit.value):
            shape = known.get((kind, place))
            assert shape is not None, f"no recorded {kind} has {place}"
            missing = {name for name in shape.always - fields if not masked(name)}
            foreign = fields - shape.ever if not any(map(masked, shape.ever)) else set()
            if missing or foreign:
                wrong.add(f"{kind} {place}: lacks {sorted(missing)}, invents {sorted(foreign)}")
    assert wrong == set()


@pytest.mark.parametrize("dialect", AGENTS)
def test_frames_come_in_an_order_that_was_recorded(dialect: str) -> None:
    """Frames of kinds that no script renders are looked past, and so is how a session begins. An
    argued order that was recorded after all fails as well.
    """
    new = set(pairs(dialect, rendered(dialect))) - native(dialect).follows
    assert new == PARTED.get(dialect, set())


def native(dialect: str) -> Native:
    kinds = {general(dialect, frame) for turn in rendered(dialect) for frame in turn}
    return _native(dialect, frozenset(kinds))


@cache
def _native(dialect: str, kinds: frozenset[Kind]) -> Native:
    shapes: dict[tuple[Kind, str], Shape] = {}
    follows: set[tuple[Kind, Kind]] = set()
    for path in sorted((LIBRARY / dialect).rglob("*.cassette.jsonl")):
        cassette = open_cassette(path)
        if cassette.header.origin.kind == "generated":
            continue
        frames = list(printed(refeed.arrivals(cassette, cassette.header.id)))
        for frame in frames:
            for place, fields in objects(frame.unit.value):
                key = kind_of(dialect, frame), place
                before = shapes.get(key, Shape(fields, fields))
                shapes[key] = Shape(before.always & fields, before.ever | fields)
        told = [frame for frame in frames if general(dialect, frame) in kinds]
        follows |= set(pairs(dialect, [told]))
    return Native(shapes, frozenset(follows))


def rendered(dialect: str) -> Iterator[list[Frame]]:
    for scenario in EQUAL:
        try:
            yield list(printed(arrivals(dialect, scenario.script)))
        except Unsayable:
            continue


def printed(told: Iterable[Arrival]) -> Iterator[Frame]:
    """Frames of the agent that hold a JSON object."""
    for one in told:
        if not isinstance(one, Frame) or one.track != AGENT or one.code not in ("out", "data"):
            continue
        if isinstance(one.unit, JsonUnit) and isinstance(one.unit.value, dict):
            yield one


def pairs(dialect: str, turns: Iterable[list[Frame]]) -> Iterator[tuple[Kind, Kind]]:
    for frames in turns:
        kinds = [general(dialect, frame) for frame in frames]
        yield from pairwise(kinds)


def kind_of(dialect: str, frame: Frame) -> Kind:
    """The words that tell the frames of a dialect apart, as its policy names them."""
    words = []
    for path in (*registry.policy(dialect).discriminators["frame"], "item.type"):
        value: Json = frame.unit.value
        if path == "@event":
            value = getattr(frame.unit.framing, "event", None)
        else:
            for name in path.split("."):
                value = value.get(name) if isinstance(value, dict) else None
        words += [value] if isinstance(value, str) and value not in words else []
    return " ".join(words)


def general(dialect: str, frame: Frame) -> Kind:
    """The same, with one word for all tools."""
    words = kind_of(dialect, frame).split()
    return " ".join("tool" if word in codex_items.NAMES else word for word in words)


def objects(value: Json, place: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Every object of a frame with its place in it."""
    if isinstance(value, dict):
        yield place, frozenset(value)
        for name, inner in value.items():
            if name not in OWN:
                yield from objects(inner, f"{place}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner, f"{place}[]")


def masked(name: str) -> bool:
    """Whether the sanitizer put this name in another's place."""
    return name.startswith("field-")
