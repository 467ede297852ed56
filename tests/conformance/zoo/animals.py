"""Broken adapters: each does one thing wrong that real hosts were seen to do, over a good one.

An animal is a function from the events of a good adapter to those of a bad one; what it does not
touch is as it was. Numbers are given anew behind it, unless numbers are what it breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from turnreel.lifecycle.events import (
    TERMINALS,
    Activity,
    AnyEvent,
    Commentary,
    Failed,
    Final,
    Health,
    InputRequested,
    InputResolved,
)

Events = list[AnyEvent]
Break = Callable[[Events], Events]


class Animal(NamedTuple):
    """A defect over one scenario of a dialect, and the clauses that its events break. Where they
    break none, `tells` is what the turn differs in from the one that all dialects agree on.
    """

    scenario: str
    dialect: str
    breaks: Break
    clauses: frozenset[str]
    tells: str = ""


def numbered(events: Sequence[AnyEvent]) -> Events:
    """The events with dense numbers in each run (E2)."""
    counts: dict[str, int] = {}
    told: Events = []
    for event in events:
        seq = counts[event.run_id] = counts.get(event.run_id, 0) + 1
        told.append(replace(event, seq=seq, id=f"{event.run_id}:{seq}"))
    return told


def _last(events: Events) -> Any:
    return next(event for event in reversed(events) if isinstance(event, TERMINALS))


def _as(kind: type[Any], event: Any, **fields: Any) -> AnyEvent:
    """A terminal of another kind in the place of `event`."""
    outcome = {Final: "completed", Failed: "failed"}[kind]
    shared = ("id", "run_id", "seq", "at_ms", "evidence", "message_id", "text", "health")
    same = {name: getattr(event, name) for name in shared}
    told: AnyEvent = kind(**{**same, "outcome": outcome, **fields})
    return told


def _each(change: Callable[[AnyEvent], AnyEvent | None]) -> Break:
    return lambda events: numbered([now for one in events if (now := change(one)) is not None])


def commentary_in_final(events: Events) -> Events:
    """The progress stands before the answer, joined to it."""
    said = "".join(one.text for one in events if isinstance(one, Commentary))
    change = _each(
        lambda one: replace(one, text=said + one.text) if isinstance(one, Final) else one
    )
    return change(events)


def double_terminal(events: Events) -> Events:
    """A second terminal."""
    return numbered([*events, _last(events)])


def late_revival(events: Events) -> Events:
    """A run goes on when it is over."""
    said = next(one for one in events if isinstance(one, Commentary))
    return numbered([*events, replace(said, message_id=f"{said.run_id}/m99")])


def retry_as_failure(events: Events) -> Events:
    """An error that will be retried ends the run."""
    place = next(at for at, one in enumerate(events) if isinstance(one, Health))
    trouble: Any = events[place]
    failed = _as(
        Failed,
        replace(_last(events), evidence=trouble.evidence, text="Rate limited."),
        code=trouble.code,
        retryable=True,
        health="degraded",
    )
    return numbered([*events[:place], failed])


def duplicate_after_reconnect(events: Events) -> Events:
    """What was told before the connection was lost is told again, as something new."""
    told = [one for one in events if isinstance(one, Commentary)]
    again = [replace(one, message_id=f"{one.message_id}9") for one in told]
    return numbered([*events[:-1], *again, events[-1]])


def foreign_error(events: Events) -> Events:
    """Another thread's error ends this run."""
    end = _last(events)
    tool = next(at for at, one in enumerate(events) if isinstance(one, Activity)) + 2
    evidence = events[tool - 1].evidence
    failed = _as(
        Failed,
        replace(end, evidence=evidence, text="It failed."),
        code="bad_request",
        retryable=False,
        health="degraded",
    )
    return numbered([*events[:tool], failed])


def success_on_exit(events: Events) -> Events:
    """A process that exits with 0 has answered."""
    end = _last(events)
    final = _as(Final, end, text="", confidence="runtime", health="healthy")
    return numbered([*events[:-1], final])


def promoted_commentary(events: Events) -> Events:
    """Where no answer came, the last comment is one."""
    said: Any = next(one for one in events if isinstance(one, Commentary))
    whole = "".join(
        one.text
        for one in events
        if isinstance(one, Commentary) and one.message_id == said.message_id
    )
    end = _last(events)
    final = _as(Final, end, text=whole, message_id=said.message_id, health="healthy")
    return numbered([*events[:-1], final])


def lost_gate(events: Events) -> Events:
    """Nobody is asked."""
    return numbered([one for one in events if not isinstance(one, InputRequested | InputResolved)])


def unstable_ids(events: Events) -> Events:
    """A message has another id with each of its pieces."""
    told: Events = []
    for at, one in enumerate(events):
        if isinstance(one, Commentary):
            one = replace(one, message_id=f"{one.run_id}/m{at}")
        told.append(one)
    return told


def gapped_numbers(events: Events) -> Events:
    """Numbers with a gap."""
    return [one for one in events if not isinstance(one, Commentary)]


def prefix_guess(events: Events) -> Events:
    """A text with which another one begins is taken for the same."""
    heads: set[str] = set()

    def keep(one: AnyEvent) -> AnyEvent | None:
        if not isinstance(one, Commentary):
            return one
        known = any(one.text.startswith(head) for head in heads)
        heads.add(one.text[:1])
        return None if known else one

    return _each(keep)(events)


def error_text_as_final(events: Events) -> Events:
    """What a vendor puts where an answer goes is one."""
    end = _last(events)
    return numbered([*events[:-1], _as(Final, end, text="API Error: 400 scripted")])


def terminal_on_silence(events: Events) -> Events:
    """Nothing is told for a while: the run has failed."""
    end = _last(events)
    place = next(at for at, one in enumerate(events) if isinstance(one, Activity)) + 1
    failed = _as(
        Failed,
        replace(end, evidence=events[place - 1].evidence, text="No answer came."),
        code="incomplete",
        retryable=True,
        health="degraded",
    )
    unknown = [replace(one, state="unknown") for one in events[place - 1 : place]]
    return numbered([*events[:place], *unknown, failed])


def settled_by_itself(events: Events) -> Events:
    """A tool of which nothing was heard has worked."""
    end = len(events) - 1
    return numbered(
        [
            replace(one, state="ok") if isinstance(one, Activity) and at == end - 1 else one
            for at, one in enumerate(events)
        ]
    )


def thinking_leaked(events: Events) -> Events:
    """What the model thought is commentary, too: here as it landed, as filler."""
    at = next(place for place, one in enumerate(events) if isinstance(one, Commentary))
    told: Any = events[at]
    thought = replace(told, message_id=f"{told.run_id}/m99", text="x" * 400, done=True)
    return numbered([*events[:at], thought, *events[at:]])


def childs_text_in_parent(events: Events) -> Events:
    """What a child agent reports is commentary of its parent."""
    parent = events[0].run_id
    ended: Any = next(one for one in events if one.run_id != parent and isinstance(one, Final))
    at = next(place for place, one in enumerate(events) if one is ended)
    model: Any = next(one for one in events if isinstance(one, Commentary))
    said = replace(model, message_id=f"{parent}/m99", text=ended.text, evidence=ended.evidence)
    return numbered([*events[:at], said, *events[at:]])


def animals() -> Iterator[tuple[str, Animal]]:
    """The zoo."""
    claude, codex = "claude-stream-json", "codex-app-server"
    for scenario, dialect, breaks, clauses, *tells in (
        ("several-tools", claude, commentary_in_final, "C6"),
        ("several-tools", claude, double_terminal, "T1"),
        ("several-tools", claude, late_revival, "T2"),
        ("retried", claude, retry_as_failure, "T3"),
        ("told-again", claude, duplicate_after_reconnect, "", "replays"),
        ("failed-elsewhere", codex, foreign_error, "T3"),
        ("disconnected", claude, success_on_exit, "C2"),
        ("unanswered", claude, promoted_commentary, "C2"),
        ("approved", claude, lost_gate, "", "gates"),
        ("several-tools", codex, unstable_ids, "C7 C9"),
        ("several-tools", claude, gapped_numbers, "E2"),
        ("several-tools", claude, prefix_guess, "", "commentary"),
        ("failed-bad-request", claude, error_text_as_final, "C2 C5 C6"),
        ("several-tools", claude, terminal_on_silence, "T3"),
        ("disconnected", claude, settled_by_itself, "T10"),
        ("several-tools", claude, thinking_leaked, "C1 C4"),
        ("subagent", claude, childs_text_in_parent, "C3 C10"),
    ):
        told = frozenset(clauses.split())
        yield breaks.__name__, Animal(scenario, dialect, breaks, told, *tells)


ZOO = dict(animals())
