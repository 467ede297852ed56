"""The demo's agent: a program that behaves like Claude Code and is made of its builders.

    python -m turnreel.cli.demo_agent PROMPT

It asks the provider at ``ANTHROPIC_BASE_URL``, runs the tool the model calls, asks again after an
error or a lost connection, and gives up the turn on SIGINT; what it prints is stream-json.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any, Final

from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.claude_stream_json.builders import Line, Printer
from turnreel.adapters.steps import Block, Call, Say, Think
from turnreel.wire.sse import SseFramer
from turnreel.wire.units import JsonUnit

from .demo_provider import REPORT

MOST_ATTEMPTS: Final = 4
LONGEST_WAIT: Final = 1.0


class _Rejected(Exception):
    """The provider answered with an error status."""

    def __init__(self, status: int, wait: float) -> None:
        super().__init__(status)
        self.status = status
        self.wait = wait


class _Lost(Exception):
    """The connection ended before the message did."""


class _Message:
    """One message as far as it has come."""

    def __init__(self) -> None:
        self.id = ""
        self.blocks: list[Block] = []
        self.open: dict[str, Any] | None = None
        self.text = ""

    def take(self, event: Line) -> Block | None:
        """Take one of the provider's events in; the block that it completes, if one."""
        value: Any = event
        match value["type"]:
            case "message_start":
                self.id = value["message"]["id"]
            case "content_block_start":
                self.open, self.text = value["content_block"], ""
            case "content_block_delta":
                delta = value["delta"]
                self.text += (
                    delta.get("text") or delta.get("thinking") or delta.get("partial_json") or ""
                )
            case "content_block_stop" if self.open is not None:
                block = self._block(self.open)
                self.blocks.append(block)
                self.open = None
                return block
        return None

    def _block(self, opened: dict[str, Any]) -> Block:
        match opened["type"]:
            case "tool_use":
                return Call(opened["id"], opened["name"], json.loads(self.text or "{}"))
            case "thinking":
                return Think(self.text)
            case _:
                return Say(self.text)


class Agent:
    """One session with one turn."""

    def __init__(self, base_url: str) -> None:
        self._url = f"{base_url.rstrip('/')}/v1/messages"
        self._printer = Printer(str(uuid.uuid4()))
        self._message = _Message()

    def turn(self, prompt: str) -> int:
        """Run the turn of `prompt`; the exit code."""
        _print(self._printer.init())
        try:
            return self._converse([{"role": "user", "content": prompt}])
        except KeyboardInterrupt:
            self._interrupted()
            return 0

    def _converse(self, history: list[Line]) -> int:
        while True:
            blocks = self._answer(history)
            if blocks is None:
                _print(self._printer.failure("unknown", None))
                _print(self._printer.error("error_during_execution", terminal_reason="api_error"))
                return 1
            calls = [block for block in blocks if isinstance(block, Call)]
            if not calls:
                said = [block.text for block in blocks if isinstance(block, Say)]
                _print(self._printer.result(said[-1] if said else ""))
                return 0
            content: list[Any] = [provider.whole_block(block) for block in blocks]
            history.append({"role": "assistant", "content": content})
            history.append({"role": "user", "content": [self._run(call) for call in calls]})

    def _run(self, call: Call) -> Line:
        """Run a tool. Whatever file is named, the report is read: a replayed call names a
        placeholder, because no argument of a tool ever lands in a cassette (S4).
        """
        _print(self._printer.returned(call.tool, REPORT))
        return {"type": "tool_result", "tool_use_id": call.tool, "content": REPORT}

    def _answer(self, history: list[Line]) -> list[Block] | None:
        """The model's next message, asked for again while it does not come; None in the end."""
        for attempt in itertools.count(1):
            self._message = _Message()
            try:
                return self._stream(history)
            except _Rejected as rejected:
                status, wait = rejected.status, rejected.wait
            except _Lost:
                status, wait = 0, 0.1
                if self._message.id:
                    done = len(self._message.blocks)
                    _print(self._printer.stop_abandoned(self._message.id, done))
            if attempt == MOST_ATTEMPTS:
                return None
            _print(self._printer.retry(attempt, status or None))
            time.sleep(min(wait, LONGEST_WAIT))
        raise AssertionError("itertools.count does not end")

    def _stream(self, history: list[Line]) -> list[Block]:
        whole = False
        for event in self._events(history):  # to its very end, or it would count as given up
            block = self._message.take(event)
            if block is not None:
                _print(self._printer.block(self._message.id, block))
            _print(self._printer.event(self._message.id, event))
            whole = event["type"] == "message_stop"
        if not whole:
            raise _Lost
        return self._message.blocks

    def _events(self, history: list[Line]) -> Iterator[Line]:
        body = {"model": provider.MODEL, "max_tokens": 1024, "stream": True, "messages": history}
        headers = {
            "content-type": "application/json",
            "x-api-key": os.environ.get("ANTHROPIC_API_KEY", "none"),
            "anthropic-version": "2023-06-01",
        }
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers)
        framer = SseFramer()
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                while data := response.read1(65_536):
                    for unit in framer.feed(data):
                        if isinstance(unit, JsonUnit) and isinstance(unit.value, dict):
                            yield unit.value
        except urllib.error.HTTPError as error:
            raise _Rejected(error.code, float(error.headers.get("retry-after") or 0)) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _Lost from error

    def _interrupted(self) -> None:
        """What Claude Code prints when its host cancels in the middle of a message."""
        message = self._message
        if message.id:
            if message.open is not None and message.open["type"] == "text" and message.text:
                _print(self._printer.aborted(message.id, Say(message.text)))
            _print(self._printer.event(message.id, provider.message_delta(None)))
            _print(self._printer.stop_abandoned(message.id, len(message.blocks)))
        _print(self._printer.error("error_during_execution", terminal_reason="aborted_streaming"))


def _print(line: Line) -> None:
    print(json.dumps(line, ensure_ascii=False, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    sys.exit(Agent(os.environ["ANTHROPIC_BASE_URL"]).turn(sys.argv[-1]))
