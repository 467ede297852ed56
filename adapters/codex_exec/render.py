"""Abstract steps as the lines that one ``codex exec --json`` prints.

An approval cannot be said: it is refused inside the agent, and no item tells of it. A cancel is a
signal to the process, which then prints nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, assert_never

from turnreel.adapters.codex_items import EXEC_ITEMS, flagged
from turnreel.adapters.openai_responses.render import item_id
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

from .builders import Line, Printer

Side = Literal["in", "out", "signal"]
Written = tuple[Side, Line]

COMMAND = "command_execution"
"""The item of a tool whose name is no item type of the stream."""

CAUSES = {429: "exceeded retry limit, last status: 429 Too Many Requests"}
"""How the runtime says that a status made it ask again; of others it says that the stream broke."""

REFUSALS = {
    400: '{"error": {"type": "invalid_request_error"}}',
    429: "exceeded retry limit, last status: 429 Too Many Requests",
}
"""What the runtime says of a status that it does not retry."""

DISCONNECTED = "stream disconnected before completion: scripted"


def lines(script: Script) -> list[Written]:
    """The lines of a scripted turn; the prompt is on the command line."""
    return list(_Turn(script).lines())


class _Turn:
    """One rendering of one script: what must be counted on the way."""

    def __init__(self, script: Script) -> None:
        self._script = named(script, flagged(EXEC_ITEMS))
        self._calls = calls(self._script)
        self._printer = Printer()
        self._answers = 0
        self._retries = 0
        self._limited = False

    def lines(self) -> Iterator[Written]:
        yield "out", self._printer.thread()
        yield "out", self._printer.begun()
        for step in self._script:
            if isinstance(step, Interrupt):
                yield "signal", {"name": "SIGINT"}
            for line in self._step(step):
                yield "out", line

    def _step(self, step: Step) -> Iterator[Line]:
        match step:
            case Answer(blocks, stop):
                self._answers += 1
                yield from self._blocks(blocks)
                self._limited = stop == "max_tokens"
            case Break(_, blocks):
                self._answers += 1
                yield from self._blocks(blocks)
                yield self._retry(DISCONNECTED)
            case Reject(status):
                yield self._retry(CAUSES.get(status, DISCONNECTED))
            case Return(tool, text, outcome):
                word = "completed" if outcome == "ok" else outcome
                kind = self._kind(tool)
                fields: Line = {"status": word}
                if kind == COMMAND:
                    code = 0 if outcome == "ok" else 1
                    fields |= {"aggregated_output": text, "exit_code": code}
                yield self._printer.completed(tool, kind, **fields)
            case Fail(status):
                yield from self._fails(REFUSALS[status])
            case Ask():
                raise Unsayable("exec asks nobody: approvals are refused inside the agent")
            case Interrupt() | Resume():
                pass
            case End():
                yield from self._end()
            case other:
                assert_never(other)

    def _blocks(self, blocks: tuple[Block, ...]) -> Iterator[Line]:
        for index, block in enumerate(blocks):
            name = item_id(self._answers, index + 1)
            match block:
                case Say(text):
                    yield self._printer.said(name, text)
                case Think(text):
                    yield self._printer.thought(name, text)
                case Call(tool):
                    yield self._printer.started(tool, self._kind(tool), status="in_progress")
                case other:
                    assert_never(other)

    def _retry(self, cause: str) -> Line:
        self._retries += 1
        return self._printer.retry(self._retries, cause)

    def _end(self) -> Iterator[Line]:
        if self._limited:
            sentence = "Incomplete response returned, reason: max_output_tokens"
            yield from self._fails(sentence)
        else:
            yield self._printer.ended()

    def _fails(self, sentence: str) -> Iterator[Line]:
        yield self._printer.error(sentence)
        yield self._printer.failed(sentence)

    def _kind(self, tool: str) -> str:
        name = self._calls[tool].name
        return name if name in EXEC_ITEMS else COMMAND
