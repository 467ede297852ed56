"""Abstract steps as the lines of one turn of the TUI gateway, on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from turnreel.adapters.hermes.rendering import Loop, todos
from turnreel.adapters.steps import Beside, Call, Plan, Question, Report, Script, Verdict
from turnreel.wire.units import Json

from . import builders, commands
from .builders import SESSION, STORED, Line

Side = Literal["in", "out"]
Written = tuple[Side, Line]


def lines(script: Script, prompt: str = "Go.") -> list[Written | Beside]:
    """The lines of a scripted turn."""
    return list(_Turn(script, prompt).frames())


class _Turn(Loop[Written]):
    def __init__(self, script: Script, prompt: str) -> None:
        super().__init__(script, prompt)
        self._requests = 0

    def begins(self) -> Iterator[Written]:
        yield "in", commands.message(self._request(), SESSION, self.prompt)
        yield "out", builders.started()
        yield "out", builders.reply(str(self._requests), "streaming")

    def piece(self, text: str) -> Iterator[Written]:
        yield "out", builders.delta(text)

    def thought(self, text: str) -> Iterator[Written]:
        yield "out", builders.reasoning(text)

    def call_over(self, said: str, *, commentary: bool) -> Iterator[Written]:
        if commentary:
            yield "out", builders.generating("terminal")
        yield "out", builders.echo(said)
        if commentary:
            yield "out", builders.interim(said)

    def called(self, call: Call) -> Iterator[Written]:
        yield "out", builders.tool_started(call.tool, call.name)

    def returned(self, call: Call, result: dict[str, Json], failed: bool) -> Iterator[Written]:
        yield "out", builders.tool_completed(call.tool, call.name, result)

    def asks(self, call: Call) -> Iterator[Written]:
        command = call.arguments.get("command")
        yield "out", builders.asks(command if isinstance(command, str) else "")

    def replies(self, call: Call, verdict: Verdict) -> Iterator[Written]:
        choice: commands.Choice = "once" if verdict == "allow" else "deny"
        yield "in", commands.approve(self._request(), SESSION, choice)
        yield "out", builders.resolved(str(self._requests))

    def questions(self, question: Question) -> Iterator[Written]:
        asked = f"question-{question.tool}"
        yield "out", builders.tool_started(question.tool, "clarify")
        yield "out", builders.question(asked, question.text, *question.options)
        yield "in", commands.answer(self._request(), asked, question.options[0])
        yield "out", builders.resolved(str(self._requests))
        told: dict[str, Json] = {"user_response": question.options[0]}
        yield "out", builders.tool_completed(question.tool, "clarify", told)

    def plans(self, plan: Plan) -> Iterator[Written]:
        yield "out", builders.tool_started(plan.tool, builders.PLAN_TOOL)
        yield "out", builders.planned(plan.tool, todos(plan))

    def steers(self, text: str) -> Iterator[Written]:
        yield "in", commands.message(self._request(), SESSION, text)
        yield "out", builders.reply(str(self._requests), "steered")

    def spawns(self, call: Call) -> Iterator[Written]:
        yield "out", builders.child_started(_child(call))

    def reports(self, call: Call, report: Report) -> Iterator[Written]:
        status = "completed" if report.outcome == "ok" else "failed"
        yield "out", builders.child_ended(_child(call), status, report.text)

    def wakes(self, call: Call) -> Iterator[Written]:
        yield "out", builders.started()

    def fails_elsewhere(self, status: int) -> Iterator[Written]:
        yield "out", builders.completed(f"HTTP {status}: scripted", "error", builders.ELSEWHERE)

    def interrupted(self, partial: str) -> Iterator[Written]:
        yield "in", commands.interrupt(self._request(), SESSION)
        yield "out", builders.reply(str(self._requests), "interrupted")
        yield "out", builders.completed(partial, "interrupted")

    def resumes(self, answer: str) -> Iterator[Written]:
        yield "in", commands.resume(self._request(), STORED)
        yield "out", builders.resumed(str(self._requests), answer)

    def failed(self, error: str) -> Iterator[Written]:
        yield "out", builders.completed(error, "error")

    def ends(self) -> Iterator[Written]:
        yield "out", builders.completed(self.answer)

    def _request(self) -> str:
        self._requests += 1
        return str(self._requests)


def _child(call: Call) -> str:
    """The id of the subagent of a call."""
    return f"child-{call.tool}"
