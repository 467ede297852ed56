"""Abstract steps as the lines of one turn of the app-server: what it prints and what the host
writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from turnreel.adapters.codex_items import ITEMS
from turnreel.adapters.codex_literals import RETRY
from turnreel.adapters.codex_rendering import REFUSALS, Cause, Codex
from turnreel.adapters.openai_responses.builders import Phase, pieces
from turnreel.adapters.openai_responses.render import item_id
from turnreel.adapters.rendering import Outcome
from turnreel.adapters.steps import (
    Ask,
    Beside,
    Block,
    Call,
    Plan,
    Question,
    Report,
    Return,
    Script,
    Step,
    Verdict,
)
from turnreel.lifecycle.events import PlanState

from . import builders, commands
from .builders import Line, Server

Written = tuple[Literal["in", "out"], Line]

COMMAND: Final = "commandExecution"
CHANGE: Final = "fileChange"
STATUSES: Final[dict[Outcome, str]] = {"ok": "completed", "unanswered": "failed"}
"""``status`` by outcome; any other is the outcome's own word."""

STATES: Final[dict[PlanState, str]] = {
    "pending": "pending",
    "active": "inProgress",
    "done": "completed",
}
"""``status`` of a plan's step."""


def lines(script: Script, prompt: str = "Go.") -> list[Written | Beside]:
    """The lines of a scripted turn on both sides, deltas included."""
    return list(_Turn(script, prompt).frames())


class _Turn(Codex[Written]):
    def __init__(self, script: Script, prompt: str) -> None:
        super().__init__(script, ITEMS, COMMAND, prompt)
        self._server = Server()
        self._to_ask = {step.tool for step in script if isinstance(step, Ask)}
        self._asked = -1
        self._named: Line | None = None
        self._children: dict[str, Server] = {}
        self._steered = 0
        self._owed = False  # tools run while the end of the response is on its way

    def resumes(self, answer: str) -> Iterator[Written]:
        yield "in", commands.resume_thread(0, self._server.thread)
        self._server.next_turn()
        yield "out", self._server.reopened(0, answer)

    def begins(self) -> Iterator[Written]:
        yield "in", commands.message(1, self._server.thread, self.prompt)
        self._server.next_turn()
        yield "out", self._server.accepted(1)
        yield "out", self._server.status("active")
        yield "out", self._server.begun()
        asked = builders.prompt("item_0000", self.prompt)
        yield "out", self._server.started(asked)
        yield "out", self._server.completed(asked)

    def step(self, step: Step) -> Iterator[Written | Beside]:
        if self._owed and not isinstance(step, Return | Ask):
            self._owed = False
            yield "out", self._server.usage()
        yield from super().step(step)

    def answers(self, blocks: tuple[Block, ...], stop: str) -> Iterator[Written]:
        yield from super().answers(blocks, stop)
        self._owed = True

    def says(self, name: str, text: str, phase: Phase) -> Iterator[Written]:
        done = builders.message(name, text, phase)
        yield from self._deltas(name, text, phase)
        yield "out", self._server.completed(done)
        self._named = done if phase == "final_answer" else None

    def begun(self, name: str, partial: str) -> Iterator[Written]:
        yield from self._deltas(name, partial, "final_answer")

    def thinks(self, name: str, text: str) -> Iterator[Written]:
        yield "out", self._server.started(builders.reasoning(name, ""))
        yield "out", self._server.completed(builders.reasoning(name, text))

    def runs(self, call: Call) -> Iterator[Written]:
        if call.tool in self._to_ask:
            yield "out", self._server.status("active", "waitingOnApproval")
        yield "out", self._server.started(builders.tool(call.tool, self.kind(call), "inProgress"))

    def returns(self, call: Call, text: str, outcome: Outcome) -> Iterator[Written]:
        kind, fields = self.kind(call), Line()
        if kind == COMMAND:
            fields = {"aggregatedOutput": text, "exitCode": 0 if outcome == "ok" else 1}
        if (child := self._children.get(call.tool)) is not None:
            fields = {"receiverThreadIds": [child.thread]}
        done = builders.tool(call.tool, kind, STATUSES.get(outcome, outcome), **fields)
        yield "out", self._server.completed(done)

    def asks(self, call: Call) -> Iterator[Written]:
        self._asked += 1
        if self.kind(call) == CHANGE:
            yield "out", self._server.asks_to_change(self._asked, call.tool)
        else:
            yield "out", self._server.asks_to_run(self._asked, call.tool, call.name)

    def replies(self, call: Call, verdict: Verdict) -> Iterator[Written]:
        allows = verdict == "allow"
        yield "in", commands.allow(self._asked) if allows else commands.deny(self._asked)
        yield from self._resolved()

    def withdraws(self, call: Call) -> Iterator[Written]:
        yield "in", commands.fail(self._asked, "scripted")
        yield from self._resolved()

    def questions(self, question: Question) -> Iterator[Written]:
        self._asked += 1
        yield "out", self._server.questions(self._asked, question)
        yield "in", commands.answer(self._asked, {question.tool: question.options[:1]})
        yield from self._resolved()

    def _resolved(self) -> Iterator[Written]:
        yield "out", self._server.resolved(self._asked)
        yield "out", self._server.status("active")

    def plans(self, plan: Plan) -> Iterator[Written]:
        yield "out", self._server.plan({one.text: STATES[one.state] for one in plan.items})

    def steers(self, text: str) -> Iterator[Written]:
        self._steered += 1
        request, server = f"steer-{self._steered}", self._server
        yield "in", commands.steer(request, server.thread, server.turn, text)
        yield "out", server.steered(request)
        told = builders.prompt(f"item_{self._steered:04d}", text)
        yield "out", server.started(told)
        yield "out", server.completed(told)

    def spawns(self, call: Call) -> Iterator[Written]:
        """The child agent works in a thread of its own."""
        number = len(self._children) + 2
        child = Server(builders.nth_thread(number), self._server.turn)
        self._children[call.tool] = child
        child.next_turn()
        yield "out", child.spawned(self._server.thread)
        yield "out", child.status("active")
        yield "out", child.begun()
        asked = builders.prompt(f"item_{number:04d}", "Go.")
        yield "out", child.started(asked)
        yield "out", child.completed(asked)

    def reports(self, call: Call, report: Report) -> Iterator[Written]:
        child = self._children[call.tool]
        if report.outcome == "failed":
            cause = REFUSALS[400]
            error = builders.words(cause.info, "scripted")
            yield "out", child.error(error, retries=False)
            yield "out", child.status("systemError")
            yield "out", child.ended("failed", error=error)
            return
        said = builders.message(f"msg_{call.tool}", report.text, "final_answer")
        yield "out", child.started(said)
        yield "out", child.completed(said)
        yield "out", child.status("idle")
        yield "out", child.ended("completed", named=said)

    def wakes(self, call: Call) -> Iterator[Written]:
        self._server.next_turn()
        yield "out", self._server.status("active")
        yield "out", self._server.begun()

    def fails_elsewhere(self, status: int) -> Iterator[Written]:
        cause = REFUSALS[status]
        yield "out", self._server.fails_elsewhere(builders.words(cause.info, cause.sentence))

    def cancels(self, partial: str) -> Iterator[Written]:
        if partial:
            self._answers += 1
            yield from self.begun(item_id(self._answers, 1), partial)
        yield "in", commands.interrupt(2, self._server.thread, self._server.turn)
        yield "out", {"id": 2, "result": {}}
        yield "out", self._server.status("idle")
        yield "out", self._server.ended("interrupted")

    def retries(self, number: int, cause: Cause) -> Iterator[Written]:
        error = builders.words(cause.info, f"{RETRY}{number}/5", cause.sentence)
        yield "out", self._server.error(error, retries=True)

    def fails(self, cause: Cause) -> Iterator[Written]:
        error = builders.words(cause.info, cause.sentence)
        yield "out", self._server.error(error, retries=False)
        yield "out", self._server.status("systemError")
        yield "out", self._server.ended("failed", error=error)

    def completes(self) -> Iterator[Written]:
        yield "out", self._server.status("idle")
        yield "out", self._server.ended("completed", named=self._named)

    def _deltas(self, name: str, text: str, phase: Phase) -> Iterator[Written]:
        yield "out", self._server.started(builders.message(name, "", phase))
        for piece in pieces(text):
            yield "out", self._server.delta(name, piece)
