"""What scripted providers say, and a server on loopback that says it."""

from __future__ import annotations

import contextlib
import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "claude-sonnet-4-5"
KEY = "sk-ant-api03-" + "cAnArY0123" * 9
PATH = "/v1/messages"


def message(text: str, number: int = 1) -> dict[str, Any]:
    """A whole message."""
    return {
        "id": f"msg_canary{number:04}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 5},
    }


def events(text: str, number: int = 1) -> list[dict[str, Any]]:
    """The same message, streamed word by word."""
    whole = message(text, number)
    start = {**whole, "content": [], "stop_reason": None}
    words = [word if place == 0 else f" {word}" for place, word in enumerate(text.split(" "))]
    return [
        {"type": "message_start", "message": start},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        },
        *(
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "text_delta", "text": word},
            }
            for word in words
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    ]


def sse(text: str, number: int = 1) -> bytes:
    """The same stream, on the wire."""
    return b"".join(
        b"event: %s\ndata: %s\n\n"
        % (event["type"].encode(), json.dumps(event, separators=(",", ":")).encode())
        for event in events(text, number)
    )


def asked(*texts: str, stream: bool = False) -> dict[str, Any]:
    """A request's body: a conversation whose turns alternate."""
    roles = ("user", "assistant")
    turns = [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]
    body: dict[str, Any] = {"model": MODEL, "max_tokens": 64, "messages": turns}
    return {**body, "stream": True} if stream else body


class _Provider(BaseHTTPRequestHandler):
    """Answers with the last thing it was told, streamed if asked to; "limit" is one too many."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = str(body["messages"][-1]["content"])
        number = len(body["messages"])
        if said == "limit":
            error = {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow."}}
            self._answer(429, "application/json", json.dumps(error).encode())
        elif body.get("stream"):
            self._answer(200, "text/event-stream", sse(f"You said {said}", number))
        else:
            whole = json.dumps(message(f"You said {said}", number)).encode()
            self._answer(200, "application/json", gzip.compress(whole), "gzip")

    def do_GET(self) -> None:
        self._answer(200, "application/json", b'{"city":"Berlin"}')

    def _answer(self, status: int, media_type: str, body: bytes, encoding: str = "") -> None:
        self.send_response(status)
        self.send_header("content-type", media_type)
        self.send_header("content-length", str(len(body)))
        self.send_header("set-cookie", "session=canary; Path=/")
        if encoding:
            self.send_header("content-encoding", encoding)
        if status == 429:
            self.send_header("retry-after", "1")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextlib.contextmanager
def provider() -> Iterator[str]:
    """The base URL of a scripted provider on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
