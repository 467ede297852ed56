"""Abstract steps as what Hermes' loop does, whatever surface tells of it.

A surface fills in how it tells each thing. What Hermes itself does not do has no steps here: a
retried request leaves no trace, and an answer that breaks off is given up whole, with the notice
that the connection was dropped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Final, assert_never

from turnreel.adapters.steps import (
    Answer,
    Ask,
    Block,
    Break,
    Call,
    End,
    Fail,
    Interrupt,
    Reject,
    Resume,
    Return,
    Say,
    Script,
    Step,
    Think,
    Unsayable,
    calls,
    named,
)
from turnreel.wire.units import Json

from .catalogue import KINDS
from .literals import DROPPED

NOTICE: Final = f"\n\n{DROPPED.form}\n\n"
PIECE: Final = 12
"""Characters of a text in one delta."""


class Loop(ABC):
    """One rendering of one script. A surface yields its own frames."""

    def __init__(self, script: Script) -> None:
        self.script = named(script, KINDS)
        self.calls = calls(self.script)
        self.denied: set[str] = set()
        self.answer = ""
        self._returned = False

    def frames(self) -> Iterator[Any]:
        """All frames of the turn, in order."""
        script = self.script
        if script and isinstance(script[0], Resume):
            yield from self.resumed(script[0].answer)
        yield from self.begun()
        for step in script:
            yield from self._step(step)

    def _step(self, step: Step) -> Iterator[Any]:
        match step:
            case Answer(blocks, _):
                yield from self._whole(blocks)
            case Break(partial, blocks):
                for block in (*blocks, Say(partial)):
                    yield from self._block(block)
                yield from self.piece(NOTICE)
            case Reject() | Resume():
                pass
            case Fail(status):
                yield from self.failed(f"HTTP {status}: scripted")
            case Return(tool, text, outcome):
                self._returned = True
                failed = outcome == "failed" or tool in self.denied
                yield from self.returned(self.calls[tool], result(text, failed=failed), failed)
            case Ask(tool, verdict):
                if verdict == "deny":
                    self.denied.add(tool)
                yield from self.asked(self.calls[tool], verdict)
            case Interrupt(partial):
                yield from self._text(partial)
                yield from self.interrupted(partial)
            case End():
                yield from self.ended()
            case other:
                assert_never(other)

    def _whole(self, blocks: tuple[Block, ...]) -> Iterator[Any]:
        said = ""
        for block in blocks:
            if isinstance(block, Say):
                said += block.text
        called = [block for block in blocks if isinstance(block, Call)]
        for block in blocks:
            yield from self._block(block)
        if said:
            yield from self.call_over(said, commentary=bool(called))
            self.answer = said
        for call in called:
            self.answer = ""
            yield from self.called(call)

    def _block(self, block: Block) -> Iterator[Any]:
        match block:
            case Say(text):
                yield from self._text(text)
            case Think(text):
                yield from self.thought(text)
            case Call():
                pass

    def _text(self, text: str) -> Iterator[Any]:
        """After tools the first piece begins with the runtime's separator."""
        whole = f"\n\n{text}" if self._returned else text
        self._returned = False
        for at in range(0, len(whole), PIECE):
            yield from self.piece(whole[at : at + PIECE])

    def resumed(self, answer: str) -> Iterator[Any]:
        """The session's history comes back; most surfaces keep it to themselves."""
        yield from ()

    @abstractmethod
    def begun(self) -> Iterator[Any]:
        """The turn begins."""

    @abstractmethod
    def piece(self, text: str) -> Iterator[Any]:
        """A piece of text."""

    def thought(self, text: str) -> Iterator[Any]:
        """Reasoning; most surfaces do not stream it."""
        yield from ()

    def call_over(self, said: str, *, commentary: bool) -> Iterator[Any]:
        """A model call that said something ended."""
        yield from ()

    @abstractmethod
    def called(self, call: Call) -> Iterator[Any]:
        """A tool starts."""

    @abstractmethod
    def returned(self, call: Call, result: dict[str, Json], failed: bool) -> Iterator[Any]:
        """A tool returned."""

    def asked(self, call: Call, verdict: str) -> Iterator[Any]:
        """The person is asked, and answers."""
        raise Unsayable("this surface cannot ask a person")

    def interrupted(self, partial: str) -> Iterator[Any]:
        """The person cancels; the turn ends."""
        raise Unsayable("this surface cannot be told to stop")

    @abstractmethod
    def failed(self, error: str) -> Iterator[Any]:
        """The provider refused; `error` is the runtime's own sentence."""

    @abstractmethod
    def ended(self) -> Iterator[Any]:
        """The turn ends with the last answer."""


def result(text: str, *, failed: bool) -> dict[str, Json]:
    """What a command answers."""
    return {"output": text, "exit_code": 1 if failed else 0, "error": None}
