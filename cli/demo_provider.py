"""The demo's provider: a Messages API on loopback that tells one story, whoever asks."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, cast

from turnreel.adapters.anthropic_messages import builders
from turnreel.adapters.anthropic_messages.builders import Event
from turnreel.adapters.anthropic_messages.render import answer
from turnreel.adapters.steps import Answer, Call, Say, Think, message_id
from turnreel.wire.units import Json

PROMPT: Final = "What is the total of report.csv?"
REPORT: Final = "region,total\nnorth,40\nsouth,36\n"
EVENT_SECONDS: Final = 0.01


def story(report: Path) -> tuple[Answer, ...]:
    """The model's two answers: it says what it does and reads the file, then it answers."""
    table = "| region | total |\n|---|---:|\n| north | 40 |\n| south | 36 |"
    reading = Call("toolu_demo_0001", "Read", {"file_path": str(report)})
    said = Say("I'll read the report first, then add up the regions.")
    return (
        Answer((Think("Two regions, one sum."), said, reading), "tool_use"),
        Answer((Say(f"The total is **76**.\n\n{table}"),)),
    )


@contextmanager
def provider(answers: tuple[Answer, ...]) -> Iterator[str]:
    """Serve `answers` while inside; the value is the base URL. How far the conversation is says
    which answer is due, so that a repeated request gets the same one.
    """
    server = _Server(answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answers: tuple[Answer, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = answers

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves is part of the story."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """A message, streamed or whole; token counts for clients that ask."""
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(raw or b"{}")
        if not self.path.startswith("/v1/messages"):
            self._json(404, builders.error_body(404))
        elif "count_tokens" in self.path:
            self._json(200, {"input_tokens": 42})
        else:
            self._message(body)

    def do_GET(self) -> None:
        """Nothing else is here."""
        self._json(404, builders.error_body(404))

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """The demo prints what matters itself."""

    def _message(self, body: dict[str, Json]) -> None:
        answers = cast(_Server, self.server).answers
        said = body.get("messages")
        turns = said if isinstance(said, list) else []
        place = sum(isinstance(turn, dict) and turn.get("role") == "assistant" for turn in turns)
        place = min(place, len(answers) - 1)
        due, name = answers[place], message_id(place + 1)
        if body.get("stream") is not True:
            self._json(200, builders.whole_message(name, due.blocks, due.stop))
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in answer(name, due.blocks, due.stop):
            self._chunk(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            time.sleep(EVENT_SECONDS)
        self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _json(self, status: int, value: Event) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
