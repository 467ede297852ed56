"""A person's conversation told by hand, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import strategies as st

from turnreel.lifecycle.events import (
    AnyEvent,
    Cancelled,
    Failed,
    Final,
    InputRequested,
    InputResolved,
    NeedsInput,
    RunStarted,
)
from turnreel.lifecycle.notices import (
    Action,
    Concluded,
    Ended,
    Fact,
    Lost,
    Resumed,
    Said,
    Stepped,
)
from turnreel.lifecycle.session import Session, advance

TERMINAL_OF: dict[str, type[AnyEvent]] = {
    "completed": Final,
    "blocked": NeedsInput,
    "failed": Failed,
    "abandoned": Failed,
    "interrupted": Cancelled,
}


class Numbers:
    """Numbers events as their runs would."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def tell(self, kind: type[AnyEvent], run: str, /, **fields: Any) -> AnyEvent:
        seq = self.counts[run] = self.counts.get(run, 0) + 1
        return kind(id=f"{run}:{seq}", run_id=run, seq=seq, at_ms=0, **fields)

    def begun(self, run: str, **fields: Any) -> AnyEvent:
        return self.tell(RunStarted, run, thread_id="s/0", agent="a", dialect="d", **fields)

    def asked(self, run: str, gate: str, **fields: Any) -> AnyEvent:
        return self.tell(
            InputRequested,
            run,
            **{"request_id": gate, "kind": "approval", "prompt": "Allow Bash?", **fields},
        )

    def resolved(self, run: str, gate: str, resolution: str, **fields: Any) -> AnyEvent:
        told = {"request_id": gate, "kind": "approval", "resolution": resolution, **fields}
        return self.tell(InputResolved, run, **told)

    def ended(self, run: str, outcome: str, **fields: Any) -> AnyEvent:
        told = {"message_id": f"{run}/m", "text": "x", "outcome": outcome, "health": "healthy"}
        return self.tell(TERMINAL_OF[outcome], run, **{**told, **fields})


class Talk:
    """A session, and what it asks of its host as words: the kind, then messages or the command."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session or Session()
        self.numbers = Numbers()

    @property
    def state(self) -> str:
        return self.session.state

    def happens(self, fact: Fact) -> list[str]:
        self.session, actions = advance(self.session, fact)
        return [worded(action) for action in actions]

    def says(self, message: str) -> list[str]:
        return self.happens(Said(message_id=message))

    def resumes(self) -> list[str]:
        return self.happens(Resumed())

    def steps(self, run: str) -> list[str]:
        return self.happens(Stepped(run_id=run))

    def runs(self, run: str, **fields: Any) -> list[str]:
        return self.happens(self.numbers.begun(run, **fields))

    def asks(self, run: str, gate: str, **fields: Any) -> list[str]:
        return self.happens(self.numbers.asked(run, gate, **fields))

    def resolves(self, run: str, gate: str, resolution: str, **fields: Any) -> list[str]:
        return self.happens(self.numbers.resolved(run, gate, resolution, **fields))

    def ends(self, run: str, outcome: str) -> list[str]:
        return self.happens(self.numbers.ended(run, outcome))


def worded(action: Action) -> str:
    return " ".join([action.kind, *action.messages, *filter(None, [action.request_id])])


Move = Callable[[Numbers], Fact]
GATES = st.sampled_from(["g1", "g2"])
RUNS = st.sampled_from(["r1", "r2", "c1"])
RESOLUTIONS = st.sampled_from(["approved", "declined", "withdrawn", "parked"])
OUTCOMES = st.sampled_from([*TERMINAL_OF])


def _begins(run: str) -> Move:
    return lambda numbers: numbers.begun(run, parent_run_id="r1" if run == "c1" else None)


def _asks(run: str, gate: str, kind: str) -> Move:
    return lambda numbers: numbers.asked(run, gate, kind=kind)


def _resolves(run: str, gate: str, how: str) -> Move:
    return lambda numbers: numbers.resolved(run, gate, how)


def _ends(run: str, outcome: str) -> Move:
    return lambda numbers: numbers.ended(run, outcome)


def _is(fact: Fact) -> Move:
    return lambda _: fact


MOVES: st.SearchStrategy[Move] = st.one_of(
    st.builds(_begins, RUNS),
    st.builds(_asks, RUNS, GATES, st.sampled_from(["approval", "question"])),
    st.builds(_resolves, RUNS, GATES, RESOLUTIONS),
    st.builds(_ends, RUNS, OUTCOMES),
    st.integers(1, 6).map(lambda n: _is(Said(message_id=f"m{n}"))),
    RUNS.map(lambda run: _is(Stepped(run_id=run))),
    st.sampled_from([Resumed(), Resumed(), Resumed(), Concluded(), Ended(), Lost()]).map(_is),
)


def facts() -> st.SearchStrategy[list[Fact]]:
    """What may happen to a session, in any order: runs that begin and end, commands, messages."""
    return st.lists(MOVES, max_size=24).map(_numbered)


def _numbered(moves: Iterable[Move]) -> list[Fact]:
    numbers = Numbers()
    return [move(numbers) for move in moves]
