"""Live traffic relayed: byte for byte without faults, and with them at the same places as recorded
traffic.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.replayer.streams import PATHS, PROVIDERS, tape
from turnreel.replayer.client import Fetched, fetch
from turnreel.replayer.clients import CLIENT_HEADER
from turnreel.replayer.control import controlled
from turnreel.replayer.errors import PlanError, ServeError
from turnreel.replayer.forwarding import Forwarder, forwarding
from turnreel.replayer.plan import make_plan
from turnreel.replayer.schedule import schedule
from turnreel.replayer.server import Server, serving

DIALECT = "anthropic-messages"
PATH = PATHS[DIALECT]
AT_ONCE = make_plan(pacing="max")
EVENTS = tape(DIALECT).provider().exchanges[0].events

CLIENTS = itertools.count()

Use = Callable[[Forwarder, Server], Awaitable[Any]]


def relayed(
    use: Use, *specs: str, dialect: str = DIALECT, upstream_faults: tuple[str, ...] = ()
) -> Any:
    """What `use` returns of a forwarder with these faults, in front of a served recording."""

    async def run() -> Any:
        behind = make_plan(upstream_faults, pacing="max")
        async with (
            serving(tape(dialect), behind) as server,
            forwarding(server.url, make_plan(specs), patience_s=5) as relay,
        ):
            return await use(relay, server)

    return asyncio.run(run())


async def ask(relay: Forwarder, path: str = PATH) -> Fetched:
    """A request of a new client: upstream has something for it."""
    client = {CLIENT_HEADER: str(next(CLIENTS))}
    return await fetch(relay.url, path, body=b'{"stream":true}', headers=client)


def recorded(*numbers: int) -> bytes:
    return b"".join(EVENTS[number - 1].data for number in numbers)


ALL = tuple(range(1, len(EVENTS) + 1))


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_without_faults_it_is_the_same_byte_for_byte(dialect: str) -> None:
    async def use(relay: Forwarder, server: Server) -> Fetched:
        got = await ask(relay, PATHS[dialect])
        assert [one.form for one in relay.report().served] == ["forwarded"]
        assert relay.report().served[0].sent == len(got.body)
        return got

    got = relayed(use, dialect=dialect)
    events = tape(dialect).provider().exchanges[0].events
    assert got.body == b"".join(event.data for event in events)
    assert (got.status, got.ended) == (200, "complete")
    assert got.headers["content-type"] == "text/event-stream"


@pytest.mark.parametrize(
    ("spec", "body", "ended"),
    [
        ("cut:clean@event=3", recorded(1, 2, 3), "short"),
        ("cut:reset@event=3", recorded(1, 2, 3), "reset"),
        ("cut:clean@byte=100", recorded(*ALL)[:100], "short"),
        ("drop@event=2", recorded(1, *ALL[2:]), "complete"),
        ("duplicate@event=2", recorded(1, 2, *ALL[1:]), "complete"),
        ("drop@type=message_stop", recorded(*ALL[:-1]), "complete"),
        ("missing-terminal", None, "complete"),
        ("cut:clean@event=terminal", recorded(*ALL), "short"),
    ],
)
def test_faults_fire_at_the_place_of_a_live_stream(
    spec: str, body: bytes | None, ended: str
) -> None:
    async def use(relay: Forwarder, server: Server) -> Fetched:
        got = await ask(relay)
        assert [count.fired for count in relay.report().faults] == [1]
        return got

    got = relayed(use, spec)
    assert body is None or got.body == body
    assert got.ended == ended


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_terminal_of_several_events_is_missing_as_a_whole(dialect: str) -> None:
    async def use(relay: Forwarder, server: Server) -> Fetched:
        return await ask(relay, PATHS[dialect])

    got = relayed(use, "missing-terminal", dialect=dialect)
    played = schedule(tape(dialect).provider().exchanges[0], make_plan(["missing-terminal"]))
    assert got.body == played.body


@pytest.mark.parametrize("spec", ["status:529", "refuse"])
def test_what_stands_in_place_of_an_answer_does_not_ask_upstream(spec: str) -> None:
    async def use(relay: Forwarder, server: Server) -> tuple[Fetched, Fetched]:
        first = await ask(relay)
        assert server.report().requests == 0
        return first, await ask(relay)

    first, second = relayed(use, spec)
    assert first.status == (529 if spec.startswith("status") else 0)
    assert second.body == recorded(*ALL)


def test_a_stall_delays_what_comes_behind_it() -> None:
    async def use(relay: Forwarder, server: Server) -> float:
        begun = asyncio.get_running_loop().time()
        assert (await ask(relay)).body == recorded(*ALL)
        return asyncio.get_running_loop().time() - begun

    assert relayed(use, "stall:0.3@event=2") >= 0.3


def test_a_delay_is_the_same_for_all_that_comes_behind_it() -> None:
    """Events that come while one is held back are not held back once more each."""
    events = [b"data: {}\n\n"] * 200

    async def upstream(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        for event in events:
            await response.write(event)
            await asyncio.sleep(0)
        await response.write_eof()
        return response

    async def run() -> tuple[Fetched, float]:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", upstream)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        plan = make_plan(["delay:0.3@event=2"])
        async with forwarding(url, plan) as relay:
            begun = asyncio.get_running_loop().time()
            got = await ask(relay)
            took = asyncio.get_running_loop().time() - begun
        await runner.cleanup()
        return got, took

    got, took = asyncio.run(run())
    assert (got.body, got.ended) == (b"".join(events), "complete")
    assert 0.3 <= took < 0.3 * 100


def test_two_streams_at_once_do_not_share_one_firing() -> None:
    async def use(relay: Forwarder, server: Server) -> list[str]:
        return sorted(one.ended for one in await asyncio.gather(*(ask(relay) for _ in range(4))))

    assert relayed(use, "cut:clean@event=3") == ["complete"] * 3 + ["short"]


def test_the_nth_request_is_an_exchange() -> None:
    async def use(relay: Forwarder, server: Server) -> list[str]:
        return [(await ask(relay)).ended for _ in range(3)]

    assert relayed(use, "cut:clean@event=3,exchange=2") == ["complete", "short", "complete"]


def test_a_cut_of_upstream_is_a_cut() -> None:
    async def use(relay: Forwarder, server: Server) -> Fetched:
        return await ask(relay)

    got = relayed(use, upstream_faults=("cut:reset@event=4",))
    assert (got.body, got.ended) == (recorded(1, 2, 3, 4), "short")


def test_requests_go_on_as_they_came_and_answers_too() -> None:
    seen: list[tuple[str, str, bytes, str]] = []

    async def upstream(request: web.Request) -> web.Response:
        body = await request.read()
        assert "connection" not in request.headers
        seen.append((request.method, request.path_qs, body, request.headers["x-api-key"]))
        return web.json_response({"made": "ä"}, status=418, headers={"request-id": "r"})

    async def run() -> Fetched:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", upstream)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/base/"
        async with forwarding(url) as relay:
            got = await fetch(relay.url, "/a?b=c%20d", body=b"x" * 99, headers={"x-api-key": "k"})
        await runner.cleanup()
        return got

    got = asyncio.run(run())
    assert seen == [("POST", "/base/a?b=c%20d", b"x" * 99, "k")]
    assert (got.status, json.loads(got.body), got.headers["request-id"]) == (
        418,
        {"made": "ä"},
        "r",
    )


def test_an_upstream_that_does_not_answer_is_told_in_the_providers_shape() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

    async def run() -> Fetched:
        async with forwarding(url) as relay:
            return await ask(relay)

    got = asyncio.run(run())
    assert got.status == 502
    assert json.loads(got.body)["type"] == "error"


def test_it_is_controlled_as_a_server_is() -> None:
    async def use(relay: Forwarder, server: Server) -> list[str]:
        async with controlled(relay) as url, aiohttp.ClientSession() as session:
            first = await ask(relay)
            armed = {"faults": ["cut:clean@event=3"]}
            async with session.post(f"{url}/faults", json=armed) as response:
                assert response.status == 201
            async with session.post(f"{url}/faults", json={"faults": ["reorder@event=2"]}) as no:
                assert no.status == 400
            return [first.ended, (await ask(relay)).ended]

    assert relayed(use) == ["complete", "short"]


@pytest.mark.parametrize(
    "spec",
    [
        "cut:clean@byte=random",
        "cut:clean@event=terminal-1",
        "reorder@event=2",
        "replay",
        "reslice:7",
        "kill@event=1",
    ],
)
def test_what_cannot_happen_to_live_traffic_is_refused(spec: str) -> None:
    async def use(relay: Forwarder, server: Server) -> None:
        raise AssertionError("it does not begin")

    with pytest.raises(PlanError):
        relayed(use, spec)


def test_a_fault_that_did_not_happen_is_an_error() -> None:
    async def use(relay: Forwarder, server: Server) -> None:
        await ask(relay)

    with pytest.raises(PlanError, match="fired 0 of 1"):
        relayed(use, "cut:clean@event=999")


@pytest.mark.parametrize("url", ["", "ftp://x", "http://[::1", "http://x:99999", "http://u:p@x"])
def test_what_is_no_base_url_is_one_line(url: str) -> None:
    async def run() -> None:
        async with forwarding(url):
            raise AssertionError("it does not begin")

    with pytest.raises(ServeError, match="is not a base URL") as caught:
        asyncio.run(run())
    assert "u:p" not in str(caught.value)


def test_a_pace_of_its_own_is_refused() -> None:
    async def run() -> None:
        async with forwarding("http://127.0.0.1:9", AT_ONCE):
            raise AssertionError("it does not begin")

    with pytest.raises(PlanError, match="a pace of its own"):
        asyncio.run(run())
