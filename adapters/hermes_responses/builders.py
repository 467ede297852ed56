"""Whole native events of Hermes' responses, for scripts, faults and tests."""

from __future__ import annotations

from typing import Final

import msgspec

from turnreel.adapters.bodies import Event
from turnreel.wire.units import Json

RESPONSE: Final = "resp_" + "0" * 27 + "1"
MESSAGE: Final = "msg_" + "0" * 23 + "1"


class Stream:
    """Builds the events of one response, numbered from 0."""

    def __init__(self) -> None:
        self._number = self._items = -1
        self._text = ""

    def created(self) -> Event:
        """The agent is at work."""
        return self._event("response.created", response=self._response("in_progress"))

    def opened(self) -> Event:
        """The one message of the turn begins."""
        item: dict[str, Json] = {"id": MESSAGE, "type": "message", "status": "in_progress"}
        return self._added({**item, "role": "assistant", "content": []})

    def delta(self, text: str) -> Event:
        """A piece of text."""
        self._text += text
        return self._text_event("response.output_text.delta", delta=text)

    def called(self, tool: str, name: str) -> Event:
        """A tool starts."""
        item: dict[str, Json] = {"id": f"fc_{tool}", "type": "function_call", "call_id": tool}
        return self._added({**item, "name": name, "arguments": "{}", "status": "in_progress"})

    def returned(self, tool: str, result: dict[str, Json]) -> Event:
        """A tool returned."""
        part: Json = {"type": "input_text", "text": msgspec.json.encode(result).decode()}
        item: dict[str, Json] = {"id": f"fco_{tool}", "type": "function_call_output"}
        return self._added({**item, "call_id": tool, "output": [part], "status": "completed"})

    def text_done(self) -> Event:
        """All text of the turn, commentary and answer joined."""
        return self._text_event("response.output_text.done", text=self._text)

    def completed(self, tokens: int = 2, told: str | None = None) -> Event:
        """The response is over; `told` stands where the text does, if it differs."""
        text = self._text if told is None else told
        part: Json = {"type": "output_text", "text": text}
        item: Json = {"type": "message", "role": "assistant", "content": [part]}
        usage: dict[str, Json] = {"input_tokens": tokens, "output_tokens": 0}
        shell = {**self._response("completed"), "output": [item]}
        shell["usage"] = {**usage, "total_tokens": tokens}
        return self._event("response.completed", response=shell)

    def failed(self, error: str) -> Event:
        """The response failed."""
        shell = self._response("failed")
        shell["error"] = {"message": error, "type": "server_error"}
        return self._event("response.failed", response=shell)

    def _response(self, status: str) -> dict[str, Json]:
        shell: dict[str, Json] = {"id": RESPONSE, "object": "response", "status": status}
        return {**shell, "created_at": 946684800, "model": "hermes-agent", "output": []}

    def _added(self, item: dict[str, Json]) -> Event:
        self._items += 1
        return self._event("response.output_item.added", output_index=self._items, item=item)

    def _text_event(self, event: str, **fields: Json) -> Event:
        where: dict[str, Json] = {"item_id": MESSAGE, "output_index": 0, "content_index": 0}
        return self._event(event, **where, **fields, logprobs=[])

    def _event(self, event: str, **fields: Json) -> Event:
        self._number += 1
        return Event({"type": event, **fields, "sequence_number": self._number}, event)
