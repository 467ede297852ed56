"""Whole native events of the session stream, for scripts, faults and tests."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.bodies import Event
from turnreel.wire.units import Json

SESSION: Final = "session_0001"
RUN: Final = "run_" + "0" * 31 + "1"
MESSAGE: Final = "msg_" + "0" * 31 + "1"


class Stream:
    """Builds the events of one turn, numbered in the order they are sent."""

    def __init__(self, run: str = RUN) -> None:
        self.run = run
        self._seq = 0

    def started(self, prompt: str = "Go.") -> Event:
        """The agent is at work."""
        return self._event("run.started", user_message={"role": "user", "content": prompt})

    def opened(self) -> Event:
        """The one message of the turn begins."""
        return self._event("message.started", message={"id": MESSAGE, "role": "assistant"})

    def delta(self, text: str) -> Event:
        """A piece of text."""
        return self._event("assistant.delta", message_id=MESSAGE, delta=text)

    def echo(self, text: str) -> Event:
        """A model call ended; it said `text`."""
        return self._tool("tool.progress", "_thinking", delta=text)

    def tool_started(self, name: str) -> Event:
        """A tool starts."""
        return self._tool("tool.started", name, preview=None, args={})

    def tool_completed(self, name: str) -> Event:
        """A tool returned, somehow."""
        return self._tool("tool.completed", name, preview=None, args=None)

    def answered(self, content: str) -> Event:
        """The answer, or an error's text where one would be."""
        flags: dict[str, Json] = {"completed": True, "partial": False, "interrupted": False}
        return self._event("assistant.completed", message_id=MESSAGE, content=content, **flags)

    def completed(self, messages: list[Json]) -> Event:
        """The turn is over; `messages` are the rows it left."""
        usage: dict[str, Json] = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        return self._event(
            "run.completed", message_id=MESSAGE, completed=True, messages=messages, usage=usage
        )

    def error(self, message: str) -> Event:
        """The turn raised."""
        return self._event("error", message=message)

    def done(self) -> Event:
        """Nothing follows."""
        return self._event("done")

    def _tool(self, event: str, name: str, **fields: Json) -> Event:
        return self._event(event, message_id=MESSAGE, tool_name=name, **fields)

    def _event(self, event: str, **fields: Json) -> Event:
        self._seq += 1
        head: dict[str, Json] = {"session_id": SESSION, "run_id": self.run, "seq": self._seq}
        return Event({**fields, **head, "ts": 946684800.0 + self._seq / 100}, event)


def said(content: str, reason: str = "stop", tools: list[Json] | None = None) -> dict[str, Json]:
    """An assistant's row."""
    row: dict[str, Json] = {"role": "assistant", "content": content, "finish_reason": reason}
    return row if tools is None else {**row, "tool_calls": tools}


def returned(name: str, content: str) -> dict[str, Json]:
    """A tool's row."""
    return {"role": "tool", "content": content, "tool_call_id": "call_1", "tool_name": name}
