"""Hermes' chat completions to observations.

The stream is one text with tools in between: what stands before a tool is commentary, what stands
after the last one is the answer if the finish reason is ``stop`` (C8). The finish reason is honest.
"""

from __future__ import annotations

from typing import Final, assert_never

from turnreel.adapters.base import AdapterInfo, Frame
from turnreel.adapters.fields import text
from turnreel.adapters.hermes import gateway, literals, speech, tools, turns
from turnreel.adapters.hermes.gateway import VERSIONS, Surface
from turnreel.adapters.hermes.turns import Reading
from turnreel.lifecycle.events import Code
from turnreel.wire.units import Json, JsonUnit

from .claims import CLAIMS
from .frames import WHOLE, Delta, Finished, Refused, Role, ToolMoves, Unknown, Whole, read

INFO: Final = AdapterInfo(
    dialect="hermes-chat",
    agent="hermes",
    carrier="http",
    tier="secondary",
    proven=VERSIONS,
    boundary_evidence=("hermes.tool.progress", "finish_reason"),
    limits=(
        "which text is the answer is told by its place alone",
        "how a tool ended is not told",
        "a call of an unknown tool leaves no event",
        "a text delta delivered twice is told twice: chunks have no identity",
        "an approval cannot be given, and there is no stop but hanging up",
    ),
    reports_tool_errors=False,
    repeats_text=True,
    claims=CLAIMS,
)

CODES: Final[dict[str, Code]] = {"output_truncated": "output_truncated"}
"""``hermes.error_code``; any other names no cause."""


class HermesChat(Surface):
    """The adapter. Its state is a `gateway.State`; it keeps nothing itself."""

    info = INFO

    def identity(self, frame: Frame) -> str | None:
        """None: chunks of one answer all have its id (R2)."""
        return None

    def starts(self, method: str, path: str) -> bool:
        """A conversation to be continued."""
        return method == "POST" and path.partition("?")[0].endswith("/chat/completions")

    def opens(self, frame: Frame, value: Json) -> bool:
        """The first chunk begins a turn, and so does an answer that is not streamed."""
        return text(value, "object") == WHOLE or isinstance(read(value), Role)

    def read(self, now: Reading, unit: JsonUnit) -> None:
        """What a chunk shows."""
        match read(unit.value):
            case Role():
                turns.awake(now)
            case Delta(piece):
                speech.heard(now, piece)
            case ToolMoves(tool, name, starts=True):
                tools.called(now, name, tool or None)
            case ToolMoves(tool):
                tools.returned_as(now, tool, "unknown")
            case Whole(said, finished):
                speech.heard(now, said)
                _finished(now, finished)
            case Finished() as finished:
                turns.awake(now)
                _finished(now, finished)
            case Refused():
                gateway.unknown(now, "error")
            case Unknown(what):
                gateway.unknown(now, what)
            case other:
                assert_never(other)


ADAPTER: Final = HermesChat()


def _finished(now: Reading, finished: Finished) -> None:
    match finished.reason:
        case "stop":
            speech.finish(now, confidence="positional")
        case "length":
            turns.fail(now, CODES.get(finished.code, "output_truncated"))
        case _:
            turns.fail(now, CODES.get(finished.code) or literals.code_in(finished.error))
