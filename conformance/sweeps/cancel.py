"""Cancel: the host asks here, and the stream ends; or it asks, and the agent says the recorded rest
all the same (T7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from turnreel.conformance.sessions import AnyTerminal, Run, session
from turnreel.lifecycle.events import AnyEvent, Cancelled, Failed
from turnreel.lifecycle.events import Final as Answer
from turnreel.lifecycle.signals import AnySignal, CancelRequested, Closed, Unreconciled

from .judging import Breach, Judge
from .timeline import Continuations, Tail, Timeline, bare

GIVING_UP: Final[tuple[AnySignal, ...]] = (CancelRequested(), Closed(), Unreconciled())


def cancel_and_end(
    timeline: Timeline, chosen: Sequence[int], judge: Judge
) -> Iterator[list[Breach]]:
    """Every run that is open at the place is cancelled, and nothing else is."""
    judged: set[tuple[object, ...]] = set()
    for place in chosen:
        branch = timeline.branch(place)
        told: list[AnyEvent] = []
        for step, signal in enumerate(GIVING_UP, 1):
            told += branch.feed(timeline.edge(place, signal, step))
        case = (timeline.count(place), *bare(told))
        if case in judged:
            yield []
            continue
        judged.add(case)
        head = timeline.head(place)
        found = judge.breaches("cancel", place, (*head, *told))
        ended = {event.run_id for event in head if event.terminal}
        for run_id, run in session((*head, *told)).runs.items():
            if run_id not in ended and not isinstance(run.terminal, Cancelled):
                message = f"{_word(run.terminal)} after a cancel request and the end of the stream"
                found.append(Breach("cancel", "T7", message, place, run_id, actual=run.events))
        yield found


def cancel_and_go_on(
    timeline: Timeline, chosen: Sequence[int], judge: Judge
) -> Iterator[list[Breach]]:
    """A run that is open at the place ends as recorded if that was a success, else cancelled; the
    others are as recorded.
    """
    recorded = session(timeline.events).runs
    continuations = Continuations(timeline)
    judged: set[tuple[object, ...]] = set()
    alive: list[Tail] = []  # keeps what `judged` names by identity
    for place in reversed(chosen):
        branch = timeline.branch(place)
        told = branch.feed(timeline.edge(place, CancelRequested()))
        tail = continuations.follow(branch, place)
        case = (timeline.count(place), *bare(told), id(tail))
        if case in judged or (tail is timeline.tails[place] and not told):
            yield []
            continue
        judged.add(case)
        alive.append(tail)
        events = (*timeline.head(place), *told, *tail)
        found = judge.breaches("cancel", place, events)
        runs = session(events).runs
        ended = {e.run_id for e in timeline.head(place) if e.terminal}
        begun = {e.run_id for e in timeline.head(place)}
        for run_id in {**recorded, **runs}:
            was, now = recorded.get(run_id), runs.get(run_id)
            is_open = run_id in begun and run_id not in ended
            if fault := _fault(was, now, is_open):
                found.append(
                    Breach(
                        "cancel",
                        "T7",
                        fault,
                        place,
                        run_id,
                        expected=was.events if was else (),
                        actual=now.events if now else (),
                    )
                )
        yield found


def _fault(was: Run | None, now: Run | None, is_open: bool) -> str:
    if was is None or now is None:
        return "the cancel changed which runs there are"
    if not is_open:
        return "" if bare(was.events) == bare(now.events) else "a run nobody cancelled changed"
    match was.terminal, now.terminal:
        case None, _:
            return ""  # the recording stops while it runs
        case Answer() as then, Answer() as ending if then.text == ending.text:
            return ""
        case Failed(code="missing_final"), Failed(code="missing_final"):
            return ""  # a native success, though without an answer
        case Answer(), ending:
            return f"{_word(ending)} after a cancel request, although the agent succeeded"
        case _, Cancelled():
            return ""
        case _, ending:
            return f"{_word(ending)} after a cancel request, without a success"


def _word(terminal: AnyTerminal | None) -> str:
    if terminal is None:
        return "no terminal"
    code = f" ({terminal.code})" if terminal.code else ""
    return f"{type(terminal).__struct_config__.tag}{code}"
