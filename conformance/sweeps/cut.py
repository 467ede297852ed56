"""Cut: the stream ends here and no receipt comes. Then calm: every open run has its terminal, as T4
says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from turnreel.conformance.sessions import terminal_of
from turnreel.conformance.watching import AnyTerminal
from turnreel.lifecycle.events import Cancelled, Failed, NeedsInput
from turnreel.lifecycle.signals import AnySignal, Closed, Unreconciled

from .breach import Breach, breaches
from .endings import endings
from .hosts import Host
from .timeline import Timeline

SILENCE: Final[tuple[AnySignal, ...]] = (Closed(), Unreconciled())


def cut(timeline: Timeline, chosen: Sequence[int], host: Host) -> Iterator[list[Breach]]:
    """What does not hold after a cut at each of the `chosen` places."""
    for ending in endings(timeline, chosen, SILENCE):
        place, found = ending.place, []
        events = (*timeline.head(place), *ending.told) if ending.is_news else ()
        found = breaches("cut", place, ending.violations, events)
        for run_id, waiting in ending.gates.items():
            terminal = terminal_of(ending.told, run_id)
            fault = _fault(terminal, bool(waiting), place, host)
            if fault and ending.is_news:
                clause, message = fault
                actual = tuple(event for event in events if event.run_id == run_id)
                found.append(Breach("cut", clause, message, place, run_id, actual=actual))
        yield found


def _fault(
    terminal: AnyTerminal | None, waits: bool, place: int, host: Host
) -> tuple[str, str] | None:
    """The clause that an open run's end after the cut does not keep, and why."""
    asks = waits and not host.has_crashed(place)
    match terminal:
        case None:
            return "T4", "no terminal, although the stream ended and no receipt will come"
        case Cancelled():
            return None if host.has_cancelled(place) else ("T7", "cancelled, but nobody asked")
        case _ if host.has_cancelled(place):
            return None  # which run the host meant is the dialect's to know
        case NeedsInput():
            return None if asks else ("T4", "needs_input, but no gate waits calmly")
        case Failed(code=code):
            if asks:
                return "T4", f"failed ({code}), but a gate waits and nothing crashed"
            if code not in ("startup", "incomplete"):
                return "T4", f"failed ({code}), which the end of a stream cannot know"
            return None
        case _ if host.has_receipt(place):
            return None
        case _:
            return "T3", "final, although the stream ended without a native success"
