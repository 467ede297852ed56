"""Cancel: the host asks here, and the stream ends; or it asks, and the agent says the recorded rest
all the same (T7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from turnreel.conformance.judging import judged
from turnreel.conformance.sessions import OpenRuns, runs_of, terminal_of
from turnreel.conformance.watching import AnyTerminal
from turnreel.lifecycle.events import AnyEvent, Cancelled, Failed, RunStarted
from turnreel.lifecycle.events import Final as Answer
from turnreel.lifecycle.signals import AnySignal, CancelRequested, Closed, Unreconciled

from .breach import Breach, breaches
from .endings import endings
from .hosts import Host
from .tails import bare
from .timeline import Continuations, Timeline

GIVING_UP: Final[tuple[AnySignal, ...]] = (CancelRequested(), Closed(), Unreconciled())


def cancel_and_end(timeline: Timeline, chosen: Sequence[int], host: Host) -> Iterator[list[Breach]]:
    """Every run that is open at the place is cancelled, unless a receipt says that it succeeded."""
    for ending in endings(timeline, chosen, GIVING_UP):
        if not ending.is_news:
            yield []
            continue
        place = ending.place
        events = (*timeline.head(place), *ending.told)
        found = breaches("cancel", place, ending.violations, events)
        for run_id in ending.gates:
            terminal = terminal_of(ending.told, run_id)
            if isinstance(terminal, Answer) and host.has_receipt(place):
                continue
            if not isinstance(terminal, Cancelled):
                message = f"{_word(terminal)} after a cancel request and the end of the stream"
                actual = tuple(event for event in events if event.run_id == run_id)
                found.append(Breach("cancel", "T7", message, place, run_id, actual=actual))
        yield found


def cancel_and_go_on(timeline: Timeline, chosen: Sequence[int]) -> Iterator[list[Breach]]:
    """A run that is open at the place ends as recorded if that was a success, else cancelled; the
    others are as recorded.
    """
    continuations = Continuations(timeline)
    is_open = _open_at(timeline, chosen)
    seen: set[tuple[object, ...]] = set()
    for place in reversed(chosen):
        branch = timeline.branch(place)
        told = branch.feed(timeline.edge(place, CancelRequested()))
        tail = continuations.follow(branch, place)
        stream = timeline.stream(place, told, tail)
        case = (stream.fingerprint, is_open[place])
        if case in seen:
            yield []
            continue
        seen.add(case)
        yield _judged(timeline, place, tuple(stream), is_open[place])


def _open_at(timeline: Timeline, chosen: Sequence[int]) -> dict[int, frozenset[str]]:
    """The runs that are open at each of the `chosen` places."""
    runs, seen = OpenRuns(), 0
    found = {}
    for place in chosen:
        for event in timeline.events[seen : timeline.count(place)]:
            runs.see(event)
        seen = timeline.count(place)
        found[place] = frozenset(runs.gates)
    return found


def _judged(
    timeline: Timeline, place: int, events: Sequence[AnyEvent], is_open: frozenset[str]
) -> list[Breach]:
    found = breaches("cancel", place, judged(events), events)
    recorded, changed = runs_of(timeline.events), runs_of(events)
    for run_id in {**recorded, **changed}:
        was, now = recorded.get(run_id, ()), changed.get(run_id, ())
        if fault := _fault(was, now, is_open):
            found.append(Breach("cancel", "T7", fault, place, run_id, expected=was, actual=now))
    return found


def _fault(was: Sequence[AnyEvent], now: Sequence[AnyEvent], is_open: frozenset[str]) -> str:
    if not was or not now:
        if was and _continues(was) in is_open:
            return ""  # what it continued was cancelled, so that nobody could answer it (T5)
        return "the cancel changed which runs there are"
    run_id = was[0].run_id
    if run_id not in is_open:
        return "" if bare(was) == bare(now) else "a run nobody cancelled changed"
    match terminal_of(was, run_id), terminal_of(now, run_id):
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


def _continues(run: Sequence[AnyEvent]) -> str | None:
    start = run[0]
    return start.continues if isinstance(start, RunStarted) else None


def _word(terminal: AnyTerminal | None) -> str:
    if terminal is None:
        return "no terminal"
    code = f" ({terminal.code})" if terminal.code else ""
    return f"{type(terminal).__struct_config__.tag}{code}"
