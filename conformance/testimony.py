"""What the adapters observed of each run, put in order: what checkers of texts judge by.

Runs are told apart by the beginnings that were observed, and messages by their native ids. Nothing
is decided here: a message has the texts it was said with, and the frame by which it was known not
to be the answer, as the contract lists such evidence (C1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from turnreel.lifecycle.events import AnyEvent, RunStarted
from turnreel.lifecycle.observations import (
    AnyObservation,
    AttemptAbandoned,
    AttemptStarted,
    Began,
    Ended,
    Kept,
    Named,
    Receipted,
    Said,
    Saying,
    Stopped,
    ToolMoved,
)

NEVER: Final = 1 << 62

Numbered = Mapping[int, Sequence[AnyObservation]]
"""What was observed in each arrival, by its number, in their order."""


@dataclass
class Message:
    """A native message. `since` is the arrival in which it was first said, `told_by` the first one
    by which it was known to be commentary, `abandoned` the one that gave it up from its first block
    on. `versions` are the texts it had: what its pieces add up to, and what it was completed as.
    """

    since: int
    told_by: int = NEVER
    abandoned: int = NEVER
    segment: bool = False
    partial: bool = False
    pieces: dict[int, str] = field(default_factory=dict)
    blocks: dict[int, str] = field(default_factory=dict)
    former: list[str] = field(default_factory=list)

    @property
    def is_lost(self) -> bool:
        """Whether it was given up and neither kept nor said again."""
        return self.abandoned != NEVER and not self.segment and not (self.pieces or self.blocks)

    @property
    def versions(self) -> tuple[str, ...]:
        """Every text it was said with, whole attempts at a time."""
        return (*self.former, _joined(self.pieces), _joined(self.blocks))

    def endings(self) -> Iterator[str]:
        """Its text, and what of it stands from each block on."""
        for said in (self.blocks, self.pieces):
            numbers = sorted(said)
            for place in range(len(numbers)):
                yield "".join(said[number] for number in numbers[place:])
        yield from self.former

    def again(self) -> None:
        """A new attempt says it from the start."""
        self.former += [text for text in (_joined(self.pieces), _joined(self.blocks)) if text]
        self.pieces, self.blocks = {}, {}


@dataclass
class Testimony:
    """What was observed of one run."""

    messages: dict[str, Message] = field(default_factory=dict)
    named: list[tuple[int, str, bool]] = field(default_factory=list)
    """Texts that a terminal or a receipt names: where, and whether they may stand alone."""
    tails: list[tuple[int, str]] = field(default_factory=list)
    """Texts that a terminal names as the end of the answer."""

    def see(self, number: int, one: AnyObservation) -> None:
        """The next observation of this run."""
        match one:
            case Saying() | Said():
                self._said(number, one)
            case AttemptStarted():
                self._of(number, one.message).again()
            case AttemptAbandoned(from_block=0):
                message = self._of(number, one.message)
                message.abandoned = min(message.abandoned, number)
                message.again()
            case Stopped(reason="continues"):
                self._tell(self._of(number, one.message), number)
            case Stopped(reason="limited") | Kept():
                self._of(number, one.message).segment = True
            case ToolMoved(state="started"):
                for native, message in self.messages.items():
                    if message.pieces or message.blocks or native == one.message:
                        self._tell(message, number)
                if one.message is not None:
                    self._tell(self._of(number, one.message), number)
            case Named():
                self.named.append((number, one.text, one.alone))
                if one.extent == "tail" and not one.alone:
                    self.tails.append((number, one.text))
            case Receipted(text=str(text)):
                self.named.append((number, text, True))
            case Ended(ending="completed"):
                for message in self.messages.values():
                    if message.partial:
                        self._tell(message, number)
            case _:
                pass

    def _said(self, number: int, one: Saying | Said) -> None:
        message = self._of(number, one.message)
        if isinstance(one, Saying):
            message.pieces[one.block] = message.pieces.get(one.block, "") + one.delta
        else:
            message.blocks[one.block] = one.text
            if one.role in ("unclear", "answer"):
                for native, other in self.messages.items():
                    if native != one.message:
                        self._tell(other, number)
        message.partial = message.partial or one.role == "partial_answer"
        if one.role == "commentary":
            self._tell(message, number)

    def _tell(self, message: Message, number: int) -> None:
        message.told_by = min(message.told_by, number)

    def _of(self, number: int, native: str) -> Message:
        return self.messages.setdefault(native, Message(number))


def turns_of(
    events_at: Mapping[int, Sequence[AnyEvent]], observed: Numbered
) -> dict[str, set[str]]:
    """The native turns of each run, by the order in which both began: `events_at` are the events
    that each arrival caused. A run that an answer opened has the turn of the run that asked, or the
    one that the agent then begins for it (T5).
    """
    turns: dict[str, set[str]] = {}
    known: set[str] = set()
    for number, events in events_at.items():
        began = [o for o in observed.get(number, ()) if isinstance(o, Began)]
        news = [o.turn for o in began if o.turn not in known]
        known.update(news)
        starts = [event for event in events if isinstance(event, RunStarted)]
        for start in starts:
            if start.continues in turns and start.request_id is not None:
                turns[start.run_id] = set(turns[start.continues])
            elif news:
                turns[start.run_id] = {news.pop(0)}
        if news and turns:  # begun for the answer to a question
            turns[next(reversed(turns))].update(news)
    return turns


def gathered(turns: Mapping[str, Iterable[str]], observed: Numbered) -> dict[str, Testimony]:
    """What was observed of each run."""
    told = {run_id: Testimony() for run_id in turns}
    runs: dict[str, list[str]] = {}
    for run_id, keys in turns.items():
        for key in keys:
            runs.setdefault(key, []).append(run_id)
    lineage: dict[str, str] = {}
    for number, seen in observed.items():
        for one in seen:
            turn = one.turn
            if isinstance(one, AttemptStarted | Said):
                lineage[one.message] = turn
            if isinstance(one, Receipted) and not turn:
                turn = lineage.get(one.message or "", "")
            for run_id in runs.get(turn, ()):
                told[run_id].see(number, one)
    return told


def _joined(blocks: Mapping[int, str]) -> str:
    return "".join(blocks[number] for number in sorted(blocks))
