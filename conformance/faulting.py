"""What becomes of a turn when a fault strikes the stream that tells it: a table of docs/faults.md.

One scripted turn is played by every agent that speaks in lines, under one of each fault, and
translated as a recorder beside it would have written it. Nothing is expected here: the table says
what came out, and tests hold it against what must.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from turnreel.adapters import registry
from turnreel.adapters.arrivals import arrival
from turnreel.adapters.steps import Answer, Call, End, Return, Say, Script
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.describe import table
from turnreel.lifecycle.events import TERMINALS, AnyEvent
from turnreel.replayer.faults import Plan, word_of
from turnreel.replayer.plan import make_plan
from turnreel.replayer.schedule import schedule
from turnreel.replayer.script import Act, AgentScript, Event, Exited, Heard, Printed
from turnreel.replayer.steps import Await, Hold, Linger, Quit, Send
from turnreel.wire.encode import encode
from turnreel.wire.ndjson import LineFramer
from turnreel.wire.units import BodyFraming, Json, JsonUnit, LineFraming, Unit

AGENTS: Final = (
    "claude-stream-json", "codex-app-server", "codex-exec", "hermes-tui", "hermes-acp",
)  # fmt: skip
"""Dialects of agents that are programs: a shim can play them."""

SAID: Final = "Die Zählung ist fertig: 76."
SCRIPT: Final[Script] = (
    Answer(
        (Say("I read the total first."), Call("call_1", "command", {"command": "cat total"})),
        "tool_use",
    ),
    Return("call_1", "76"),
    Answer((Say(SAID),)),
    End(),
)
"""The turn: a comment, a tool, an answer with characters of two bytes."""

SPECS: Final = (
    "refuse", "status:429,retry-after=1", "cut:clean@event=3", "cut:chunk@event=3",
    "cut:reset@byte=random", "cut:clean@time=0.0045", "truncate@event=4",
    "truncate:character@event=1", "stall:0.5@event=3", "hang@event=terminal",
    "drip:64,gap=2@event=3", "reslice:400", "delay:0.5@event=3", "half-close@event=3",
    "close:1011@event=3", "drop@event=3",
    "duplicate@event=random", "reorder,by=2@event=3", "late", "second-terminal",
    "conflicting-terminal", "missing-terminal", "unknown@event=3", "malformed@event=3",
    "changed-id@event=8", "changed-id@event=1", "native-retry@event=5", "success-then-error",
    "ping-storm:2@event=3", "cancel:rest@event=4", "replay@event=3", "resume@event=3",
    "exit:0@event=terminal-1", "exit:2@event=terminal", "kill@event=3", "partial-line:1@event=3",
    "stderr-noise:2@event=2", "stdout-noise:2@event=2",
)  # fmt: skip
"""One of each fault, and some at more places than one."""

SEED: Final = 7
SESSION: Final = "0" * 16
STEP_US: Final = 1000


def agent(dialect: str) -> AgentScript:
    """The turn as an agent plays it on stdio, a line a millisecond; it exits with 0."""
    return AgentScript("agent", dialect, tuple(_acts(dialect)))


def plans(dialect: str) -> Iterator[tuple[str, Plan]]:
    """The faults that can strike that agent's turn, as they are written and as plans."""
    for spec in SPECS:
        plan = make_plan([spec], seed=SEED, pacing="max")
        if "agent" in word_of(plan.faults[0]).sides and schedule(agent(dialect), plan).faults:
            yield spec, plan


def translated(dialect: str, plan: Plan) -> list[AnyEvent]:
    """The events of the turn under a plan."""
    translator = Translator({"agent": registry.adapter(dialect)}, session=SESSION, agent="agent")
    events: list[AnyEvent] = []
    for number, (track, code, unit) in enumerate(records(dialect, plan), 1):
        came = arrival(number, number * 1000, track, code, unit, None, SESSION)
        if came is not None:
            events += translator.feed(came)
    return events


def records(dialect: str, plan: Plan) -> Iterator[tuple[str, str, Unit]]:
    """What a recorder beside the faulted agent would write: track, code, unit."""
    framer = LineFramer()
    ending: dict[str, Json] = {"code": 0}
    for step in schedule(agent(dialect), plan).steps:
        match step:
            case Await(what=Heard(unit=unit)):
                yield "agent", "in", unit
            case Send(stream="stdout", data=data):
                yield from (("agent", "out", unit) for unit in framer.feed(data))
            case Hold():
                yield "agent", "signal", _fields({"name": "SIGINT"})
            case Quit(code=code, signal=killed):
                ending = {"signal": killed} if killed else {"code": code}
                break
            case Linger():
                ending = {"signal": "SIGKILL"}
            case _:
                pass
    yield from (("agent", "out", unit) for unit in framer.close())
    yield "agent", "exit", _fields(ending)
    yield "host", "unreconciled", _fields({})


def outcome(events: list[AnyEvent]) -> str:
    """How each run ended, and its health; nothing where there is no run."""
    ends = [event for event in events if isinstance(event, TERMINALS)]
    words = [str(end.code or type(end).__struct_config__.tag) for end in ends]
    return ", ".join(f"{word} {end.health}" for word, end in zip(words, ends, strict=True))


def outcomes() -> str:
    """Every fault and every agent: what the turn came to."""
    rows = []
    for spec in SPECS:
        if "agent" in word_of(make_plan([spec]).faults[0]).sides:
            rows.append((f"`{spec}`", *(_told(spec, dialect) for dialect in AGENTS)))
    return table(("fault", *AGENTS), rows)


def _told(spec: str, dialect: str) -> str:
    plan = make_plan([spec], seed=SEED, pacing="max")
    if not schedule(agent(dialect), plan).faults:
        return "cannot be"
    return outcome(translated(dialect, plan)) or "no run"


def _acts(dialect: str) -> Iterator[Act]:
    at_us = printed = 0
    for line in registry.lines(dialect)(SCRIPT):
        assert isinstance(line, tuple), "nothing stands beside this script"
        side, value = line
        at_us += STEP_US
        unit = JsonUnit(value, LineFraming())
        if side == "in":
            yield Heard(at_us, unit)
        else:
            printed += 1
            yield Printed("stdout", Event(printed, at_us, encode(unit), unit))
    yield Exited(at_us + STEP_US, 0, None)


def _fields(data: dict[str, Json]) -> Unit:
    return JsonUnit(data, BodyFraming())


SECTIONS: Final[dict[str, Callable[[], str]]] = {"outcomes": outcomes}
"""What this room writes of docs/faults.md."""
