"""Reading on after a disconnect: exactly the rest (R4).

An event's id is a cursor: it names run and number, and the run's id begins with the session that
produced it, the producer's epoch. A producer that starts anew is another session, so it cannot hand
out an old id for a new event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .events import AnyEvent


class UnknownCursor(ValueError):
    """No event of this producer has that id: it is of another epoch, or was never given out."""


def rest(events: Iterable[AnyEvent], after: str | None) -> Iterator[AnyEvent]:
    """What follows the event with id `after` in the order in which events arose, all of it if that
    is None. What a reader had and the rest are together an uninterrupted reading, nothing twice.

    Raises `UnknownCursor` at the end if no event has that id.
    """
    reached = after is None
    for event in events:
        if reached:
            yield event
        reached = reached or event.id == after
    if not reached:
        raise UnknownCursor(after)
