"""Hermes' responses to observations.

The stream is one message with function calls in between: what stands before a call is commentary,
what stands after the last one is the answer if the response completes and counted tokens (C8). A
failed turn completes as well, with the error as its text and without any tokens.
"""

from __future__ import annotations

from typing import Final, assert_never

from turnreel.adapters.base import AdapterInfo, Frame
from turnreel.adapters.fields import count, text
from turnreel.adapters.hermes import gateway, literals, results, speech, tools, turns
from turnreel.adapters.hermes.gateway import VERSIONS, Surface
from turnreel.adapters.hermes.turns import Reading
from turnreel.wire.units import Json, JsonUnit

from .claims import CLAIMS
from .frames import Called, Completed, Created, Delta, Event, Failed, Known, Returned, Unknown, read

INFO: Final = AdapterInfo(
    dialect="hermes-responses",
    agent="hermes",
    carrier="http",
    tier="secondary",
    proven=VERSIONS,
    boundary_evidence=("function_call items", "response.completed, response.failed"),
    limits=(
        "which text is the answer is told by its place alone",
        "an answer cut after a tool that worked cannot be told from a whole one",
        "a provider that counts no tokens gives no answers",
        "a call of an unknown tool leaves no event",
        "an approval cannot be given, and there is no stop but hanging up",
    ),
    claims=CLAIMS,
)


class HermesResponses(Surface):
    """The adapter. Its state is a `gateway.State`; it keeps nothing itself."""

    info = INFO

    def identity(self, frame: Frame) -> str | None:
        """``sequence_number`` within its exchange (R2)."""
        value = frame.unit.value if isinstance(frame.unit, JsonUnit) else None
        number = count(value, "sequence_number")
        return None if number is None else f"{frame.exchange or 0} {number}"

    def starts(self, method: str, path: str) -> bool:
        """A request for a response."""
        return method == "POST" and path.partition("?")[0].endswith("/v1/responses")

    def opens(self, frame: Frame, value: Json) -> bool:
        """``response.created`` begins a turn."""
        return text(value, "type") == "response.created"

    def read(self, now: Reading, unit: JsonUnit) -> None:
        """What an event shows, or a response that was not streamed."""
        turns.awake(now)
        for event in read(unit.value):
            self._heard(now, event)

    def _heard(self, now: Reading, event: Event) -> None:
        match event:
            case Delta(piece):
                speech.heard(now, piece)
            case Called(tool, name):
                tools.called(now, name, tool or None)
            case Returned(tool, result):
                tools.returned_as(now, tool, results.outcome(result))
            case Completed(tokens, told):
                _completed(now, tokens, told)
            case Failed(said):
                turns.fail(now, literals.code_in(said))
            case Created() | Known():
                pass
            case Unknown(what):
                gateway.unknown(now, what)
            case other:
                assert_never(other)


ADAPTER: Final = HermesResponses()


def _completed(now: Reading, tokens: int, told: str) -> None:
    if tokens > 0 and now.turn.text.strip():
        speech.finish(now, confidence="positional")
    elif tokens > 0:  # what is told then is what the model had said before its tools
        speech.finish_without(now, "", "positional")
    else:
        turns.fail(now, literals.code_in(told) or "missing_final")
