"""Clients that behave badly: they are answered, bounded or left alone, and harm nobody else."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import WSMsgType

from turnreel.replayer import listening
from turnreel.replayer.client import Fetched, fetch
from turnreel.replayer.control import controlled
from turnreel.replayer.exchanges import exchanges
from turnreel.replayer.forwarding import forwarding
from turnreel.replayer.listening import REQUEST_LIMIT
from turnreel.replayer.plan import make_plan
from turnreel.replayer.server import Server, serving
from turnreel.replayer.sockets import MESSAGE_LIMIT
from turnreel.replayer.tape import ProviderScript, Tape

if TYPE_CHECKING:
    from conftest import Recording

PATH = "/v1/messages"
CROWD = 200
HUNDRED_MB = 100 * 1024 * 1024


def served(tape: Tape, use: Callable[[Server], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with serving(tape, make_plan(pacing="max"), patience_s=5) as server:
            return await use(server)

    return asyncio.run(run())


async def connected(server: Server) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    port = int(server.url.rpartition(":")[2])
    return await asyncio.open_connection("127.0.0.1", port)


async def ask(server: Server, client: str = "") -> Fetched:
    headers = {"x-turnreel-client": client} if client else None
    return await fetch(server.url, PATH, body=b'{"stream":true}', headers=headers)


def test_a_crowd_that_never_ends_its_requests_harms_nobody(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> list[int]:
        crowd = [await connected(server) for _ in range(CROWD)]
        for nth, (_, writer) in enumerate(crowd):
            head = b"POST /v1/messages HTTP/1.1\r\nhost: x\r\n"
            writer.write(head if nth % 2 else head + b"content-length: 9\r\n\r\n{")
        got = [(await ask(server, str(n))).status for n in range(3)]
        for _, writer in crowd:
            writer.close()
        return got

    assert served(recording.tape(), use) == [200] * 3


def test_a_request_that_does_not_come_is_given_up(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording.answer(1)
    monkeypatch.setattr(listening, "REQUEST_S", 0.05)

    async def use(server: Server) -> bytes:
        reader, writer = await connected(server)
        writer.write(b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{")
        raw = await reader.readuntil(b"}}")
        writer.close()
        return raw

    raw = served(recording.tape(), use)
    assert raw.startswith(b"HTTP/1.1 408")
    assert b"did not come within 0.05 s" in raw


SLOW_HEADS = {
    "none": b"",
    "half a line": b"POST /v1/mess",
    "half a head": b"POST /v1/messages HTTP/1.1\r\nhost: x\r\n",
    "half an upgrade": b"GET /v1/responses HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\n",
}


@pytest.mark.parametrize("head", SLOW_HEADS.values(), ids=SLOW_HEADS)
@pytest.mark.parametrize("where", ["serve", "forward", "control"])
def test_a_head_that_does_not_come_is_hung_up_on(
    recording: Recording, monkeypatch: pytest.MonkeyPatch, where: str, head: bytes
) -> None:
    """Byte by byte does not help: what counts is when the head is there."""
    recording.answer(1)
    monkeypatch.setattr(listening, "REQUEST_S", 0.3)

    async def use(server: Server) -> tuple[bytes, int]:
        async with forwarding(server.url) as relay, controlled(server) as control:
            url = {"serve": server.url, "forward": relay.url, "control": control}[where]
            reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)

            async def drip() -> None:
                with suppress(ConnectionError):
                    for byte in head:
                        writer.write(bytes((byte,)))
                        await writer.drain()
                        await asyncio.sleep(0.001)

            async def read() -> bytes:
                with suppress(ConnectionError):  # reset where more was written than is read
                    return await reader.read()
                return b""

            async with asyncio.timeout(20):
                _, raw = await asyncio.gather(drip(), read())
            writer.close()
            monkeypatch.setattr(listening, "REQUEST_S", 60.0)
            return raw, (await ask(server)).status

    assert served(recording.tape(), use) == (b"", 200)


def test_a_head_that_does_not_come_behind_an_answer_is_hung_up_on(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording.answer(1)
    monkeypatch.setattr(listening, "REQUEST_S", 0.3)
    whole = b'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 15\r\n\r\n{"stream":true}'

    async def use(server: Server) -> tuple[bytes, bytes]:
        reader, writer = await connected(server)
        writer.write(whole + b"POST /v1/mess")
        async with asyncio.timeout(20):
            answer = await reader.readuntil(b"0\r\n\r\n")
            rest = await reader.read()
        writer.close()
        return answer, rest

    answer, rest = served(recording.tape(), use)
    assert answer.startswith(b"HTTP/1.1 200")
    assert rest == b""


def test_who_is_answered_for_longer_than_a_head_may_take_is_not_hung_up_on(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording.answer(1)
    monkeypatch.setattr(listening, "REQUEST_S", 0.3)

    async def run() -> Fetched:
        plan = make_plan(["stall:0.8@event=2"], pacing="max")
        async with serving(recording.tape(), plan) as server:
            return await ask(server)

    assert asyncio.run(run()).ended == "complete"


@pytest.mark.parametrize("where", ["forward", "control"])
def test_a_body_that_does_not_come_is_told_so_everywhere(
    recording: Recording, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    recording.answer(1)
    monkeypatch.setattr(listening, "REQUEST_S", 0.1)

    async def use(server: Server) -> bytes:
        async with forwarding(server.url) as relay, controlled(server) as control:
            url = urlsplit({"forward": relay.url, "control": control}[where])
            path = f"{url.path}/faults" if where == "control" else PATH
            reader, writer = await asyncio.open_connection("127.0.0.1", url.port)
            head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{{"
            writer.write(head.encode())
            async with asyncio.timeout(20):
                raw = await reader.readuntil(b"}")
            writer.close()
            return raw

    raw = served(recording.tape(), use)
    assert raw.startswith(b"HTTP/1.1 408")
    assert b"did not come within 0.1 s" in raw


def test_a_hundred_megabytes_are_refused_and_forgotten(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> list[int]:
        async def much() -> Any:
            for _ in range(HUNDRED_MB // 65_536):
                yield b" " * 65_536

        async with aiohttp.ClientSession() as session:
            statuses = []
            for _ in range(3):
                async with session.post(f"{server.url}{PATH}", data=much()) as response:
                    assert json.loads(await response.read())["error"]["type"]
                    statuses.append(response.status)
        return [*statuses, (await ask(server)).status]

    before = peak_bytes()
    assert served(recording.tape(), use) == [413, 413, 413, 200]
    assert peak_bytes() - before < 4 * REQUEST_LIMIT


def peak_bytes() -> int:
    """The most memory that this process ever had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@pytest.mark.parametrize(
    "said",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: -4\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\n" + b"a: " + b"b" * 100_000 + b"\r\n\r\n",
        b"GET /v1/responses HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        b"sec-websocket-version: 13\r\nsec-websocket-key: \xff\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\n" + b"a: b\r\n" * 10_000 + b"\r\n",
        b"GET /%ff%zz?%ff HTTP/1.1\r\nhost: x\r\nx-api-key: \xff\r\n\r\n",
        b"SSH-2.0-x\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=[
        "tls",
        "no request",
        "negative",
        "no chunk",
        "endless header",
        "half an upgrade",
        "no key",
        "headers without end",
        "no text",
        "ssh",
        "http/2",
    ],
)
@pytest.mark.parametrize("where", ["serve", "forward", "control"])
def test_nonsense_is_answered_or_hung_up_on(
    recording: Recording, where: str, said: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    recording.answer(1)

    async def use(server: Server) -> int:
        async with forwarding(server.url) as relay, controlled(server) as control:
            url = {"serve": server.url, "forward": relay.url, "control": control}[where]
            reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
            with suppress(ConnectionError):  # hung up on before all was written
                writer.write(said)
                writer.write_eof()
                async with asyncio.timeout(10):
                    await reader.read()
            writer.close()
        return (await ask(server)).status

    assert served(recording.tape(), use) == 200
    assert [one.getMessage() for one in caplog.records] == []  # it would stand on stderr


def websocket(recording: Recording) -> Tape:
    """A long answer on a WebSocket."""
    recording.note("provider", "open", {"path": "/v1/responses"}, n=1)
    for _ in range(400):
        delta = {"type": "response.output_text.delta", "delta": "x" * 50_000}
        recording.note("provider", "receive", delta, n=1)
    recording.note("provider", "receive", {"type": "response.completed"}, n=1)
    made = exchanges(recording.records, "provider", "openai-responses")
    return Tape("web", providers=(ProviderScript("provider", "openai-responses", made),))


def test_a_websocket_that_nobody_reads_harms_nobody(recording: Recording) -> None:
    async def use(server: Server) -> int:
        url = f"{server.url}/v1/responses"
        async with aiohttp.ClientSession() as session:
            idle = await session.ws_connect(url, max_msg_size=0, headers={"session-id": "idle"})
            await idle.send_str("{}")
            async with session.ws_connect(url, max_msg_size=0) as busy:
                await busy.send_str("{}")
                heard = [await busy.receive(10) for _ in range(401)]
            assert len(server.report().served) == 1
            await idle.close()
        return sum(message.type is WSMsgType.TEXT for message in heard)

    assert served(websocket(recording), use) == 401


@pytest.mark.parametrize("said", ["", "[]", "null", "{", "[" * 100_000, '"text"'])
def test_nonsense_on_a_websocket_is_answered(recording: Recording, said: str) -> None:
    async def use(server: Server) -> Any:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{server.url}/v1/responses", max_msg_size=0) as socket,
        ):
            await socket.send_str(said)
            return (await socket.receive(10)).type

    assert served(websocket(recording), use) is WSMsgType.TEXT


def test_a_message_without_end_is_hung_up_on(recording: Recording) -> None:
    async def use(server: Server) -> Any:
        url = f"{server.url}/v1/responses"
        async with aiohttp.ClientSession() as session:
            with suppress(ConnectionError):  # it may be gone before all was written
                async with session.ws_connect(url) as socket:
                    await socket.send_str("x" * (MESSAGE_LIMIT + 1))
                    assert (await socket.receive(10)).type is not WSMsgType.TEXT
            assert not server.report().served
            async with session.ws_connect(url) as socket:
                await socket.send_str("{}")
                return (await socket.receive(10)).type

    assert served(websocket(recording), use) is WSMsgType.TEXT
