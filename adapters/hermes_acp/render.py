"""Abstract steps as the lines of one turn over ACP, on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from turnreel.adapters.hermes.rendering import Loop, todos
from turnreel.adapters.steps import Beside, Call, Plan, Script, Verdict
from turnreel.wire.units import Json

from . import builders, commands
from .builders import SESSION, Line
from .titles import TITLES

Side = Literal["in", "out"]
Written = tuple[Side, Line]

LOAD: Final = "0"
FOLDER: Final = "/srv/acme"
PROMPT: Final = "1"
_HEADS: Final = {name: head.removesuffix(": ") for head, name in reversed(TITLES.items())}


def lines(script: Script, prompt: str = "Go.") -> list[Written | Beside]:
    """The lines of a scripted turn."""
    return list(_Turn(script, prompt).frames())


class _Turn(Loop[Written]):
    def __init__(self, script: Script, prompt: str) -> None:
        super().__init__(script, prompt)
        self._asks = -1

    def begins(self) -> Iterator[Written]:
        yield "in", commands.message(PROMPT, SESSION, self.prompt)

    def piece(self, text: str) -> Iterator[Written]:
        yield "out", builders.chunk(text)

    def thought(self, text: str) -> Iterator[Written]:
        yield "out", builders.chunk(text, "agent_thought_chunk")

    def called(self, call: Call) -> Iterator[Written]:
        yield "out", builders.tool_started(call.tool, _HEADS.get(call.name, call.name))

    def returned(self, call: Call, result: dict[str, Json], failed: bool) -> Iterator[Written]:
        yield "out", builders.tool_ended(call.tool, "failed" if failed else "completed")

    def asks(self, call: Call) -> Iterator[Written]:
        self._asks += 1
        command = call.arguments.get("command")
        yield "out", builders.asks(self._asks, command if isinstance(command, str) else "")

    def replies(self, call: Call, verdict: Verdict) -> Iterator[Written]:
        chosen = "allow_once" if verdict == "allow" else "deny"
        yield "in", commands.choose(self._asks, chosen)

    def withdraws(self, call: Call) -> Iterator[Written]:
        yield "in", commands.withdraw(self._asks)

    def plans(self, plan: Plan) -> Iterator[Written]:
        yield "out", builders.planned(todos(plan))

    def interrupted(self, partial: str) -> Iterator[Written]:
        yield "in", commands.cancel(SESSION)
        yield "out", builders.ended(PROMPT, "cancelled")

    def resumes(self, answer: str) -> Iterator[Written]:
        yield "in", commands.load(LOAD, SESSION, FOLDER)
        yield "out", builders.chunk("Before.", "user_message_chunk")
        yield "out", builders.chunk(answer)
        yield "out", builders.loaded(LOAD)

    def failed(self, error: str) -> Iterator[Written]:
        yield "out", builders.chunk(error)
        yield "out", builders.ended(PROMPT, counted=False)

    def ends(self) -> Iterator[Written]:
        yield "out", builders.ended(PROMPT)
