"""Which turn a frame belongs to: opening, binding, joining and closing turns (R9, T4).

Keys are ``t1``, ``t2`` … in the order in which turns began. A turn begins with the host's
``turn/start``, before its id is known, and is bound to the id by the response or by
``turn/started``, whichever comes first; one that nobody asked for begins with its first frame. A
start sent while the thread has a turn waits for its response: it has joined that turn if the
response names it.
"""

from __future__ import annotations

from turnreel.lifecycle.observations import Awoke, Began, CancelAsked, Noted, Refused

from .frames import Interrupt, Reply, Start, Steer, TurnStarted
from .state import ENDED_LIMIT, Pending, Reading, Turn


def asked(now: Reading, frame: Start) -> None:
    """The host starts a turn, or speaks into the one that runs."""
    key = None if now.on(frame.thread) else _open(now, frame.thread).key
    _wait(now, frame.request, Pending(frame.thread, key))


def steered(now: Reading, frame: Steer) -> None:
    """The host speaks into the turn that runs."""
    _wait(now, frame.request, Pending(frame.thread, steers=True))


def replied(now: Reading, frame: Reply) -> None:
    """The agent accepted or refused a start or a steer; other responses say nothing."""
    pending = now.state.pending.get(frame.request)
    if pending is None:
        return
    now.set(pending={k: v for k, v in now.state.pending.items() if k != frame.request})
    turn = now.turn(pending.turn) if pending.turn is not None else None
    if pending.steers:
        running = now.on(pending.thread)
        if running and not frame.refused:
            now.change(running[-1], steered=True)
    elif frame.refused:
        turn = turn or (_open(now, pending.thread) if pending.turn is None else None)
        if turn is not None:
            now.see(Refused(turn=turn.key))
            close(now, turn)
    elif frame.turn is not None:
        _accepted(now, pending, turn, frame.turn)


def started(now: Reading, frame: TurnStarted) -> None:
    """``turn/started``: a turn that names another as its root is a child agent's (O6)."""
    if frame.root != frame.turn and frame.thread not in now.state.parents:
        root = now.named(frame.root)
        key = root.key if root is not None else now.state.ended.get(frame.root)
        if key is not None and now.named(frame.turn) is None:
            _open(now, frame.thread, key)
    of(now, frame.thread, frame.turn)


def of(now: Reading, thread: str, native: str) -> Turn | None:
    """The open turn that a frame names, awake; None for one that is over."""
    turn = now.named(native)
    if turn is None:
        if native in now.state.ended:
            now.see(Noted(turn="", what="late frame"))
            return None
        turn = now.change(unbound(now, thread) or _unasked(now, thread), native=native)
    return wake(now, turn)


def bound(now: Reading, thread: str, native: str) -> Turn | None:
    """As `of`, but what names no turn of ours opens none."""
    known = now.named(native) is not None or native in now.state.ended
    if known or unbound(now, thread) is not None:
        return of(now, thread, native)
    now.see(Noted(turn="", what="frame of a foreign turn"))
    return None


def running(now: Reading, thread: str, native: str | None) -> Turn | None:
    """The open turn that a frame names, or the thread's latest; never opens one."""
    if native is not None:
        return now.named(native)
    turns = now.on(thread)
    return turns[-1] if turns else None


def unbound(now: Reading, thread: str) -> Turn | None:
    """The oldest turn of a thread whose id is not known yet."""
    return next((t for t in now.on(thread) if t.native is None), None)


def wake(now: Reading, turn: Turn) -> Turn:
    """The agent printed a frame of this turn."""
    if turn.awake:
        return turn
    for name in (turn.thread, turn.native):  # what providers and rollouts call it by
        now.see(Awoke(turn=turn.key, thread=name))
    return now.change(turn, awake=True)


def interrupted(now: Reading, frame: Interrupt) -> None:
    """The host cancels a turn; one that is over is not moved by it (T7)."""
    turn = running(now, frame.thread, frame.turn or None)
    if turn is None:
        now.see(Noted(turn="", what="interrupt while idle"))
        return
    cancel(now, turn)


def cancel(now: Reading, turn: Turn) -> None:
    """The host asked to cancel this turn."""
    now.change(turn, aborting=True)
    now.see(CancelAsked(turn=turn.key))


def spawned(now: Reading, parent: str, children: tuple[str, ...]) -> None:
    """Threads `children` were spawned by thread `parent`; a thread keeps its first parent."""
    new = {c: parent for c in children if c != parent and c not in now.state.parents}
    if new:
        now.set(parents={**now.state.parents, **new})


def close(now: Reading, turn: Turn) -> None:
    """Forget an ended turn, and remember its id for what comes late."""
    ended = now.state.ended
    if turn.native is not None:
        ended = {**ended, turn.native: turn.key}
        if len(ended) > ENDED_LIMIT:
            del ended[next(iter(ended))]
    now.set(
        turns=tuple(t for t in now.state.turns if t.key != turn.key),
        gates={k: g for k, g in now.state.gates.items() if g.turn != turn.key},
        ended=ended,
    )


def left(now: Reading) -> None:
    """The process ended: starts that were never answered began runs of their own (T4)."""
    for pending in now.state.pending.values():
        if pending.turn is None and not pending.steers:
            _open(now, pending.thread)
    now.set(pending={})


def _accepted(now: Reading, pending: Pending, turn: Turn | None, native: str) -> None:
    known = now.named(native)
    if known is not None:
        if turn is None:  # the message joined the turn that runs, and pre-empts its response
            now.change(known, steered=True)
        return
    if native in now.state.ended:
        return
    if turn is None or turn.native is not None:
        turn = _open(now, pending.thread)
    wake(now, now.change(turn, native=native))


def _wait(now: Reading, request: str, pending: Pending) -> None:
    now.set(pending={**now.state.pending, request: pending})


def _unasked(now: Reading, thread: str) -> Turn:
    """A turn that no host asked for: a child agent's, or one that the agent starts itself when what
    it had set going reports back (R9).
    """
    if (parent := now.state.parents.get(thread)) is not None:
        return _open(now, thread, now.state.last.get(parent))
    if now.state.hosted and thread in now.state.parents.values():
        return _open(now, thread, caused_by=now.state.last.get(thread))
    return _open(now, thread)


def _open(
    now: Reading, thread: str, parent: str | None = None, caused_by: str | None = None
) -> Turn:
    number = now.state.opened + 1
    turn = Turn(f"t{number}", thread, parent=parent)
    now.set(
        opened=number,
        turns=(*now.state.turns, turn),
        last={**now.state.last, thread: turn.key},
    )
    now.see(Began(turn=turn.key, parent=parent, caused_by=caused_by))
    return turn
