"""Whole native chunks of Hermes' chat completions, for scripts, faults and tests."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.bodies import Event
from turnreel.adapters.openai_chat.frames import DONE
from turnreel.wire.units import Json

ID: Final = "chatcmpl-" + "0" * 27 + "1"
PROGRESS: Final = "hermes.tool.progress"


def opening() -> Event:
    """The answer begins."""
    return _chunk({"role": "assistant"}, None)


def delta(text: str) -> Event:
    """A piece of text."""
    return _chunk({"content": text}, None)


def tool_started(tool: str, name: str) -> Event:
    """A tool starts."""
    told: dict[str, Json] = {"tool": name, "emoji": "*", "label": name, "toolCallId": tool}
    return Event({**told, "status": "running"}, PROGRESS)


def tool_completed(tool: str, name: str) -> Event:
    """A tool returned, somehow."""
    return Event({"tool": name, "toolCallId": tool, "status": "completed"}, PROGRESS)


def finished() -> Event:
    """The turn succeeded."""
    return _chunk({}, "stop")


def failed(error: str, reason: str = "error", code: str = "agent_error") -> Event:
    """The turn failed, or its answer was cut."""
    flags: dict[str, Json] = {"completed": False, "partial": reason == "length"}
    told: dict[str, Json] = {**flags, "failed": True, "error": error, "error_code": code}
    shell: dict[str, Json] = {"error": {"message": error, "type": "agent_error"}, "hermes": told}
    return _chunk({}, reason, shell)


def done() -> Event:
    """Nothing follows."""
    return Event(DONE)


def _chunk(
    delta: dict[str, Json], reason: str | None, fields: dict[str, Json] | None = None
) -> Event:
    choice: dict[str, Json] = {"index": 0, "delta": delta, "finish_reason": reason}
    shell: dict[str, Json] = {
        "id": ID,
        "object": "chat.completion.chunk",
        "created": 946684800,
        "model": "hermes-agent",
        "choices": [choice],
    }
    return Event({**shell, **(fields or {})})
