"""Which turn a frame belongs to: opening, joining, waking, routing and closing turns (R9, T4).

Keys are ``t1``, ``t2`` … for turns of the main thread and ``c:`` with the calling tool's id for
child agents. A user message that arrives while a turn is open waits in the queue: it joins the
turn that shows its uuid, opens a turn of its own, or is cancelled and opens none.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from turnreel.adapters.working import with_entry, without
from turnreel.lifecycle.observations import Awoke, Began, CancelAsked, Noted

from .frames import Begun, Lifecycle, Result, TaskEnded, TaskStarted
from .state import Queued, Reading, Task, Turn

STOPPED: Final = frozenset({"stopped", "killed"})
"""States of a background task that a person ended."""


def prompted(now: Reading, uuid: str | None) -> None:
    """The host sent a user message."""
    if now.state.exited:
        leave(now)
    if now.main():
        now.set(queue=(*now.state.queue, Queued(uuid)))
    else:
        open_turn(now, (uuid,) if uuid else ())


def begun(now: Reading, frame: Begun) -> None:
    """``init``: wakes the turn that waits for it, or begins one."""
    if now.state.exited:
        leave(now)
    names = now.state.names or bool(frame.messages)
    now.set(session=frame.session, begins=True, names=names)
    if any(t.awake and set(t.prompts) & set(frame.messages) for t in now.main()):
        return  # the same turn says it again
    turn = _waiting(now, frame.messages) or _from_queue(now, frame.messages)
    wake(now, now.change(turn, session=frame.session))


def current(now: Reading, parent: str | None) -> Turn | None:
    """The turn that a frame of the main thread, or of the child behind `parent`, belongs to.

    None if there is none and none may begin: in a stream that prints ``init`` for every turn,
    what comes outside a turn, or before its ``init``, is late.
    """
    if parent is not None:
        return now.turn(child_key(parent)) or _adopt(now, parent)
    turn = now.current()
    if now.state.begins and (turn is None or not turn.awake):
        now.see(Noted(turn="", what="late frame"))
        return None
    return wake(now, turn or open_turn(now, ()))


def wake(now: Reading, turn: Turn) -> Turn:
    """The agent printed a frame of this turn."""
    if turn.awake:
        return turn
    now.see(Awoke(turn=turn.key))
    return now.change(turn, awake=True)


def joined(now: Reading, turn: Turn, uuids: tuple[str, ...]) -> Turn:
    """A frame of `turn` names the user messages it answers: queued ones have joined it (R9)."""
    new = tuple(u for u in uuids if u not in turn.prompts)
    if not new:
        return turn
    queue = tuple(q for q in now.state.queue if q.uuid not in new)
    if len(queue) != len(now.state.queue):
        now.set(queue=queue)
    return now.change(turn, prompts=turn.prompts + new)


def asked_again(now: Reading, turn: Turn) -> None:
    """The main thread asked the model again: queued messages and reports of background tasks
    may have been folded into this turn.
    """
    if turn.parent is not None or (now.state.cause is None and not now.state.queue):
        return
    now.set(cause=None, queue=tuple(replace(q, folded=True) for q in now.state.queue))


def moved(now: Reading, frame: Lifecycle) -> None:
    """A user message with a uuid moved through the agent's own queue."""
    if frame.state == "cancelled":
        dismissed(now, (frame.message,))
    elif frame.state == "started":
        queue = tuple(
            replace(q, started=True) if q.uuid == frame.message else q for q in now.state.queue
        )
        if queue != now.state.queue:
            now.set(queue=queue)


def dismissed(now: Reading, uuids: tuple[str, ...]) -> None:
    """Messages cancelled while queued open no turn (R9)."""
    queue = tuple(q for q in now.state.queue if q.uuid is None or q.uuid not in uuids)
    if len(queue) != len(now.state.queue):
        now.set(queue=queue)


def ends(now: Reading, frame: Result) -> Turn | None:
    """The turn a result ends: the one it names by its ids, else by its origin, else the oldest.

    None for a result of no open turn, which is late or foreign.
    """
    turns = now.main()
    ids = {*frame.messages, *frame.begun}
    if ids:
        for turn in turns:
            if any(one in turn.prompts or turn.messages.get(one) for one in ids):
                return turn
        turns = tuple(t for t in turns if not t.prompts and t.message is None)
    if frame.notified and (caused := [t for t in turns if t.caused_by]):
        return caused[-1]
    awake = [t for t in turns if t.awake]
    if awake:
        return awake[0]
    if not now.state.begins:  # a lone result, or a start that was refused before ``init``
        return turns[0] if turns else (None if ids and now.main() else open_turn(now, ()))
    return turns[0] if turns and frame.failed and not frame.turns else None


def close(now: Reading, turn: Turn) -> None:
    """Forget an ended turn. Messages that it had surely taken in are forgotten with it."""
    state = now.state
    now.set(
        turns=tuple(t for t in state.turns if t.key != turn.key),
        tools={k: v for k, v in state.tools.items() if v.turn != turn.key},
        gates={k: v for k, v in state.gates.items() if v.turn != turn.key},
    )
    if turn.parent is None:
        now.set(queue=tuple(q for q in now.state.queue if not (q.uuid and q.started)))


def left(now: Reading) -> None:
    """The process ended: what still waits in the queue was sent and never answered (T4)."""
    for waiting in now.state.queue:
        if waiting.folded and waiting.uuid is None:
            now.see(Noted(turn="", what="user message taken in, it seems"))
        else:
            open_turn(now, (waiting.uuid,) if waiting.uuid else ())
    now.set(queue=(), exited=True)


def leave(now: Reading) -> None:
    """A new process of the same session: turns of the former one are over."""
    now.set(turns=(), tools={}, gates={}, tasks={}, queue=(), cause=None, exited=False)


def open_turn(now: Reading, prompts: tuple[str, ...], caused_by: str | None = None) -> Turn:
    """Begin a turn of the main thread."""
    number = now.state.opened + 1
    turn = Turn(f"t{number}", prompts=prompts, caused_by=caused_by)
    now.set(opened=number, turns=(*now.state.turns, turn))
    now.see(Began(turn=turn.key, caused_by=caused_by))
    return turn


def child_key(tool: str) -> str:
    """The key of the child agent that tool call `tool` started."""
    return f"c:{tool}"


def task_started(now: Reading, frame: TaskStarted) -> None:
    """A child agent or a background command began to work."""
    caller = _caller(now, frame.tool)
    if caller is None:
        now.see(Noted(turn="", what="orphan task"))
        return
    task = Task(caller, frame.task, frame.agent)
    now.set(tasks=with_entry(now.state.tasks, frame.tool, task))
    if frame.agent and now.turn(child_key(frame.tool)) is None:
        _open_child(now, frame.tool, caller)


def task_ended(now: Reading, frame: TaskEnded) -> Turn | None:
    """The child agent that ended, if it was one. Work whose tool call had returned before is
    background work: its report, unless the person stopped it, begins a turn of its own (R9).
    """
    task = now.state.tasks.get(frame.tool)
    if task is not None:
        now.set(tasks=without(now.state.tasks, frame.tool))
        if frame.tool not in now.state.tools and frame.status not in STOPPED:
            now.set(cause=task.turn)
    return now.turn(child_key(frame.tool))


def stop_asked(now: Reading, task: str) -> None:
    """The host stops one task: a cancel request for that child agent alone."""
    for tool, work in now.state.tasks.items():
        if work.task == task and work.agent:
            now.see(CancelAsked(turn=child_key(tool)))


def children_cancelled(now: Reading, turn: Turn) -> None:
    """A cancelled turn takes with it the child agents whose calls it still waits for."""
    for tool, work in now.state.tasks.items():
        if work.agent and work.turn == turn.key and tool in now.state.tools:
            now.see(CancelAsked(turn=child_key(tool)))


def _waiting(now: Reading, uuids: tuple[str, ...]) -> Turn | None:
    """The begun turn that ``init`` wakes. A stream that names its user messages and names none
    here speaks of a turn that no user message began.
    """
    for turn in now.main():
        if turn.awake:
            continue
        if not turn.prompts or set(turn.prompts) & set(uuids):
            return turn
        if not uuids and not (now.state.names and now.state.cause):
            return turn
    return None


def _from_queue(now: Reading, uuids: tuple[str, ...]) -> Turn:
    """A new turn: for the queued messages that ``init`` names, for background work that reported
    back, or for the oldest queued message.
    """
    if uuids:
        dismissed(now, uuids)
        return open_turn(now, uuids)
    if now.state.cause is not None:
        cause = now.state.cause
        now.set(cause=None)
        return open_turn(now, (), caused_by=cause)
    unnamed = [q for q in now.state.queue if q.uuid is None or not now.state.names]
    waiting = next((q for q in unnamed if q.started), unnamed[0] if unnamed else None)
    if waiting is None:
        return open_turn(now, ())
    now.set(queue=tuple(q for q in now.state.queue if q is not waiting))
    return open_turn(now, (waiting.uuid,) if waiting.uuid else ())


def _adopt(now: Reading, tool: str) -> Turn | None:
    caller = _caller(now, tool)
    if caller is None:
        now.see(Noted(turn="", what="orphan child frame"))
        return None
    return _open_child(now, tool, caller)


def _open_child(now: Reading, tool: str, caller: str) -> Turn:
    child = Turn(child_key(tool), parent=caller, awake=True)
    now.set(turns=(*now.state.turns, child))
    now.see(Began(turn=child.key, parent=caller), Awoke(turn=child.key))
    return child


def _caller(now: Reading, tool: str) -> str | None:
    known = now.state.tools.get(tool) or now.state.tasks.get(tool)
    return known.turn if known is not None else None
