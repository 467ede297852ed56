"""The replay client on WebSockets of a server under test: leaving, coming back, and what never
comes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from tests.replayer.test_sockets import CHAIN, Web, answer, talked
from turnreel.replayer.asking import Asked, ask_again
from turnreel.replayer.client import ReplayClient
from turnreel.replayer.errors import ServeError
from turnreel.replayer.plan import make_plan
from turnreel.replayer.server import Server
from turnreel.replayer.talking import talk
from turnreel.wire.classify import classify
from turnreel.wire.units import BodyFraming, Unit

if TYPE_CHECKING:
    from conftest import Recording

Say = Callable[[web.WebSocketResponse, Any], Awaitable[Any]]


async def whole(socket: web.WebSocketResponse, said: Any) -> None:
    name = "resp_1" if said.get("previous_response_id") == "resp_0" else "resp_0"
    for event in answer(name, "Hello.", "World."):
        await socket.send_json(event)


def asked_of_a_server(
    web_: Web, *specs: str, say: Say = whole, silence_s: float = 30
) -> tuple[list[tuple[Any, ...]], list[list[Any]]]:
    """What a client of these faults got from a server under test, and what was said on each of its
    WebSockets.
    """
    heard: list[list[Any]] = []

    async def handle(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        heard.append([])
        async for message in socket:
            heard[-1].append(json.loads(message.data))
            await say(socket, heard[-1][-1])
        return socket

    async def run() -> list[tuple[Any, ...]]:
        app = web.Application()
        app.router.add_get("/v1/responses", handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        client = ReplayClient(url, make_plan(specs, pacing="max"), silence_s=silence_s)
        try:
            async with asyncio.timeout(20):
                came = await talk(client, web_.tape().provider().exchanges)
        finally:
            await runner.cleanup()
        client.check()
        return came

    return asyncio.run(run()), heard


@pytest.mark.parametrize(
    ("since", "continues"),
    [("last", "resp_0"), ("zero", None), ("unknown", "turnreel-unknown")],
)
def test_who_comes_back_says_the_message_again_since_what_it_was_told(
    recording: Recording, since: str, continues: str | None
) -> None:
    web_ = chained(recording)
    came, heard = asked_of_a_server(web_, f"reconnect:{since}@event=2,exchange=1")
    (first, *_), *_ = came
    assert first.ended == "left"
    # Left in the first answer that has the place; the rest is said on the second WebSocket.
    assert [len(one) for one in heard] == [1, 3]
    again = dict(heard[1][0])
    assert again.pop("previous_response_id", None) == continues
    assert again == heard[0][0]
    assert [len(answers) for answers in came] == [2, 1, 1]
    assert [answers[-1].ended for answers in came] == ["complete"] * 3
    assert came[0][0].events == 2


@pytest.mark.parametrize("since", ["last", "zero"])
@pytest.mark.parametrize(("by", "closed"), [("cut", 1006), ("close", 1000)])
def test_who_comes_back_leaves_as_the_recorded_client_had_left(
    recording: Recording, by: str, closed: int, since: str
) -> None:
    """Inside the answer, with a closing or without one; a planned leaving always closes."""
    half = answer("resp_0", "Hello.", "World.")[:5]
    codes: list[int | None] = []

    async def say(socket: web.WebSocketResponse, said: Any) -> None:
        for event in half:
            await socket.send_json(event)
        assert (await socket.receive(10)).type is not web.WSMsgType.TEXT
        codes.append(socket.close_code)

    web_ = Web(recording)
    web_.open()
    web_.said(CHAIN[0], half)
    recording.note("provider", by, {"by": "client", "code": 1000}, n=1)
    [(first, second)], heard = asked_of_a_server(web_, f"reconnect:{since}@event=2", say=say)
    assert (first.events, first.ended) == (2, "left")
    assert (second.events, second.ended) == (5, "left")
    assert [len(one) for one in heard] == [1, 1]
    assert codes == [1000, closed]


def chained(recording: Recording) -> Web:
    one = Web(recording)
    one.open()
    one.said(CHAIN[0], answer("resp_0", "Hello.", "World."))
    one.said(CHAIN[1], answer("resp_1", "Hello.", "World."))
    one.said(CHAIN[2], answer("resp_1", "Hello.", "World."))
    return one


def test_an_error_in_place_of_an_answer_is_heard_and_the_next_is_asked(
    recording: Recording,
) -> None:
    async def say(socket: web.WebSocketResponse, said: Any) -> None:
        if said.get("previous_response_id") == "turnreel-unknown":
            await socket.send_json({"type": "error", "status": 400})
        else:
            await whole(socket, said)

    came, _ = asked_of_a_server(chained(recording), "reconnect:unknown@event=2", say=say)
    assert came[0][1].messages == (b'{"type": "error", "status": 400}',)
    assert [answers[-1].ended for answers in came] == ["complete"] * 3


def test_more_than_was_recorded_belongs_to_its_own_answer(recording: Recording) -> None:
    async def say(socket: web.WebSocketResponse, said: Any) -> None:
        await socket.send_json({"type": "response.queued"})
        await whole(socket, said)

    came, _ = asked_of_a_server(chained(recording), say=say)
    assert [json.loads(one.messages[0])["type"] for (one,) in came] == ["response.queued"] * 3
    assert [json.loads(one.messages[-1])["type"] for (one,) in came] == ["response.completed"] * 3


def test_a_server_that_says_nothing_is_given_up(recording: Recording) -> None:
    async def say(socket: web.WebSocketResponse, said: Any) -> None:
        await socket.send_json({"type": "response.created"})

    [(got,)], _ = asked_of_a_server(chained(recording), say=say, silence_s=0.2)
    assert (got.ended, got.events) == ("silent", 1)


def test_each_message_of_a_long_answer_is_looked_at_once(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = answer("resp_0", *["More."] * 200)
    web_ = Web(recording)
    web_.open()
    web_.said(CHAIN[0], long)
    looked: list[bytes] = []

    def look(data: bytes, framing: BodyFraming) -> Unit:
        looked.append(data)
        return classify(data, framing)

    async def say(socket: web.WebSocketResponse, said: Any) -> None:
        for event in long:
            await socket.send_json(event)

    monkeypatch.setattr("turnreel.replayer.talking.classify", look)
    [(got,)], _ = asked_of_a_server(web_, say=say)
    assert (got.ended, got.events) == ("complete", len(long))
    assert len(looked) == len(long)


def test_an_answer_that_does_not_end_is_not_kept(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnreel.replayer.talking.ANSWER_LIMIT", 10_000)
    with pytest.raises(ServeError, match="does not end"):
        asked_of_a_server(chained(recording), say=endless)


def test_who_leaves_is_not_held_by_a_server_that_goes_on_talking(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnreel.replayer.leaving.CLOSING_S", 0.1)
    [(got,)], _ = asked_of_a_server(chained(recording), "cancel@event=2", say=endless)
    assert got.ended == "left"


async def endless(socket: web.WebSocketResponse, said: Any) -> None:
    with suppress(ConnectionError):
        while True:
            await socket.send_json({"type": "response.in_progress"})


def test_a_server_that_closes_in_between_is_no_mistake_of_the_caller(recording: Recording) -> None:
    async def say(socket: web.WebSocketResponse, said: Any) -> None:
        await whole(socket, said)
        await socket.close(code=1012)

    came, _ = asked_of_a_server(chained(recording), say=say)
    assert came[0][0].ended == "complete"
    assert [one.code for (one,) in came[1:]] in ([1012], [None])


@pytest.mark.parametrize(
    ("since", "told"),
    [("zero", "recorded"), ("last", "not found"), ("unknown", "not found")],
)
def test_a_served_recording_answers_who_comes_back_as_the_provider_would(
    recording: Recording, since: str, told: str
) -> None:
    """Nothing that was not said on a WebSocket can be continued there."""
    web_ = Web(recording)
    web_.open()
    web_.said(CHAIN[0], answer("resp_0"))
    web_.said(CHAIN[1], answer("resp_1", "I look.", "Further."))
    web_.said(CHAIN[2], answer("resp_2", "Done."))
    made = web_.tape().provider().exchanges

    async def use(server: Server, dial: object) -> list[Asked]:
        plan = make_plan([f"reconnect:{since}@event=3"], pacing="max")
        return await ask_again(made, server.url, plan)

    asked = talked(web_.tape(), (), use)
    assert [len(one.answers) for one in asked] == [1, 2, 1]
    assert asked[1].answers[0].ended == "left"
    if told == "recorded":
        assert asked[1].is_recorded
    else:
        assert b"previous_response_not_found" in asked[1].answers[1].body
        assert not asked[1].is_recorded


def test_a_client_that_is_refused_is_told_the_status(recording: Recording) -> None:
    web_ = chained(recording)

    async def run() -> Any:
        async def refuse(request: web.Request) -> web.Response:
            return web.Response(status=403)

        app = web.Application()
        app.router.add_get("/v1/responses", refuse)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        client = ReplayClient(f"http://127.0.0.1:{runner.addresses[0][1]}", make_plan())
        came = await talk(client, web_.tape().provider().exchanges)
        await runner.cleanup()
        return came

    [(got,)] = asyncio.run(run())
    assert (got.status, got.ended) == (403, "complete")
