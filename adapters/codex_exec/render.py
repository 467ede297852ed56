"""Abstract steps as the lines that one ``codex exec --json`` prints.

An approval cannot be said: it is refused inside the agent, and no item tells of it. A cancel is a
signal to the process, which then prints nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from turnreel.adapters.codex_items import EXEC_ITEMS
from turnreel.adapters.codex_rendering import Cause, Codex
from turnreel.adapters.openai_responses.builders import Phase
from turnreel.adapters.rendering import Outcome
from turnreel.adapters.steps import Beside, Call, Plan, Script

from .builders import Line, Printer

Written = tuple[Literal["in", "out", "signal"], Line]

COMMAND: Final = "command_execution"
STATUSES: Final[dict[Outcome, str]] = {"ok": "completed", "unanswered": "failed"}
"""``status`` by outcome; any other is the outcome's own word."""


def lines(script: Script) -> list[Written | Beside]:
    """The lines of a scripted turn; the prompt is on the command line."""
    return list(_Turn(script).frames())


class _Turn(Codex[Written]):
    def __init__(self, script: Script) -> None:
        super().__init__(script, EXEC_ITEMS, COMMAND, "")
        self._printer = Printer()

    def begins(self) -> Iterator[Written]:
        yield "out", self._printer.thread()
        yield "out", self._printer.begun()

    def says(self, name: str, text: str, phase: Phase) -> Iterator[Written]:
        yield "out", self._printer.said(name, text)

    def begun(self, name: str, partial: str) -> Iterator[Written]:
        yield from ()

    def thinks(self, name: str, text: str) -> Iterator[Written]:
        yield "out", self._printer.thought(name, text)

    def runs(self, call: Call) -> Iterator[Written]:
        yield "out", self._printer.started(call.tool, self.kind(call), status="in_progress")

    def returns(self, call: Call, text: str, outcome: Outcome) -> Iterator[Written]:
        kind, fields = self.kind(call), Line(status=STATUSES.get(outcome, outcome))
        if kind == COMMAND:
            fields |= {"aggregated_output": text, "exit_code": 0 if outcome == "ok" else 1}
        yield "out", self._printer.completed(call.tool, kind, **fields)

    def plans(self, plan: Plan) -> Iterator[Written]:
        steps = {one.text: one.state == "done" for one in plan.items}
        yield "out", self._printer.todo(plan.tool, steps)

    def cancels(self, partial: str) -> Iterator[Written]:
        yield "signal", {"name": "SIGINT"}

    def retries(self, number: int, cause: Cause) -> Iterator[Written]:
        yield "out", self._printer.retry(number, cause.sentence)

    def fails(self, cause: Cause) -> Iterator[Written]:
        yield "out", self._printer.error(cause.sentence)
        yield "out", self._printer.failed(cause.sentence)

    def completes(self) -> Iterator[Written]:
        yield "out", self._printer.ended()
