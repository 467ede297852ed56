"""Abstract steps as what Hermes' loop does, whatever surface tells of it.

A surface fills in how it tells each thing. What Hermes itself does not do has no steps here: a
retried request leaves no trace, and an answer that breaks off is given up whole, with the notice
that the connection was dropped.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Final

from turnreel.adapters.rendering import Outcome, Rendering, W
from turnreel.adapters.steps import Block, Call, Plan, Say, Script, Think, Unsayable
from turnreel.lifecycle.events import PlanState
from turnreel.wire.units import Json

from .catalogue import KINDS
from .literals import DROPPED

NOTICE: Final = f"\n\n{DROPPED.form}\n\n"
STATES: Final[dict[PlanState, str]] = {
    "pending": "pending",
    "active": "in_progress",
    "done": "completed",
}
"""``status`` of an entry of the plan."""
PIECE: Final = 12
"""Characters of a text in one delta."""


class Loop(Rendering[W]):
    """One rendering of one script. A surface yields its own frames."""

    def __init__(self, script: Script, prompt: str = "Go.") -> None:
        super().__init__(script, KINDS, prompt)
        self.answer = ""
        self._returned = False

    def answers(self, blocks: tuple[Block, ...], stop: str) -> Iterator[W]:
        """A model call: its text is told in pieces, and then the tools start."""
        said = "".join(block.text for block in blocks if isinstance(block, Say))
        called = [block for block in blocks if isinstance(block, Call)]
        for block in blocks:
            yield from self._block(block)
        if said:
            yield from self.call_over(said, commentary=bool(called))
            self.answer = said
        for call in called:
            self.answer = ""
            yield from self.called(call)

    def breaks(self, blocks: tuple[Block, ...], partial: str) -> Iterator[W]:
        """All that was said, and the notice that it will be said again."""
        for block in (*blocks, Say(partial)):
            yield from self._block(block)
        yield from self.piece(NOTICE)

    def rejected(self, status: int) -> Iterator[W]:
        """A repeated request leaves no trace."""
        yield from ()

    def gives_up(self, status: int) -> Iterator[W]:
        """The runtime's own sentence stands for the status."""
        yield from self.failed(f"HTTP {status}: scripted")

    def returns(self, call: Call, text: str, outcome: Outcome) -> Iterator[W]:
        """A tool that was declined fails as well."""
        self._returned = True
        failed = outcome != "ok"
        yield from self.returned(call, result(text, failed=failed), failed)

    def cancels(self, partial: str) -> Iterator[W]:
        """The text on its way, and how the surface ends it."""
        yield from self._text(partial)
        yield from self.interrupted(partial)

    def _block(self, block: Block) -> Iterator[W]:
        match block:
            case Say(text):
                yield from self._text(text)
            case Think(text):
                yield from self.thought(text)
            case Call():
                pass

    def _text(self, text: str) -> Iterator[W]:
        """After tools the first piece begins with the runtime's separator."""
        whole = f"\n\n{text}" if self._returned else text
        self._returned = False
        for at in range(0, len(whole), PIECE):
            yield from self.piece(whole[at : at + PIECE])

    @abstractmethod
    def piece(self, text: str) -> Iterator[W]:
        """A piece of text."""

    def thought(self, text: str) -> Iterator[W]:
        """Reasoning; most surfaces do not stream it."""
        yield from ()

    def call_over(self, said: str, *, commentary: bool) -> Iterator[W]:
        """A model call that said something ended."""
        yield from ()

    @abstractmethod
    def called(self, call: Call) -> Iterator[W]:
        """A tool starts."""

    @abstractmethod
    def returned(self, call: Call, result: dict[str, Json], failed: bool) -> Iterator[W]:
        """A tool returned."""

    def interrupted(self, partial: str) -> Iterator[W]:
        """The person cancels; the turn ends."""
        raise Unsayable("this surface cannot be told to stop")

    @abstractmethod
    def failed(self, error: str) -> Iterator[W]:
        """The provider refused; `error` is the runtime's own sentence."""


def todos(plan: Plan) -> list[Json]:
    """The entries of a plan as Hermes keeps them."""
    return [
        {"id": str(at), "content": one.text, "status": STATES[one.state]}
        for at, one in enumerate(plan.items, 1)
    ]


def result(text: str, *, failed: bool) -> dict[str, Json]:
    """What a command answers."""
    return {"output": text, "exit_code": 1 if failed else 0, "error": None}
