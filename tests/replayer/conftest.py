"""Recordings for the replayer's tests, made in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.collecting import collected
from turnreel.cassettes import Record
from turnreel.replayer.exchanges import exchanges
from turnreel.replayer.script import agent_script
from turnreel.replayer.tape import ProviderScript, Tape
from turnreel.wire.units import Json

DIALECT = "anthropic-messages"
AGENT_DIALECT = "claude-stream-json"

_collected = pytest.fixture(autouse=True)(collected)


class Recording:
    """Writes records as a recorder would, a millisecond apart unless told."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._now_us = 0

    def note(self, track: str, code: str, data: Json, after_us: int = 1000, **extra: Any) -> None:
        self._now_us += after_us
        number = len(self.records) + 1
        self.records.append(Record(number, self._now_us, track, code, data, extra))

    def request(self, n: int, features: Json = None, **fields: Json) -> None:
        data = {"method": "POST", "path": "/v1/messages?beta=true", "headers": {}, **fields}
        self.note("provider", "request", {**data, "features": features}, n=n)

    def response(self, n: int, status: int = 200, **headers: str) -> None:
        named: dict[str, Json] = {key.replace("_", "-"): value for key, value in headers.items()}
        self.note("provider", "response", {"status": status, "headers": named}, n=n)

    def event(self, n: int, data: dict[str, Json], after_us: int = 1000, **extra: Any) -> None:
        sse = {"event": data["type"]}
        self.note("provider", "data", data, after_us, n=n, sse=sse, **extra)

    def answer(self, n: int, words: Sequence[str] = ("Hällo ", "wörld"), **request: Json) -> None:
        """A whole streamed answer: 6 events and one a word."""
        self.request(n, **request)
        self.response(n, content_type="text/event-stream", request_id=f"req_{n}")
        self.opening(n, words)
        self.event(n, {"type": "content_block_stop", "index": 0})
        usage: Json = {"output_tokens": len(words)}
        delta: Json = {"stop_reason": "end_turn"}
        self.event(n, {"type": "message_delta", "delta": delta, "usage": usage})
        self.event(n, {"type": "message_stop"})
        self.note("provider", "end", {}, n=n)

    def opening(self, n: int, words: Sequence[str]) -> None:
        message: Json = {"id": f"msg_{n}", "type": "message", "role": "assistant", "content": []}
        block: Json = {"type": "text", "text": ""}
        self.event(n, {"type": "message_start", "message": message})
        self.event(n, {"type": "ping"})
        self.event(n, {"type": "content_block_start", "index": 0, "content_block": block})
        for word in words:
            delta: Json = {"type": "text_delta", "text": word}
            self.event(n, {"type": "content_block_delta", "index": 0, "delta": delta})

    def line(self, data: Json, code: str = "out", after_us: int = 1000, **extra: Any) -> None:
        self.note("agent", code, data, after_us, **extra)

    def write(self, path: Path) -> Path:
        """The recording as a cassette file without a seal, as an interrupted recorder leaves it."""
        tracks = [
            {"id": "agent", "carrier": "stdio", "dialect": AGENT_DIALECT},
            {"id": "provider", "carrier": "http", "dialect": DIALECT},
        ]
        header = {
            "turnreel": 1,
            "id": "0123456789abcdef",
            "agent": {"name": "claude", "version": "2.1.332"},
            "tracks": tracks,
            "policies": {},
            "rules": 1,
            "profile": "fixture",
            "origin": {"kind": "generated"},
        }
        lines: list[object] = [header]
        now = 0
        for record in self.records:
            fields = [record.at_us - now, record.track, record.code, record.data, record.extra]
            lines.append(fields)
            now = record.at_us
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        return path

    def tape(self) -> Tape:
        made = exchanges(self.records, "provider", DIALECT)
        return Tape(
            "test.cassette.jsonl",
            "claude",
            "2.1.332",
            (ProviderScript("provider", DIALECT, made),),
            agent_script(self.records, "agent", AGENT_DIALECT),
        )


@pytest.fixture
def recording() -> Recording:
    return Recording()


@pytest.fixture(scope="session")
def new_recording() -> type[Recording]:
    """For laws, which need many."""
    return Recording
