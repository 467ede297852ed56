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
from turnreel.conformance.scenarios import required
from turnreel.conformance.scenarios.playing import AGENT, arrivals
from turnreel.replayer import refeed
from turnreel.wire.units import Json, JsonUnit

LIBRARY = Path(__file__).resolve().parents[2] / "cassettes" / "library"
AGENTS = [d for d in registry.dialects() if registry.adapter(d).info.tier != "provider"]
OWN = ("input", "args", "arguments", "rawInput")
"""Fields whose inside is the tool's: a script is free there."""

PARTED = {
    "claude-stream-json": {
        ("command_lifecycle", "user"),
        ("control_cancel_request", "command_lifecycle"),
        ("control_cancel_request", "user"),
        ("control_request can_use_tool", "control_response"),
        ("control_response", "result error_during_execution"),
        ("stream_event message_stop", "control_response"),
        ("stream_event message_stop", "system task_started"),
        ("system api_retry", "control_response"),
        ("system task_started", "system task_notification"),
    },
    "hermes-session": {
        ("tool.completed", "tool.completed"),
        ("tool.started", "tool.started"),
    },
    "hermes-runs": {
        ("approval.request", "run.cancelled"),
        ("approval.responded", "message.delta"),
        ("tool.completed", "approval.responded"),
        ("tool.completed", "run.failed"),
        ("tool.completed", "tool.completed"),
        ("tool.started", "run.cancelled"),
        ("tool.started", "tool.started"),
    },
    "hermes-tui": {
        ("", "event tool.start"),
        ("event approval.request", "event tool.complete"),
        ("event message.complete", "event message.delta"),
        ("event message.complete", "event subagent.complete"),
        ("event subagent.complete", "event message.start"),
        ("event subagent.complete", "event tool.complete"),
        ("event subagent.start", "event subagent.complete"),
        ("event subagent.start", "event tool.complete"),
        ("event tool.complete", ""),
        ("event tool.complete", "event tool.complete"),
        ("event tool.start", "event subagent.start"),
        ("event tool.start", "event tool.start"),
    },
    "hermes-chat": {
        ("completed", "completed"),
        ("running", "running"),
    },
    "hermes-responses": {
        ("response.output_item.added function_call", "response.output_item.added function_call"),
        (
            "response.output_item.added function_call_output",
            "response.output_item.added function_call_output",
        ),
        ("response.output_item.added function_call_output", "response.output_text.done"),
        ("response.output_item.added message", "response.output_text.done"),
    },
    "hermes-acp": {
        ("session/request_permission", ""),
        ("session/update plan", "session/update agent_message_chunk"),
        ("session/update tool_call_update", "session/update plan"),
    },
    "codex-app-server": {
        ("item/commandExecution/requestApproval", "item/completed tool"),
        ("item/commandExecution/requestApproval", "thread/tokenUsage/updated"),
        ("item/completed tool", "item/completed tool"),
        ("item/completed tool", "item/started agentMessage"),
        ("item/completed userMessage", "item/completed tool"),
        ("item/completed userMessage", "item/tool/requestUserInput"),
        ("item/completed userMessage", "turn/plan/updated"),
        ("item/started tool", "item/started tool"),
        ("item/tool/requestUserInput", "serverRequest/resolved"),
        ("thread/started", "thread/status/changed"),
        ("thread/status/changed", "item/started agentMessage"),
        ("thread/tokenUsage/updated", "error"),
        ("thread/tokenUsage/updated", "serverRequest/resolved"),
        ("thread/tokenUsage/updated", "thread/started"),
        ("thread/tokenUsage/updated", "turn/plan/updated"),
        ("turn/completed", "item/started agentMessage"),
        ("turn/completed", "thread/status/changed"),
        ("turn/plan/updated", "item/started agentMessage"),
        ("turn/started", "item/started agentMessage"),
    },
    "codex-exec": {
        ("item.completed tool", "item.completed tool"),
        ("item.completed tool", "item.updated todo_list"),
        ("item.completed tool", "turn.completed"),
        ("item.started tool", "item.started tool"),
        ("item.updated todo_list", "item.completed agent_message"),
        ("turn.started", "item.updated todo_list"),
    },
}
"""Orders that no recording of the library happens to have: a failure, or nothing at all, right
after a tool; tools at once; what a person is asked and nobody answers, or cancels; plans; child
agents between other frames; messages into a turn that runs.
"""

FAULTY = frozenset({"told-again", "said-too-late", "ended-twice", "ended-at-odds"})
"""Scenarios that are about an order in which no agent prints."""

UNRECORDED = {
    "hermes-tui": {
        "event subagent.complete",
        "event subagent.start",
        "event tool.complete",
    },
    "hermes-acp": {
        "session/update plan",
    },
    "codex-app-server": {
        "item/completed collabAgentToolCall",
        "item/started collabAgentToolCall",
        "item/tool/requestUserInput",
        "turn/plan/updated",
    },
    "codex-exec": {
        "item.completed collab_tool_call",
        "item.started collab_tool_call",
        "item.updated todo_list",
    },
}
"""Kinds of frames that no recording of the library has, at least not with what is rendered inside:
they stand as the agent's source has them.
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
    wrong, new = set(), set()
    for frame in (frame for turn in rendered(dialect) for frame in turn):
        kind = kind_of(dialect, frame)
        for place, fields in objects(frame.unit.value):
            shape = known.get((kind, place))
            if kind in UNRECORDED.get(dialect, ()):
                new |= {kind} if shape is None else set()
                continue
            assert shape is not None, f"no recorded {kind} has {place}"
            missing = {name for name in shape.always - fields if not masked(name)}
            foreign = fields - shape.ever if not any(map(masked, shape.ever)) else set()
            if missing or foreign:
                wrong.add(f"{kind} {place}: lacks {sorted(missing)}, invents {sorted(foreign)}")
    assert wrong == set()
    assert new == UNRECORDED.get(dialect, set())


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
    for scenario in required():
        if scenario.id in FAULTY:
            continue
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
