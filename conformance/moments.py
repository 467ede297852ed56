"""A session's journal, taken apart into moments: something happened, and what followed from it.

A journal is the one file of a session in the order of its making: events of its turns, notices of
persons and host, and after each what the host did then and where the session stands if it moved. As
with runs, what judges it knows nothing of the lifecycle's tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

import msgspec

from turnreel.lifecycle.notices import Action, Entry, Fact, Notice, Said, Stands

from .watching import Faults


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """`fact` happened while the session stood `before`; then came these `actions`, and it stands
    `after`. `number` is the fact's among the journal's entries, from 1. What was told again is no
    fact (R2), and in the moment before the first one, if that tells anything, none happened either.
    """

    number: int
    fact: Fact | None
    actions: tuple[Action, ...]
    before: str
    after: str

    @property
    def done(self) -> tuple[str, ...]:
        """What kinds of actions followed, in order."""
        return tuple(action.kind for action in self.actions)


class SessionWatch:
    """One clause over one journal. `see` is total, and says what is wrong with a moment."""

    clause: ClassVar[str]
    sentence: ClassVar[str]

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Set what the watch remembers."""

    def see(self, moment: Moment) -> Faults:
        """What is wrong with the next moment."""
        return ()


def moments(entries: Iterable[Entry]) -> Iterator[Moment]:
    """The moments of a journal, in order."""
    known: set[object] = set()
    open_ = _Open()
    for number, entry in enumerate(entries, 1):
        match entry:
            case Action():
                open_.actions.append(entry)
            case Stands(state=state):
                open_.after = state
            case fact:
                if open_.tells:
                    yield open_.moment()
                told = _identity(fact)
                open_ = _Open(number, None if told in known else fact, open_.after)
                known.add(told)
    if open_.tells:
        yield open_.moment()


class _Open:
    """A moment that is not over."""

    def __init__(self, number: int = 1, fact: Fact | None = None, state: str = "idle") -> None:
        self.number = number
        self.fact = fact
        self.before = self.after = state
        self.actions: list[Action] = []

    @property
    def tells(self) -> bool:
        return self.fact is not None or bool(self.actions) or self.after != self.before

    def moment(self) -> Moment:
        return Moment(
            number=self.number,
            fact=self.fact,
            actions=tuple(self.actions),
            before=self.before,
            after=self.after,
        )


def _identity(fact: Fact) -> object:
    """What a fact carries that tells it apart from one told again."""
    match fact:
        case Said(message_id=message):
            return "said", message
        case Notice():
            return object()
        case event:
            return event.id
