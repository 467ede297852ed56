"""WebSockets through the recording proxy: messages, fragments, compression, closes and cuts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType, web

from turnreel.adapters.openai_responses import render
from turnreel.adapters.openai_responses.adapter import ADAPTER
from turnreel.adapters.steps import Answer, End, Say
from turnreel.cassettes import AgentInfo, Origin, TrackSpec, open_cassette
from turnreel.lifecycle.observations import AnyObservation, Troubled
from turnreel.recorder.intake import Intake
from turnreel.recorder.landing import Landing
from turnreel.recorder.linting import lint
from turnreel.recorder.messages import Captured, Plan
from turnreel.recorder.proxy import Upstream, proxy
from turnreel.recorder.session import Session
from turnreel.replayer import refeed

from .conftest import Memory, Row

PATH = "/v1/responses"
HEADERS = {"thread-id": "0199aaaa-0000-7000-8000-000000000001", "authorization": "Bearer canary"}

Serve = Callable[[web.WebSocketResponse], Awaitable[None]]
Speak = Callable[[ClientWebSocketResponse], Awaitable[None]]


def through(sink: Any, serve: Serve, speak: Speak, *, compress: bool = False) -> None:
    """One websocket through the proxy, between a real server and a real client."""

    async def upgraded(request: web.Request) -> web.StreamResponse:
        ws = web.WebSocketResponse(compress=compress)
        await ws.prepare(request)
        await serve(ws)
        return ws

    async def run() -> None:
        app = web.Application()
        app.router.add_get(PATH, upgraded)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with proxy([Upstream("provider", url)], sink) as bases, ClientSession() as session:
            options = {"compress": 15 if compress else 0, "headers": HEADERS}
            async with session.ws_connect(bases["provider"] + PATH, **options) as ws:  # type: ignore[arg-type]
                await speak(ws)
        await runner.cleanup()

    asyncio.run(run())


async def say_and_leave(ws: ClientWebSocketResponse) -> None:
    await ws.send_str(json.dumps({"type": "response.create"}))
    async for _ in ws:
        pass


def codes(rows: list[Row]) -> list[str]:
    return [row[0] for row in rows]


@pytest.mark.parametrize("compress", [True, False])
def test_messages_of_both_sides_and_the_close(memory: Memory, compress: bool) -> None:
    long = json.dumps({"type": "response.output_text.delta", "delta": "long " * 30_000})

    async def serve(ws: web.WebSocketResponse) -> None:
        async for message in ws:
            await ws.send_str(f'{{"got":{json.dumps(message.data)}}}')
            await ws.send_str(long)
            await ws.close(code=1011, message=b"going away")

    through(memory, serve, say_and_leave, compress=compress)
    rows = memory.of(1)
    assert codes(rows) == ["open", "send", "receive", "receive", "close"]
    assert rows[0][1]["path"] == PATH
    assert rows[0][1]["headers"]["thread-id"] == HEADERS["thread-id"]
    assert rows[1][1] == b'{"type": "response.create"}'
    assert rows[3][1] == long.encode()
    assert rows[4][1] == {"code": 1011, "by": "upstream", "reason": "going away"}


def test_a_close_of_the_client(memory: Memory) -> None:
    async def serve(ws: web.WebSocketResponse) -> None:
        async for _ in ws:
            pass

    async def speak(ws: ClientWebSocketResponse) -> None:
        await ws.send_str("{}")
        await ws.close(code=1000)

    through(memory, serve, speak)
    assert memory.of(1)[1:] == [("send", b"{}"), ("close", {"code": 1000, "by": "client"})]


def test_fragments_are_one_message(memory: Memory) -> None:
    text = json.dumps({"type": "response.created", "pad": "é" * 400}).encode()

    async def serve(ws: web.WebSocketResponse) -> None:
        await ws.receive()
        transport = ws._req.transport  # type: ignore[union-attr]
        assert transport is not None
        for number, start in enumerate(range(0, len(text), 101)):  # within a character, too
            piece = text[start : start + 101]
            is_last = start + 101 >= len(text)
            head = bytes([(0x80 if is_last else 0) | (0 if number else WSMsgType.TEXT), len(piece)])
            transport.write(head + piece)  # type: ignore[attr-defined]
        await ws.close()

    through(memory, serve, say_and_leave)
    assert [content for code, content in memory.of(1) if code == "receive"] == [text]


@pytest.mark.parametrize("side", ["upstream", "client"])
def test_a_connection_that_breaks_is_a_cut(memory: Memory, side: str) -> None:
    async def serve(ws: web.WebSocketResponse) -> None:
        await ws.receive()
        await ws.send_str('{"type": "response.created"}')
        if side == "upstream":
            assert ws._req is not None and ws._req.transport is not None
            ws._req.transport.abort()
        else:
            await ws.receive()

    async def speak(ws: ClientWebSocketResponse) -> None:
        await ws.send_str("{}")
        await ws.receive()
        if side == "client":
            assert ws._response.connection is not None
            transport = ws._response.connection.transport
            assert transport is not None
            transport.abort()
        await ws.receive()

    through(memory, serve, speak)
    rows = memory.of(1)
    assert codes(rows) == ["open", "send", "receive", "over", "cut"]
    assert rows[-1][1] == {"by": side}


def test_what_is_open_when_the_proxy_stops_is_cut(memory: Memory) -> None:
    async def serve(ws: web.WebSocketResponse) -> None:
        await ws.receive()
        await asyncio.Event().wait()

    async def run() -> None:
        app = web.Application()

        async def upgraded(request: web.Request) -> web.StreamResponse:
            ws = web.WebSocketResponse()
            await ws.prepare(request)
            await serve(ws)
            return ws

        app.router.add_get(PATH, upgraded)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with ClientSession() as session:
            async with proxy([Upstream("p", url)], memory, settle_seconds=0.1) as bases:
                ws = await session.ws_connect(bases["p"] + PATH)
                await ws.send_str("{}")
                while len(memory.of(1)) < 2:
                    await asyncio.sleep(0.01)
            await ws.close()
        await runner.cleanup()

    asyncio.run(run())
    assert memory.of(1)[-1] == ("cut", {"by": "unknown"})


def test_a_handshake_that_is_refused_is_a_request(memory: Memory) -> None:
    async def refuse(request: web.Request) -> web.StreamResponse:
        return web.json_response({"error": {"message": "no"}}, status=426)

    async def run() -> None:
        app = web.Application()
        app.router.add_get(PATH, refuse)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with proxy([Upstream("p", url)], memory) as bases, ClientSession() as session:
            with pytest.raises(Exception, match="426"):
                await session.ws_connect(bases["p"] + PATH)
        await runner.cleanup()

    asyncio.run(run())
    rows = memory.of(1)
    assert codes(rows) == ["request", "response", "data", "over", "end"]
    assert rows[0][1][:2] == ("GET", PATH)
    assert rows[1][1]["status"] == 426


class Taken:
    """A session that goes straight into a landing."""

    def __init__(self, target: Path) -> None:
        tracks = (TrackSpec(id="provider", carrier="http", dialect="openai-responses"),)
        self._landing = Landing(
            Plan(
                target=str(target), replaces=False, agent=AgentInfo("codex"), tracks=tracks,
                profile="fixture", origin=Origin(kind="recorded", name="x"),
            )
        )  # fmt: skip
        self._intake = Intake({})

    def put(self, message: Any) -> None:
        assert isinstance(message, Captured)
        self._landing.land(self._intake.take(message))

    def seal(self) -> None:
        self._landing.seal()


SCRIPT = (Answer((Say("The total of user-1 is 76."),)), End())
CREATE = {
    "type": "response.create",
    "model": "gpt-5.5",
    "previous_response_id": "resp_0000",
    "instructions": "canary-instructions",
    "input": [{"type": "message", "role": "user", "content": [{"text": "canary-prompt"}]}],
}


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_recorded_conversation_reads_as_the_streamed_one(tmp_path: Path, is_whole: bool) -> None:
    """Sanitized like any other, and understood by the adapter that reads the API's streams."""
    events = list(render.replies(SCRIPT)[0].events)
    sent = events if is_whole else events[:-2]

    async def serve(ws: web.WebSocketResponse) -> None:
        await ws.receive()
        for event in sent:
            await ws.send_str(json.dumps(event))
        await ws.close(code=1000 if is_whole else 1011, message=b"canary-reason")

    async def speak(ws: ClientWebSocketResponse) -> None:
        await ws.send_str(json.dumps(CREATE))
        async for _ in ws:
            pass

    target = tmp_path / "x.cassette.jsonl"
    taken = Taken(target)
    through(Session(taken), serve, speak)
    taken.seal()
    cassette = open_cassette(target)
    records = list(cassette)
    assert [r.code for r in records] == ["open", "send", *["receive"] * len(sent), "close"]
    assert "canary" not in target.read_text()
    assert lint(target).found == ()
    deltas = [r.data.get("delta") for r in records if isinstance(r.data, dict)]
    assert "".join(str(d) for d in deltas if d is not None) == "The total of user-1 is 76."
    state = ADAPTER.begin()
    seen: list[AnyObservation] = []
    for one in refeed.arrivals(cassette, "s"):
        state, told = ADAPTER.step(state, one)
        seen += told
    troubled = [one for one in seen if isinstance(one, Troubled)]
    message = render.item_id(1, 1)
    assert [one.message for one in troubled] == ([] if is_whole else [message])
    assert not state.exchanges


def test_frames_that_are_none_end_it(memory: Memory) -> None:
    """What breaks the protocol ends the exchange, and the proxy serves on."""

    async def serve(ws: web.WebSocketResponse) -> None:
        await ws.receive()
        assert ws._req is not None and ws._req.transport is not None
        ws._req.transport.write(b"\xff\xff\xff\xff nonsense")  # type: ignore[attr-defined]
        await ws.receive()

    for times in (1, 2):
        through(memory, serve, say_and_leave)
        assert codes(memory.of(1)) == ["open", "send", "close"] * times


def test_a_message_that_is_no_text_is_told_as_it_is(memory: Memory) -> None:
    async def serve(ws: web.WebSocketResponse) -> None:
        await ws.receive()
        await ws.send_bytes(b"\x00\xff")
        await ws.close()

    through(memory, serve, say_and_leave)
    assert memory.of(1)[2] == ("receive", b"\x00\xff")
