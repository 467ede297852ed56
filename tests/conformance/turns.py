"""A turn told by hand, and hands to break it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from turnreel.adapters.base import Arrival, Edge, Frame
from turnreel.conformance.watching import Native
from turnreel.lifecycle.events import (
    Activity,
    AnyEvent,
    Artifact,
    Commentary,
    Evidence,
    Failed,
    Final,
    Health,
    InputRequested,
    InputResolved,
    NeedsInput,
    RunStarted,
)
from turnreel.lifecycle.observations import AnyObservation, Asked, Ended, ToolMoved
from turnreel.lifecycle.signals import Closed
from turnreel.wire.units import JsonUnit, LineFraming

RUN = "s.1"


def number(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The events with the numbers their order gives them, each caused by a frame of its own."""
    told: list[AnyEvent] = []
    counts: dict[str, int] = {}
    for event in events:
        seq = counts[event.run_id] = counts.get(event.run_id, 0) + 1
        cause = (Evidence("agent", len(told) + 1),)
        told.append(replace(event, seq=seq, id=f"{event.run_id}:{seq}", evidence=cause))
    return told


def tell(event: Callable[..., AnyEvent], /, **fields: Any) -> AnyEvent:
    """One event of the run, not numbered yet."""
    return event(**{"id": "", "run_id": RUN, "seq": 0, "at_ms": 5, **fields})


def started(**fields: Any) -> AnyEvent:
    return tell(RunStarted, **{"thread_id": "s/0", "agent": "a", "dialect": "d", **fields})


def said(message: str, text: str, **fields: Any) -> AnyEvent:
    return tell(
        Commentary, **{"message_id": f"{RUN}/{message}", "text": text, "done": True, **fields}
    )


def tool(state: str, activity: str = "a1", **fields: Any) -> AnyEvent:
    return tell(
        Activity,
        **{
            "activity_id": f"{RUN}/{activity}",
            "kind": "command",
            "name": "Bash",
            "state": state,
            **fields,
        },
    )


def asked(gate: str = "g1", **fields: Any) -> AnyEvent:
    return tell(
        InputRequested,
        **{"request_id": f"{RUN}/{gate}", "kind": "approval", "prompt": "Allow Bash?", **fields},
    )


def resolved(resolution: str, gate: str = "g1", **fields: Any) -> AnyEvent:
    return tell(
        InputResolved,
        **{
            "request_id": f"{RUN}/{gate}",
            "kind": "approval",
            "resolution": resolution,
            **fields,
        },
    )


def health(state: str, **fields: Any) -> AnyEvent:
    return tell(Health, **{"state": state, "code": "rate_limited", **fields})


def produced() -> AnyEvent:
    return tell(Artifact, artifact_id=f"{RUN}/f1", name="f.pdf")


def final(text: str = "The total is 42.", **fields: Any) -> AnyEvent:
    return tell(
        Final,
        **{
            "message_id": f"{RUN}/m9",
            "text": text,
            "outcome": "completed",
            "health": "healthy",
            **fields,
        },
    )


def failed(code: str = "auth", **fields: Any) -> AnyEvent:
    return tell(
        Failed,
        **{
            "message_id": f"{RUN}/m9",
            "text": "It failed.",
            "outcome": "failed",
            "health": "degraded",
            "code": code,
            "retryable": False,
            **fields,
        },
    )


def needs(**fields: Any) -> AnyEvent:
    return tell(
        NeedsInput,
        **{
            "message_id": f"{RUN}/m9",
            "text": "Allow Bash?",
            "outcome": "blocked",
            "health": "healthy",
            "request_id": f"{RUN}/g1",
            **fields,
        },
    )


def good() -> list[AnyEvent]:
    """A turn with one of everything, which keeps every clause."""
    return number(
        [
            started(),
            said("m1", "I look", done=False),
            said("m1", " around.", offset=6),
            tool("started"),
            asked(),
            resolved("approved"),
            tool("progress"),
            tool("ok"),
            health("degraded", attempt=1, will_retry=True),
            health("recovered"),
            produced(),
            final(health="recovered"),
        ]
    )


def native_of(events: list[AnyEvent]) -> Native:
    """A native side that supports every event: a frame for each, and what it takes to cause it."""
    arrivals: dict[int, Arrival] = {}
    observed: dict[int, list[AnyObservation]] = {}
    for at, event in enumerate(events, 1):
        arrivals[at] = frame(at, {"type": "anything"})
        match event:
            case Activity(state="ok"):
                observed[at] = [ToolMoved(turn="t", activity="a", state="ok")]
            case InputRequested():
                observed[at] = [Asked(turn="t", request="g", kind="approval", prompt="?")]
            case Final():
                observed[at] = [Ended(turn="t", ending="completed")]
            case Failed():
                observed[at] = [Ended(turn="t", ending="failed")]
            case _:
                pass
    return Native(arrivals=arrivals, observed=observed, retry_bounds={"d": 3})


def frame(at: int, value: Any, track: str = "agent") -> Frame:
    """A line that the agent printed."""
    return Frame(track, "out", at, at * 1000, JsonUnit(value, LineFraming()))


def closed(at: int) -> Edge:
    """The edge saying that the stream ended."""
    return Edge("agent", at, at * 1000, Closed())
