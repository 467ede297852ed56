"""Events of the session stream that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.bodies import Event
from turnreel.adapters.fields import Fields, count, text
from turnreel.adapters.forging import Forger, like, values
from turnreel.wire.units import SseFraming, Unit

from .builders import RUN, SESSION, Stream

ENDS: Final = frozenset({"run.completed", "done"})


class SessionForger(Forger):
    """A turn ends with ``run.completed`` and ``done``. Events are numbered; forged ones go on."""

    dialect = "hermes-session"
    ids = frozenset({"message_id"})

    def terminal(self, unit: Unit) -> bool:
        return isinstance(unit.framing, SseFraming) and unit.framing.event in ENDS

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        stream = Stream()
        return _next(spoken, stream.completed([]), stream.done())

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return _next(spoken, Stream().error("scripted"))

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return _next(spoken, Stream().error("scripted"))

    def unknown(self, spoken: Sequence[Unit]) -> Unit:
        return _next(spoken, Event({}, "turnreel.unknown"))[0]


FORGER: Final = SessionForger()


def _next(spoken: Sequence[Unit], *events: Event) -> tuple[Unit, ...]:
    """The events behind the others, in the session and run that were spoken of last."""
    said = values(spoken)
    run = next((name for value in reversed(said) if (name := text(value, "run_id"))), RUN)
    session = next(
        (name for value in reversed(said) if (name := text(value, "session_id"))), SESSION
    )
    seq = max((count(value, "seq") or 0 for value in said), default=0)
    made = []
    for place, event in enumerate(events, seq + 1):
        data = event.data if isinstance(event.data, dict) else {}
        head: Fields = {"session_id": session, "run_id": run, "seq": place}
        made.append(like(spoken[-1], {**data, **head}, event.name))
    return tuple(made)
