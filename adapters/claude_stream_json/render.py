"""Abstract steps as the lines of one turn of Claude Code: what it prints and what the host writes.

The agent passes on the provider's events, so the messages have the ids of
`anthropic_messages.render` of the same script.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.anthropic_messages.render import part
from turnreel.adapters.rendering import Outcome, Rendering
from turnreel.adapters.steps import (
    Beside,
    Block,
    Call,
    Plan,
    Question,
    Report,
    Say,
    Script,
    Verdict,
    Wake,
    message_id,
)
from turnreel.lifecycle.events import PlanState
from turnreel.wire.units import Json

from . import builders, commands
from .builders import Line, Printer
from .catalogue import KINDS, PLAN_TOOL
from .literals import CUT_ANSWER

Written = tuple[Literal["in", "out"], Line]

REFUSALS: Final[dict[int, str]] = {
    400: "invalid_request",
    401: "authentication_failed",
    404: "model_not_found",
    429: "rate_limit",
    500: "server_error",
}
"""``error`` of the message in which the runtime gives up, by status."""

STATES: Final[dict[PlanState, str]] = {
    "pending": "pending",
    "active": "in_progress",
    "done": "completed",
}
"""``status`` of an entry of the plan."""


def lines(script: Script, prompt: str = "Go.") -> list[Written | Beside]:
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
        self._prompts: tuple[str, ...] = ()
        self._queued: tuple[str, ...] = ()
        self._messages_in = 0
        self._told_back: list[Written] = []
        self._working: set[str] = set()
        self._held: list[Written] = []
        self._woken = False
        self._background = {one.tool for one in script if isinstance(one, Wake)}

    def frames(self) -> Iterator[Written | Beside]:
        """As any rendering, and no result stays behind."""
        yield from super().frames()
        yield from self._flushed()

    def begins(self) -> Iterator[Written]:
        yield "in", commands.message(self.prompt)
        yield "out", self._printer.init()

    def begins_after_another(self) -> Iterator[Written]:
        """The host has its messages told back: what another agent said stands in one."""
        prompt = self._message()
        yield "in", commands.message(self.prompt, prompt)
        self._prompts = (prompt,)
        yield "out", self._printer.init(prompt)
        self._told_back = [("out", self._printer.repeated(self.prompt, prompt))]

    def steers(self, text: str) -> Iterator[Written]:
        """The message waits in the agent's queue until the model is asked again."""
        message = self._message()
        self._queued += (message,)
        yield "in", commands.message(text, message)
        yield "out", self._printer.queue(message, "queued")

    def spawns(self, call: Call) -> Iterator[Written]:
        background = call.tool in self._background
        self._working.add(call.tool)
        yield "out", self._printer.task_started(_task(call), call.tool, background=background)

    def reports(self, call: Call, report: Report) -> Iterator[Written]:
        """What a child says is told of one in the background; of any, its summary."""
        self._working.discard(call.tool)
        if report.outcome == "ok" and call.tool in self._background:
            yield "out", self._printer.block(self._next(), Say(report.text), call.tool)
        status = "completed" if report.outcome == "ok" else "failed"
        yield "out", self._printer.task_ended(_task(call), call.tool, status, report.text)

    def wakes(self, call: Call) -> Iterator[Written]:
        self._prompts, self._woken = (), True
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
        yield from self._heard()
        yield self._retry(status)

    def gives_up(self, status: int) -> Iterator[Written]:
        yield from self._heard()
        yield "out", self._printer.failure(REFUSALS[status], status)
        yield "out", self._printer.refused(status)

    def returns(self, call: Call, text: str, outcome: Outcome) -> Iterator[Written]:
        yield "out", self._printer.returned(call.tool, text, outcome)

    def asks(self, call: Call) -> Iterator[Written]:
        self._asked += 1
        yield "out", self._printer.asks(self._request, call.name, call.tool, call.arguments)

    def replies(self, call: Call, verdict: Verdict) -> Iterator[Written]:
        if verdict == "allow":
            yield "in", commands.allow(self._request, call.arguments)
        else:
            yield "in", commands.deny(self._request, "not now")

    def withdraws(self, call: Call) -> Iterator[Written]:
        yield "out", self._printer.withdraws(self._request)

    @property
    def _request(self) -> str:
        return f"ask-{self._asked}"

    def questions(self, question: Question) -> Iterator[Written]:
        options: list[Json] = [{"label": one, "description": ""} for one in question.options]
        asked: list[Json] = [{"question": question.text, "options": options}]
        call = Call(question.tool, "AskUserQuestion", {"questions": asked})
        yield from self.answers((call,), "tool_use")
        yield from self.asks(call)
        chosen = {question.text: question.options[0]}
        yield "in", commands.answer(self._request, asked, chosen)
        yield from self.returns(call, question.options[0], "ok")

    def plans(self, plan: Plan) -> Iterator[Written]:
        told: list[Json] = [
            {"content": one.text, "status": STATES[one.state]} for one in plan.items
        ]
        call = Call(plan.tool, PLAN_TOOL, {"todos": told})
        yield from self.answers((call,), "tool_use")
        yield from self.returns(call, "", "ok")

    def cancels(self, partial: str) -> Iterator[Written]:
        if not partial:
            yield from self._cancelled_between()
            return
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

    def _cancelled_between(self) -> Iterator[Written]:
        """No text is on its way: a tool, what was asked, or a pause before the next attempt."""
        yield "in", commands.interrupt("interrupt-1")
        yield "out", self._printer.acknowledges("interrupt-1")
        for tool in self.running:
            yield "out", self._printer.returned(tool, "", "interrupted")
        reason = "aborted_tools" if self.running else "aborted_streaming"
        yield "out", self._printer.error("error_during_execution", terminal_reason=reason)

    def ends(self) -> Iterator[Written]:
        """The result of a turn whose child agents are still at work comes after what they cause."""
        origin: Line = {"origin": dict(builders.NOTIFIED)} if self._woken else {}
        self._held.append(("out", self._printer.result(self._answer, **origin)))
        if not self._working:
            yield from self._flushed()

    def _flushed(self) -> Iterator[Written]:
        yield from self._held
        self._held = []

    def _requested(self) -> Iterator[Written]:
        """The CLI says that it asks the model, but not that it asks again."""
        for message in self._queued:
            yield "out", self._printer.queue(message, "started")
        self._prompts += self._queued
        if not self._retrying or self._queued:
            yield "out", self._printer.requesting(*self._prompts)
        yield from self._told_back
        self._told_back = []
        self._retrying, self._queued = False, ()

    def _heard(self) -> Iterator[Written]:
        """A request that is rejected had taken in what waited."""
        if self._queued:
            yield from self._requested()

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

    def _message(self) -> str:
        """The uuid of a message of the host's."""
        self._messages_in += 1
        return f"11111111-0000-4000-8000-{self._messages_in:012d}"

    def _next(self) -> str:
        self._messages += 1
        return message_id(self._messages)


def _task(call: Call) -> str:
    """The id of the child agent of a call."""
    return f"task-{call.tool}"
