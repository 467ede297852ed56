"""The replay client against servers that answer in every way a server can."""

from __future__ import annotations

import asyncio
import socket
import struct
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnreel.replayer.client import Fetched, ReplayClient, fetch
from turnreel.replayer.emitter import flushed
from turnreel.replayer.errors import ServeError
from turnreel.replayer.faults import WORDS
from turnreel.replayer.leaving import Leaving
from turnreel.replayer.plan import make_plan
from turnreel.replayer.script import Event, Exchange, Finished, Response
from turnreel.wire.encode import encode
from turnreel.wire.sse import SseFramer

HEAD = b"HTTP/1.1 200 OK\r\nX-Kind: one\r\n"


def fetched(*pieces: bytes, reset: str = "", leaving: Leaving | None = None) -> Fetched:
    """What the client makes of a connection that carries these pieces, each a segment."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        if reset:
            assert await flushed(writer.transport, 5) == 0  # type: ignore[arg-type]
            sock: socket.socket = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        else:
            writer.close()

    async def run() -> Fetched:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            return await fetch(f"http://127.0.0.1:{port}", leaving=leaving)

    return asyncio.run(run())


CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"
BODY = "data: Grüße\n\ndata: 2\n\n".encode()
WIRE = b"7\r\n" + BODY[:7] + b"\r\n" + b"%x\r\n" % (len(BODY) - 7) + BODY[7:] + b"\r\n"
END = b"0\r\n\r\n"


@settings(max_examples=40)
@given(st.lists(st.integers(1, len(CHUNKED + WIRE + END) - 1), max_size=6))
def test_a_chunked_answer_however_it_is_cut_into_segments(places: list[int]) -> None:
    raw = CHUNKED + WIRE + END
    cuts = sorted({0, *places, len(raw)})
    pieces = [raw[a:b] for a, b in pairwise(cuts)]
    got = fetched(*pieces)
    assert (got.status, got.body, got.ended, got.events) == (200, BODY, "complete", 2)
    assert got.headers["x-kind"] == "one"


@pytest.mark.parametrize(
    ("raw", "body", "ended"),
    [
        (CHUNKED + WIRE, BODY, "short"),
        (CHUNKED + WIRE[:8], BODY[:5], "short"),
        (CHUNKED, b"", "short"),
        (HEAD + b"content-length: 4\r\n\r\nabcd", b"abcd", "complete"),
        (HEAD + b"content-length: 4\r\n\r\nabc", b"abc", "short"),
        (HEAD + b"content-length: 0\r\n\r\n", b"", "complete"),
        (HEAD + b"\r\nabc", b"abc", "complete"),
        (HEAD[:20], b"", "short"),
        (b"", b"", "short"),
    ],
)
def test_ends(raw: bytes, body: bytes, ended: str) -> None:
    got = fetched(raw)
    assert (got.body, got.ended) == (body, ended)


def test_a_reset_is_told_from_a_fin_and_costs_no_byte() -> None:
    got = fetched(CHUNKED + WIRE, reset="yes")
    assert (got.body, got.ended) == (BODY, "reset")


@pytest.mark.parametrize("at", [0, 1, 7, len(BODY)])
def test_leaving_at_a_byte(at: int) -> None:
    got = fetched(CHUNKED + WIRE + END, leaving=Leaving(at))
    assert (got.body, got.ended) == (BODY[:at], "left")


def test_leaving_later_than_the_end_is_not_leaving() -> None:
    assert fetched(CHUNKED + WIRE + END, leaving=Leaving(999)).ended == "complete"


def test_leaving_before_anything_came_waits_for_nothing() -> None:
    got = fetched(CHUNKED + WIRE + END, leaving=Leaving(None, 20_000))
    assert (got.status, got.body, got.ended) == (0, b"", "left")


@pytest.mark.parametrize("raw", [b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1\r\n\r\n", b"x" * 70_000])
def test_what_is_no_http_is_one_line(raw: bytes) -> None:
    with pytest.raises(ServeError, match="is that an HTTP server"):
        fetched(raw)


def test_a_chunk_size_that_is_none_is_one_line() -> None:
    with pytest.raises(ServeError, match="broken chunk"):
        fetched(CHUNKED + b"zz\r\n")


ANSWER = CHUNKED + b"%x\r\n%b\r\n" + END


NUMBERED = b"id: 7\nevent: a\ndata: 1\n\nid: 8\nevent: b\ndata: 2\n\nevent: c\ndata: 3\n\n"
BACKGROUND = b"".join(
    b'data: {"type":"response.%s","sequence_number":%d,"response":{"id":"resp_7","background":%s}}'
    b"\n\n" % (kind, number, b"true" if number == 4 else b"null")
    for number, kind in enumerate((b"created", b"in_progress", b"completed"), 4)
)


def asked_again(
    spec: str, body: bytes = NUMBERED, path: str = "/v1/responses"
) -> tuple[list[bytes], list[Fetched]]:
    """The requests that a server sees of a client with this fault, and what came back."""
    requests: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(ANSWER % (len(body), body))
        await writer.drain()
        writer.close()

    events = tuple(
        Event(number, number, encode(unit), unit)
        for number, unit in enumerate(SseFramer().feed(body), 1)
    )
    response = Response(0, 200, ())
    exchange = Exchange(
        3, "provider", "openai-responses", "POST", path, None, 0, response, events,
        Finished(9),
    )  # fmt: skip

    async def run() -> list[Fetched]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            client = ReplayClient(f"http://127.0.0.1:{port}", make_plan([spec]))
            came = await client.follow(exchange)
            client.check()
            return list(came)

    return requests, asyncio.run(run())


@pytest.mark.parametrize(
    ("spec", "since"),
    [
        ("reconnect:last@event=2", b"last-event-id: 8\r\n"),
        ("reconnect:last@event=1", b"last-event-id: 7\r\n"),
        ("reconnect:last@event=3", b"last-event-id: 8\r\n"),
        ("reconnect:last@byte=5", b""),
        ("reconnect:zero@event=2", b""),
        ("reconnect:unknown@event=2", b"last-event-id: turnreel-unknown\r\n"),
    ],
)
def test_a_reconnect_asks_again_since_what_it_was_told(spec: str, since: bytes) -> None:
    [first, second], [left, whole] = asked_again(spec)
    assert b"last-event-id" not in first
    assert since in second
    assert (b"last-event-id" in second) == bool(since)
    assert left.ended == "left"
    assert (whole.ended, whole.events) == ("complete", 3)


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("reconnect:last@event=2", b"/v1/responses/resp_7?stream=true&starting_after=5"),
        ("reconnect:last@event=1", b"/v1/responses/resp_7?stream=true&starting_after=4"),
        ("reconnect:zero@event=2", b"/v1/responses/resp_7?stream=true"),
        (
            "reconnect:unknown@event=2",
            b"/v1/responses/resp_7?stream=true&starting_after=2147483647",
        ),
    ],
)
@pytest.mark.parametrize(
    "asked", ["/v1/responses?a=b", "/v1/responses/resp_7?stream=true&starting_after=3"]
)
def test_what_goes_on_in_the_background_is_asked_for_by_its_name(
    spec: str, path: bytes, asked: str
) -> None:
    [_, second], _ = asked_again(spec, BACKGROUND, asked)
    assert second.startswith(b"GET " + path + b" HTTP/1.1\r\n")
    assert b"content-length: 0\r\n" in second
    assert b"last-event-id" not in second


def test_what_was_not_heard_to_be_in_the_background_is_asked_anew() -> None:
    [_, second], _ = asked_again("reconnect:last@byte=5", BACKGROUND)
    assert second.startswith(b"POST /v1/responses HTTP/1.1\r\n")


def test_a_server_that_says_nothing_is_given_up() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(CHUNKED + WIRE)
        await reader.read()  # until the client has left
        writer.close()

    async def run() -> Fetched:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            return await fetch(f"http://127.0.0.1:{port}", silence_s=0.2)

    got = asyncio.run(run())
    assert (got.body, got.ended) == (BODY, "silent")


def test_an_answer_without_end_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnreel.replayer.client.ANSWER_LIMIT", 10)
    with pytest.raises(ServeError, match="does not end"):
        fetched(CHUNKED + WIRE)


def test_a_cancel_does_not_come_back() -> None:
    [request], [left] = asked_again("cancel@event=2")
    assert request.startswith(b"POST /v1/responses HTTP/1.1\r\n")
    assert (left.ended, left.events) == ("left", 2)


def test_no_fault_of_a_client_is_left_out() -> None:
    wanted = {word.name for word in WORDS if "client" in word.sides}
    assert wanted == {"cancel", "reconnect"}
