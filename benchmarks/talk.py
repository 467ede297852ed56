"""What long sessions are made of: answers in deltas of 4 to 60 characters, tool calls whose
arguments come in pieces, completed messages, results of 6 KB, with a secret or a home in every
tenth answer. That is some 270 bytes a record. No two rounds are alike, and each has ids of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, NamedTuple

from turnreel.adapters.registry import policy
from turnreel.sanitizers import Clean, Raw, Sanitizer
from turnreel.wire import Framer, LineFramer, SseFramer

AGENT: Final = "agent"
PROVIDER: Final = "provider"
POLICIES: Final = {AGENT: policy("claude-stream-json"), PROVIDER: policy("anthropic-messages")}
TALK: Final = """
the total of all rows in `src/report/table_v2.py` was 1,204 and it was checked against the sum in
the header; see https://example.com/docs/tables for the format, or run `make test`.
"""
WORDS: Final = TALK.split()


class Piece(NamedTuple):
    """Bytes of one stream, with nothing cut off at either end."""

    track: str
    code: str
    exchange: int | None
    data: bytes
    text: int = 0
    """How many characters of a streamed text it brings."""


def sealed(pieces: Iterable[Piece], sanitizer: Sanitizer) -> Iterator[list[Clean]]:
    """The pipeline up to the writer: framed and sanitized, and for each unit what may land now."""
    framers: dict[tuple[str, str, int | None], Framer] = {}
    for track, code, exchange, data, _ in pieces:
        key = track, code, exchange
        framer = framers.get(key)
        if framer is None:
            framer = framers[key] = SseFramer() if code == "data" else LineFramer()
        for unit in framer.feed(data):
            yield sanitizer.push(Raw(0, track, code, unit, exchange))


def talk(size: int) -> Iterator[Piece]:
    """About `size` bytes of long session: the provider's stream and what the agent makes of it."""
    random = Random(1)
    secret = "sk-ant-" + "api03-" + "aB3dE5fG7hJ9kL1mN2pQ" * 2
    told = 0
    for number in range(1_000_000):
        words = random.choices(WORDS, k=160)
        if number % 10 == 0:
            words[80] = random.choice([secret, json.dumps(f"-{secret}"), "/home/" + "jane/x"])
        text = " ".join(words)
        for piece in (*answer(number, text, random), *tool(number, text, random)):
            told += len(piece.data)
            yield piece
        if told >= size:
            return


def answer(number: int, text: str, random: Random) -> Iterator[Piece]:
    """A streamed text block on the provider's track, and the agent's completed message."""
    block = {"type": "text", "text": ""}
    yield event(number, {"type": "content_block_start", "index": 0, "content_block": block})
    for part in parts(text, random):
        delta = {"type": "text_delta", "text": part}
        yield event(number, {"type": "content_block_delta", "index": 0, "delta": delta}, len(part))
    yield event(number, {"type": "content_block_stop", "index": 0})
    yield line(number, "assistant", [{"type": "text", "text": text}])


def tool(number: int, text: str, random: Random) -> Iterator[Piece]:
    """A tool call whose arguments are streamed, and its result on the agent's track."""
    call = {"type": "tool_use", "id": f"toolu_01{number:022d}", "name": "Edit", "input": {}}
    yield event(number, {"type": "content_block_start", "index": 1, "content_block": call})
    source = json.dumps({"file_path": "/srv/app/main.py", "new_string": text + "\n"})
    for part in parts(source, random):
        delta = {"type": "input_json_delta", "partial_json": part}
        yield event(number, {"type": "content_block_delta", "index": 1, "delta": delta})
    yield event(number, {"type": "content_block_stop", "index": 1})
    yield line(number, "assistant", [{**call, "input": json.loads(source)}])
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": text * 6}
    yield line(number, "user", [result])


def parts(text: str, random: Random) -> Iterator[str]:
    """`text` in pieces of 4 to 60 characters."""
    at = 0
    while at < len(text):
        length = random.randint(4, 60)
        yield text[at : at + length]
        at += length


def event(number: int, value: dict[str, object], text: int = 0) -> Piece:
    """A server-sent event of exchange `number`, with so many characters of text."""
    data = json.dumps(value, separators=(",", ":"))
    return Piece(
        PROVIDER, "data", number, f"event: {value['type']}\ndata: {data}\n\n".encode(), text
    )


def line(number: int, role: str, content: list[dict[str, object]]) -> Piece:
    """A frame of the agent's stdout."""
    frame = {
        "type": role,
        "message": {"role": role, "content": content},
        "parent_tool_use_id": None,
        "session_id": "3a5b5bb9-9aaf-45b8-98ad-a969bacbb37e",
        "uuid": f"3a5b5bb9-9aaf-45b8-98ad-{number:012x}",
    }
    return Piece(AGENT, "out", None, json.dumps(frame, separators=(",", ":")).encode() + b"\n")
