"""Abstract steps as the lines of one turn of Claude Code: what it prints and what the host writes.

The agent passes on the provider's events, so the messages have the ids of
`anthropic_messages.render` of the same script.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.anthropic_messages.render import part
from turnreel.adapters.rendering import Outcome, Rendering, Verdict
from turnreel.adapters.steps import Block, Call, Say, Script, message_id

from . import commands
from .builders import Line, Printer
from .catalogue import KINDS
from .literals import CUT_ANSWER

Written = tuple[Literal["in", "out"], Line]

REFUSALS: Final[dict[int, str]] = {400: "invalid_request", 429: "rate_limit"}
"""``error`` of the message in which the runtime gives up, by status."""


def lines(script: Script, prompt: str = "Go.") -> list[Written]:
    """The lines of a scripted turn in stream-json on both sides, partial messages included."""
    return list(_Turn(script, prompt).frames())


class _Turn(Rendering[Written]):
    def __init__(self, script: Script, prompt: str) -> None:
        super().__init__(script, KINDS, prompt)
        self._printer = Printer()
        self._messages = 0
        self._retries = 0
        self._retrying = False
        self._asked = 0
        self._answer = ""

    def begins(self) -> Iterator[Written]:
        yield "in", commands.message(self.prompt)
        yield "out", self._printer.init()

    def answers(self, blocks: tuple[Block, ...], stop: str) -> Iterator[Written]:
        message = self._next()
        yield from self._requested()
        yield from self._events(message, [provider.message_start(message)])
        yield from self._blocks(message, blocks)
        yield from self._events(message, [provider.message_delta(stop), provider.message_stop()])

    def breaks(self, blocks: tuple[Block, ...], partial: str) -> Iterator[Written]:
        message = self._next()
        yield from self._requested()
        yield from self._events(message, [provider.message_start(message)])
        yield from self._blocks(message, blocks)
        yield from self._events(message, list(part(message, (), partial))[1:])
        yield from self._events(message, [provider.block_stop(len(blocks))])
        yield "out", self._printer.stop_abandoned(message, len(blocks))
        if any(isinstance(block, Say) for block in blocks):
            yield "out", self._printer.told(CUT_ANSWER.head)
        else:
            yield self._retry(None)

    def rejected(self, status: int) -> Iterator[Written]:
        yield self._retry(status)

    def gives_up(self, status: int) -> Iterator[Written]:
        yield "out", self._printer.failure(REFUSALS[status], status)
        yield "out", self._printer.refused(status)

    def returns(self, call: Call, text: str, outcome: Outcome) -> Iterator[Written]:
        yield "out", self._printer.returned(call.tool, text, outcome)

    def asks(self, call: Call, verdict: Verdict) -> Iterator[Written]:
        self._asked += 1
        request = f"ask-{self._asked}"
        yield "out", self._printer.asks(request, call.name, call.tool, call.arguments)
        if verdict == "allow":
            yield "in", commands.allow(request, call.arguments)
        else:
            yield "in", commands.deny(request, "not now")

    def cancels(self, partial: str) -> Iterator[Written]:
        message = self._next()
        yield from self._requested()
        yield from self._events(message, list(part(message, (), partial)))
        yield "in", commands.interrupt("interrupt-1")
        yield "out", self._printer.acknowledges("interrupt-1")
        yield "out", self._printer.aborted(message, Say(partial))
        yield from self._events(message, [provider.block_stop(0), provider.message_delta(None)])
        yield "out", self._printer.stop_abandoned(message, 1)
        reason = "aborted_streaming"
        yield "out", self._printer.error("error_during_execution", terminal_reason=reason)

    def ends(self) -> Iterator[Written]:
        yield "out", self._printer.result(self._answer)

    def _requested(self) -> Iterator[Written]:
        """The CLI says that it asks the model, but not that it asks again."""
        if not self._retrying:
            yield "out", self._printer.requesting()
        self._retrying = False

    def _retry(self, status: int | None) -> Written:
        self._retries += 1
        self._retrying = True
        return "out", self._printer.retry(self._retries, status)

    def _blocks(self, message: str, blocks: tuple[Block, ...]) -> Iterator[Written]:
        for index, block in enumerate(blocks):
            opening = [provider.block_start(index, block), *provider.block_deltas(index, block)]
            yield from self._events(message, opening)
            yield "out", self._printer.block(message, block)
            yield from self._events(message, [provider.block_stop(index)])
            if isinstance(block, Say):
                self._answer = block.text

    def _events(self, message: str, events: list[Line]) -> Iterator[Written]:
        for event in events:
            yield "out", self._printer.event(message, event)

    def _next(self) -> str:
        self._messages += 1
        return message_id(self._messages)
