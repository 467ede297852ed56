"""Recorded, served, asked again and recorded again: the same records, in the same reads, and never
earlier. Lateness is the machine's and decides nothing; it is reported.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession, WSMsgType, web

from tests.cli.command import Turnreel
from tests.cli.recordings import CHUNKED, GAP_S, JSON, Answer, cut, record, recorded, stream, whole
from tests.cli.round_trip import came, early, joined, late_ms, reads, replayed, told, track
from tests.recorder.scripted_server import serving as serving_app
from tests.replayer.streams import PATHS, PROVIDERS, exchange
from turnreel.adapters import registry
from turnreel.replayer.leaving import Leaving
from turnreel.wire.encode import encode

LIBRARY: Final = Path(__file__).parents[2] / "cassettes" / "library"

Report = Callable[[str, object], None]


def again(
    turnreel: Turnreel, first: Path, target: Path, pacing: str = "recorded", status: int = 0
) -> Path:
    """`first` served, asked again and recorded again; `status` is what the client makes of it."""
    words = ("--record", target, "--keep-text", "--pacing", pacing)
    with replayed(first, pacing) as url:
        answer = turnreel("client", first, "--to", url, *words)
    assert answer.status == status, answer.out + answer.err
    return target


def same(first: Path, second: Path, report: Report) -> None:
    """The proof: the same records, and never earlier."""
    assert track(second) == track(first)
    assert list(early(first, second)) == [], "never early"
    report("late_ms", late_ms(first, second))


def body_of(dialect: str) -> bytes:
    """A stream with a comment in front and text of several bytes a character."""
    return b": hello\n\n" + b"".join(event.data for event in exchange(dialect).events)


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_streams_in_the_reads_and_at_the_pace_they_came(
    turnreel: Turnreel,
    tmp_path: Path,
    record_property: Report,
    dialect: str,
) -> None:
    """Whole, cut inside an event, and left by the client; events torn over reads and several in
    one.
    """
    body = body_of(dialect)
    half = len(body) // 2
    answers = [
        stream(body, 7, 300, 61, 900),
        stream(body[:half], 100, 41, end="cut"),
        stream(body[:half], 350, end="left", leaving=Leaving(half, 60_000)),
        stream(body, 10_000),
    ]
    first = recorded(tmp_path / "first.cassette.jsonl", dialect, answers)
    second = again(turnreel, first, tmp_path / "second.cassette.jsonl")
    same(first, second, record_property)
    cuts = [record.data["by"] for record in told(second) if record.code == "cut"]  # type: ignore[index,call-overload]
    assert cuts == ["upstream", "client"]
    before, after = reads(told(first)), reads(told(second))
    assert {n: joined(after[n], before[n]) for n in before} == before


def test_the_pace_of_the_replay_changes_neither_records_nor_reads(
    turnreel: Turnreel, tmp_path: Path
) -> None:
    dialect = "anthropic-messages"
    first = recorded(tmp_path / "1.cassette.jsonl", dialect, [stream(body_of(dialect), 13, 500)])
    second = again(turnreel, first, tmp_path / "2.cassette.jsonl", "max")
    assert track(second) == track(first)
    assert joined(reads(told(second))[1], reads(told(first))[1]) == reads(told(first))[1]


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_answers_and_errors_in_json(
    turnreel: Turnreel, tmp_path: Path, record_property: Report, dialect: str
) -> None:
    """In one read and in several, with a length and in chunks; how a body with a length is read is
    no one's to say, so only what it adds up to is.
    """
    spoken = registry.provider(dialect)
    unit = spoken.whole(event.unit for event in exchange(dialect).events)
    assert unit is not None
    message = encode(unit)
    chunks = cut(message, 110)
    answers = [
        whole("429 Too Many", encode(spoken.error(429, "slow")), 999, head=(b"retry-after: 1",)),
        whole("529 Overloaded", encode(spoken.error(529, "busy")), 30),
        whole("400 Bad Request", encode(spoken.error(400, "no")), 20),
        Answer("500 Internal Server Error", (JSON, CHUNKED), cut(b"upstream is gone", 5)),
        whole("200 OK", message, 140),
        Answer("200 OK", (JSON, CHUNKED), chunks),
        Answer("200 OK", (JSON, CHUNKED), chunks[:2], "cut"),
        Answer("204 No Content", (), ()),
    ]
    first = recorded(tmp_path / "first.cassette.jsonl", dialect, answers)
    second = again(turnreel, first, tmp_path / "second.cassette.jsonl")
    same(first, second, record_property)
    before, after = reads(told(first)), reads(told(second))
    assert {n: ends[-1] for n, ends in after.items()} == {n: ends[-1] for n, ends in before.items()}


def chunks_of(url: str, path: str) -> list[int]:
    """The sizes of the chunks of an answer, read from the socket itself."""
    target = urlsplit(url)
    with socket.create_connection((str(target.hostname), int(target.port or 0)), 30) as sock:
        head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nx-turnreel-exchange: 1\r\n"
        sock.sendall(f"{head}connection: close\r\n\r\n{{}}".encode())
        raw = b"".join(iter(lambda: sock.recv(1 << 16), b""))
    wire = raw.partition(b"\r\n\r\n")[2]
    sizes: list[int] = []
    while wire:
        size, _, wire = wire.partition(b"\r\n")
        sizes.append(int(size, 16))
        wire = wire[sizes[-1] + 2 :]
    return sizes


@pytest.mark.parametrize("pacing", ["recorded", "max"])
def test_each_recorded_read_is_a_chunk_on_the_wire(tmp_path: Path, pacing: str) -> None:
    body = body_of("anthropic-messages")
    pieces = cut(body, 7, 300, 61)
    answer = stream(body, 7, 300, 61)
    first = recorded(tmp_path / "first.cassette.jsonl", "anthropic-messages", [answer])
    ends = reads(told(first))[1]
    sizes = [end - begin for begin, end in zip([0, *ends], ends, strict=False)]
    assert joined(ends, [sum(map(len, pieces[: n + 1])) for n in range(len(pieces))]) == [
        sum(map(len, pieces[: n + 1])) for n in range(len(pieces))
    ]
    with replayed(first, pacing) as url:
        assert chunks_of(url, PATHS["anthropic-messages"]) == [*sizes, 0]


def conversation(end: str) -> web.Application:
    """A Responses WebSocket: two answers, the second ended as `end` says."""
    events = [json.dumps(event.unit.value) for event in exchange("openai-responses").events]  # type: ignore[union-attr]

    async def upgraded(request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        for answer in (events, events if end == "close" else events[: len(events) // 2]):
            await ws.receive()
            for event in answer:
                await asyncio.sleep(GAP_S)
                await ws.send_str(event)
        if end == "close":
            await ws.close(code=1011)
        elif end == "upstream":
            assert request.transport is not None
            request.transport.abort()
        await ws.receive()
        return ws

    app = web.Application()
    app.router.add_get(PATHS["openai-responses"], upgraded)
    return app


@pytest.mark.parametrize("end", ["close", "upstream", "client"])
def test_a_websocket_and_how_it_ended(
    turnreel: Turnreel, tmp_path: Path, record_property: Report, end: str
) -> None:
    expected = len(exchange("openai-responses").events)
    create = {"type": "response.create", "model": "m", "input": []}

    async def talk(base: str) -> None:
        async with (
            ClientSession() as session,
            session.ws_connect(base + PATHS["openai-responses"]) as ws,
        ):
            for count in (expected, expected // 2):
                await ws.send_str(json.dumps(create))
                for _ in range(count):
                    assert (await ws.receive(30)).type is WSMsgType.TEXT
            if end == "client":
                await asyncio.sleep(GAP_S)
                await session.close()
            else:
                while (await ws.receive(30)).type is WSMsgType.TEXT:
                    pass

    first = tmp_path / "first.cassette.jsonl"
    with serving_app(conversation(end)) as url, suppress(ConnectionError):
        record(url, first, "openai-responses", talk)
    last = track(first)[-1]
    assert last[1] == ("close" if end == "close" else "cut"), last
    # Where its server broke off, the library tells its client a close: the record knows better.
    status = 1 if end == "upstream" else 0
    second = again(turnreel, first, tmp_path / "second.cassette.jsonl", status=status)
    same(first, second, record_property)


@pytest.mark.parametrize(
    "name",
    [
        "claude-stream-json/2.1.332/cut-repeated-after-text",
        "claude-stream-json/2.1.332/retried-429-529-500",
        "claude-stream-json/2.1.332/sigint-while-streaming",
        "codex-exec/0.171.0/disc-mid-delta-ok",
        "hermes-runs/0.19.0/approval-declined",
    ],
)
def test_what_agents_really_got(turnreel: Turnreel, tmp_path: Path, name: str) -> None:
    """Imported recordings, whose requests have no features and whose reads are not known."""
    source = LIBRARY / f"{name}.cassette.jsonl"
    target = again(turnreel, source, tmp_path / "came.cassette.jsonl", "max")
    assert came(target) == came(source)
    assert (linted := turnreel("lint", target)).status == 0, linted.err


@pytest.mark.parametrize("name", ["ws-two-requests", "ws-close-mid-then-ok"])
def test_what_codex_really_got_on_a_websocket(
    turnreel: Turnreel, tmp_path: Path, name: str
) -> None:
    """What an imported one's client had said is not known. So what was recorded of it is served
    once more, and then it holds the client's messages as well.
    """
    source = LIBRARY / f"codex-exec/0.171.0/{name}.cassette.jsonl"
    once = again(turnreel, source, tmp_path / "once.cassette.jsonl", "max")
    twice = again(turnreel, once, tmp_path / "twice.cassette.jsonl", "max")
    assert track(once) == track(twice)
    assert {code for _, code, *_ in track(once)} >= {"open", "send", "receive"}
    imported = track(source)
    assert [one for one in track(once) if one[1] != "send" and one in imported] == imported
