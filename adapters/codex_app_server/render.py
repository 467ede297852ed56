"""Abstract steps as the lines of one turn of the app-server: what it prints and what the host
writes.

The agent passes on the provider's items, so they have the ids of `openai_responses.render` of the
same script.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, assert_never

from turnreel.adapters.codex_items import ITEMS, flagged
from turnreel.adapters.codex_literals import RETRY
from turnreel.adapters.openai_responses.builders import pieces
from turnreel.adapters.openai_responses.render import item_id, phase_of
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
    calls,
    named,
)
from turnreel.wire.units import Json

from . import builders, commands
from .builders import DISCONNECTED, Line, Server

Side = Literal["in", "out"]
Written = tuple[Side, Line]

COMMAND = "commandExecution"
"""The item of a tool whose name is no item type of the app-server."""

REFUSALS: Final[dict[int, Line]] = {
    400: builders.words("other", '{"error": {"type": "invalid_request_error"}}'),
    429: builders.words({"responseTooManyFailedAttempts": {"httpStatusCode": 429}}),
}
"""What the runtime says of a status that it does not retry."""


def lines(script: Script, prompt: str = "Go.") -> list[Written]:
    """The lines of a scripted turn on both sides, deltas included."""
    return list(_Turn(script).lines(prompt))


class _Turn:
    """One rendering of one script: what must be counted on the way."""

    def __init__(self, script: Script) -> None:
        self._script = named(script, flagged(ITEMS))
        self._calls = calls(self._script)
        self._server = Server()
        self._answers = 0
        self._retries = 0
        self._to_ask = {step.tool for step in script if isinstance(step, Ask)}
        self._asked: dict[str, int] = {}
        self._denied: set[str] = set()
        self._named: Line | None = None
        self._limited = False
        self._owed = False  # tools run while the answer's end is on its way

    def lines(self, prompt: str) -> Iterator[Written]:
        if self._script and isinstance(self._script[0], Resume):
            yield "in", commands.resume_thread(0, self._server.thread)
            self._server.next_turn()
            yield "out", self._server.reopened(0, self._script[0].answer)
        yield "in", commands.message(1, self._server.thread, prompt)
        self._server.next_turn()
        yield "out", self._server.accepted(1)
        yield "out", self._server.status("active")
        yield "out", self._server.begun()
        asked = builders.prompt("item_0000", prompt)
        yield "out", self._server.started(asked)
        yield "out", self._server.completed(asked)
        for step in self._script:
            yield from self._step(step)

    def _step(self, step: Step) -> Iterator[Written]:
        server = self._server
        if self._owed and not isinstance(step, Return | Ask):
            self._owed = False
            yield "out", server.usage()
        match step:
            case Answer(blocks, stop):
                self._answers += 1
                yield from self._blocks(blocks, stop)
                self._owed = True
                self._limited = stop == "max_tokens"
            case Break(partial, blocks):
                self._answers += 1
                yield from self._blocks(blocks, "tool_use")
                yield from self._part(len(blocks), partial)
                yield self._retry(DISCONNECTED)
            case Reject(status):
                yield self._retry({"responseStreamDisconnected": {"httpStatusCode": status}})
            case Fail(status):
                yield from self._fails(REFUSALS[status])
            case Resume():
                pass
            case Return(tool, text, outcome):
                denied = tool in self._denied
                yield self._returned(tool, text, "declined" if denied else outcome)
            case Ask(tool, verdict):
                yield from self._ask(tool, verdict)
            case Interrupt(partial):
                self._answers += 1
                yield from self._part(0, partial)
                yield "in", commands.interrupt(2, server.thread, server.turn)
                yield "out", {"id": 2, "result": {}}
                yield "out", server.status("idle")
                yield "out", server.ended("interrupted")
            case End():
                yield from self._end()
            case other:
                assert_never(other)

    def _blocks(self, blocks: tuple[Block, ...], stop: str) -> Iterator[Written]:
        for index, block in enumerate(blocks):
            name = item_id(self._answers, index + 1)
            match block:
                case Say(text):
                    phase = phase_of(blocks, index, stop)
                    done = builders.message(name, text, phase)
                    yield "out", self._server.started(builders.message(name, "", phase))
                    for piece in pieces(text):
                        yield "out", self._server.delta(name, piece)
                    yield "out", self._server.completed(done)
                    self._named = done if phase == "final_answer" else None
                case Think(text):
                    yield "out", self._server.started(builders.reasoning(name, ""))
                    yield "out", self._server.completed(builders.reasoning(name, text))
                case Call(tool):
                    if tool in self._to_ask:
                        yield "out", self._server.status("active", "waitingOnApproval")
                    opened = builders.tool(tool, self._kind(tool), "inProgress")
                    yield "out", self._server.started(opened)
                case other:
                    assert_never(other)

    def _part(self, index: int, partial: str) -> Iterator[Written]:
        name = item_id(self._answers, index + 1)
        yield "out", self._server.started(builders.message(name, "", "final_answer"))
        for piece in pieces(partial):
            yield "out", self._server.delta(name, piece)

    def _retry(self, info: Json) -> Written:
        self._retries += 1
        sentence = f"{RETRY}{self._retries}/5"
        return "out", self._server.error(builders.words(info, sentence), retries=True)

    def _returned(self, tool: str, text: str, outcome: str) -> Written:
        status = {"ok": "completed"}.get(outcome, outcome)
        kind, fields = self._kind(tool), Line()
        if kind == COMMAND:
            fields = {"aggregatedOutput": text, "exitCode": 0 if outcome == "ok" else 1}
        done = builders.tool(tool, kind, status, **fields)
        return "out", self._server.completed(done)

    def _ask(self, tool: str, verdict: str) -> Iterator[Written]:
        request = len(self._asked)
        self._asked[tool] = request
        yield "out", self._server.asks_to_run(request, tool, self._calls[tool].name)
        if verdict == "allow":
            yield "in", commands.allow(request)
        else:
            self._denied.add(tool)
            yield "in", commands.deny(request)
        yield "out", self._server.resolved(request)
        yield "out", self._server.status("active")

    def _end(self) -> Iterator[Written]:
        if self._limited:
            sentence = "Incomplete response returned, reason: max_output_tokens"
            yield from self._fails(builders.words("other", sentence))
        else:
            yield "out", self._server.status("idle")
            yield "out", self._server.ended("completed", named=self._named)

    def _fails(self, error: Line) -> Iterator[Written]:
        yield "out", self._server.error(error, retries=False)
        yield "out", self._server.status("systemError")
        yield "out", self._server.ended("failed", error=error)

    def _kind(self, tool: str) -> str:
        name = self._calls[tool].name
        return name if name in ITEMS else COMMAND
