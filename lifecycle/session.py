"""The session: a person's conversation with an agent, over any number of runs (G1-G4, G6, G8).

Rules of this file

- A session is an immutable value. `advance` takes what happened, an event of a turn or a *notice*
  of the person or host, and gives the session after it and the *actions* that the host owes now.
- Where a message goes stands in one table, `tables.ROUTES`; where a session rests in another,
  `tables.RESTS`.
- Nothing an agent says moves a session into an end: a person concludes it, the host ends it, and
  only the host's own loss of the agent is an error.
- What was delivered before changes nothing: events are known by run and seq, messages by their id.

Theory of operation

A session *rests* where its last run left it. Over that stands what is going on: a command that
waits for the person, or else an open run. So the state is read off, never stored beside what it
follows from. Runs of child agents have no voice of their own, but what they ask waits like any
other command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from .events import (
    TERMINALS,
    AnyEvent,
    Cancelled,
    Failed,
    GateKind,
    InputRequested,
    InputResolved,
    NeedsInput,
    RunStarted,
)
from .events import Final as FinalEvent
from .notices import (
    Action,
    Concluded,
    Ended,
    Entry,
    Fact,
    Lost,
    Mode,
    Notice,
    Opened,
    Resumed,
    Said,
    Stands,
    Stepped,
)
from .tables import LEGACY_END, RESTS, ROUTES, SESSION_ENDS, ActionKind, SessionState


class Command(msgspec.Struct, frozen=True):
    """A blocking gate that waits for the person, and whose it is."""

    request_id: str
    run_id: str
    kind: GateKind


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session stands. `rest` is where it comes to rest when nothing goes on; `runs` are its
    open runs, without children; `parked` the command that ended the last one by asking; `queue`
    what waits for a step boundary; `acted` whether a command was approved since the person's last
    move. `said` are the messages seen so far, `marks` how far each run was.
    """

    mode: Mode = "guided"
    rest: SessionState = "idle"
    runs: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    parked: Command | None = None
    queue: tuple[str, ...] = ()
    acted: bool = False
    said: frozenset[str] = frozenset()
    marks: Mapping[str, int] = {}

    @property
    def state(self) -> SessionState:
        """One of the five states or three ends (G1)."""
        if self.rest in SESSION_ENDS:
            return self.rest
        if self.commands:
            return "awaiting_command"
        return "working" if self.runs else self.rest


Step = tuple[Session, tuple[Action, ...]]
_Terminal = FinalEvent | NeedsInput | Failed | Cancelled
_END_OF: Final[dict[type[Notice], SessionState]] = {
    Concluded: "concluded",
    Ended: "ended",
    Lost: "error",
}
_STATES: Final[dict[str, SessionState]] = {
    **{state: state for state in ROUTES},
    LEGACY_END: "ended",
}


def state_of(word: str) -> SessionState:
    """The state that a stored word means, today's or an older one's (G1). Raises `ValueError` for
    any other word.
    """
    try:
        return _STATES[word]
    except KeyError:
        raise ValueError(f"no state of a session: {word}") from None


def advance(session: Session, fact: Fact) -> Step:
    """The session after `fact`, and what the host does now, in order. Total: what does not fit, or
    was seen before, changes nothing and asks for nothing; so does everything after an end.
    """
    if session.state in SESSION_ENDS:
        return session, ()
    match fact:
        case Said(message_id=message):
            return _heard(session, message)
        case Resumed():
            return _resumed(session)
        case Stepped(run_id=run):
            return _delivered(session, "steer") if run in session.runs else (session, ())
        case Concluded() | Ended() | Lost():
            return replace(session, rest=_END_OF[type(fact)], commands=()), ()
        case Opened(mode=mode):
            return (replace(session, mode=mode) if session == Session() else session), ()
        case event:
            return _told(session, event)


def journal(facts: Iterable[Fact], session: Session | None = None) -> Iterator[Entry]:
    """Every fact with what followed from it: the actions, and the state if it is another one."""
    at = session or Session()
    for fact in facts:
        before = at.state
        at, actions = advance(at, fact)
        yield fact
        yield from actions
        if at.state != before:
            yield Stands(state=at.state)


def _heard(session: Session, message: str) -> Step:
    if message in session.said:
        return session, ()
    route = ROUTES[session.state]
    known = replace(session, said=session.said | {message})
    if route == ("queue",):
        action = Action(kind="queue", messages=(message,))
        return replace(known, queue=(*session.queue, message)), (action,)
    withdrawn = _withdrawals(session.commands) if "withdraw" in route else ()
    spoken, said = _delivered(replace(known, queue=(*session.queue, message)), route[-1])
    return replace(spoken, commands=()), (*withdrawn, *said)


def _resumed(session: Session) -> Step:
    """Without a message a pending command is kept (G3)."""
    if ROUTES[session.state] != ("resume",):
        return session, ()
    if (parked := session.parked) is not None:
        asked = replace(session, parked=None, commands=(parked,), acted=False)
        return asked, (Action(kind="resume", request_id=parked.request_id),)
    return replace(session, rest="working", acted=False), (Action(kind="resume"),)


def _delivered(session: Session, kind: ActionKind) -> Step:
    """All that waits is said now, by this action; nothing is, if nothing waits."""
    if not session.queue:
        return session, ()
    said = Action(kind=kind, messages=session.queue)
    return replace(session, rest="working", queue=(), parked=None, acted=False), (said,)


def _withdrawals(commands: Iterable[Command]) -> tuple[Action, ...]:
    return tuple(Action(kind="withdraw", request_id=one.request_id) for one in commands)


def _told(session: Session, event: AnyEvent) -> Step:
    if event.seq <= session.marks.get(event.run_id, 0):
        return session, ()
    match event:
        case RunStarted(seq=1):
            after: Step = _begun(session, event), ()
        case InputRequested(blocking=True):
            after = _asked(session, event)
        case InputResolved():
            after = _answered(session, event), ()
        case _ if isinstance(event, TERMINALS):
            after = _ended(session, event)
        case _:
            return session, ()
    marks = {**session.marks, event.run_id: event.seq}
    return replace(after[0], marks=marks), after[1]


def _begun(session: Session, event: RunStarted) -> Session:
    """A run may be the answer to a command; every other one waits on. How that one was answered is
    not told: an approval counts as the action, so that in doubt the person decides (G4).
    """
    if event.parent_run_id is not None:
        return session
    parked = session.parked
    waiting = session.commands if parked is None else (*session.commands, parked)
    answered = [one for one in waiting if one.request_id == event.request_id]
    return replace(
        session,
        runs=(*session.runs, event.run_id),
        commands=tuple(one for one in session.commands if one not in answered),
        parked=None if parked in answered else parked,
        acted=session.acted or any(one.kind == "approval" for one in answered),
    )


def _asked(session: Session, event: InputRequested) -> Step:
    """A waiting message goes first; then policy, or the hand-back after one action (G4)."""
    command = Command(event.request_id, event.run_id, event.kind)
    if session.queue:
        steered, said = _delivered(session, "steer")
        return steered, (*_withdrawals((command,)), *said)
    if session.mode == "free" and event.kind == "approval":
        return session, (Action(kind="approve", request_id=event.request_id),)
    if session.mode == "guided" and session.acted:
        return session, (Action(kind="park", request_id=event.request_id),)
    return replace(session, commands=(*session.commands, command)), ()


def _answered(session: Session, event: InputResolved) -> Session:
    closed = Command(event.request_id, event.run_id, event.kind)
    return replace(
        session,
        commands=tuple(one for one in session.commands if one != closed),
        parked=closed if event.resolution == "parked" else session.parked,
        acted=session.acted or (event.kind == "approval" and event.resolution == "approved"),
    )


def _ended(session: Session, event: _Terminal) -> Step:
    """A run that ended is a step boundary, too (G4); what is said then is said to whoever works.
    Nobody waits for a command of a run that is over, a child's neither.
    """
    commands = tuple(one for one in session.commands if one.run_id != event.run_id)
    after = replace(session, commands=commands)
    if event.run_id not in session.runs:
        return after, ()
    left = tuple(run for run in session.runs if run != event.run_id)
    return _delivered(
        replace(after, runs=left, rest=RESTS[event.outcome]), "steer" if left else "resume"
    )
