"""Clients that come back for the rest of a stream, and what else they send: whole forms by name,
compressed requests.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest
import zstandard
from aiohttp.compression_utils import HAS_ZSTD
from msgspec.structs import replace

from tests.replayer.streams import tape
from turnreel.replayer.client import Fetched, ReplayClient, fetch
from turnreel.replayer.exchanges import exchanges
from turnreel.replayer.plan import make_plan
from turnreel.replayer.resuming import last_id
from turnreel.replayer.server import Server, serving
from turnreel.replayer.tape import ProviderScript, Tape

if TYPE_CHECKING:
    from conftest import Recording

PATH = "/v1/messages"


def served(made: Tape, use: Callable[[Server], Awaitable[Any]], *specs: str) -> Any:
    async def run() -> Any:
        async with serving(made, make_plan(specs, pacing="max")) as server:
            return await use(server)

    return asyncio.run(run())


def numbered(recording: Recording) -> Tape:
    """A stream whose events have ids."""
    recording.request(1)
    recording.response(1, content_type="text/event-stream")
    for n in range(1, 6):
        sse = {"event": "ping", "id": f"e{n}"}
        recording.note("provider", "data", {"type": "ping", "n": n}, n=1, sse=sse)
    recording.note("provider", "end", {}, n=1)
    return recording.tape()


async def ask(server: Server, **headers: str) -> Fetched:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await fetch(server.url, PATH, body=b'{"stream":true}', headers=named)


@pytest.mark.parametrize(("last", "rest"), [("e2", "345"), ("e5", ""), ("unheard", "12345")])
def test_the_rest_of_a_stream_comes_behind_the_last_event(
    recording: Recording, last: str, rest: str
) -> None:
    made = numbered(recording)

    async def use(server: Server) -> Fetched:
        await ask(server)
        return await ask(server, last_event_id=last)

    got = served(made, use)
    events = made.provider().exchanges[0].events
    assert got.body == b"".join(events[int(n) - 1].data for n in rest)
    assert got.ended == "complete"


def test_a_recorded_reconnect_is_played_as_it_was(recording: Recording) -> None:
    numbered(recording)
    recording.answer(2, ["the rest"])

    async def use(server: Server) -> list[bytes]:
        return [(await ask(server)).body, (await ask(server, last_event_id="e2")).body]

    made = recording.tape()
    recorded = [b"".join(e.data for e in one.events) for one in made.provider().exchanges]
    assert served(made, use) == recorded


def test_a_fault_of_the_first_stream_is_made_good_by_coming_back(recording: Recording) -> None:
    made = numbered(recording)

    async def use(server: Server) -> bytes:
        first = await ask(server)
        assert last_id(first.units) == "e3"
        return first.body + (await ask(server, last_event_id="e3")).body

    whole = b"".join(event.data for event in made.provider().exchanges[0].events)
    assert served(made, use, "cut:clean@event=3") == whole


def test_a_response_is_retrieved_by_its_name(recording: Recording) -> None:
    made = tape("openai-responses")
    (exchange,) = made.provider().exchanges
    name = exchange.events[0].unit.value["response"]["id"]  # type: ignore[union-attr,index,call-overload]

    async def use(server: Server) -> list[Fetched]:
        path = f"/v1/responses/{name}"
        got = [await fetch(server.url, path, method="GET")]
        got.append(await fetch(server.url, f"{path}?stream=true", method="GET"))
        got.append(await fetch(server.url, "/v1/responses/other", method="GET"))
        return got

    whole, stream, other = served(made, use)
    assert f'"id":"{name}"'.encode() in whole.body
    assert whole.headers["content-type"].startswith("application/json")
    assert stream.body == b"".join(event.data for event in exchange.events)
    assert other.status == 400


@pytest.mark.parametrize(("after", "left"), [("0", 4), ("3", 1), ("4", 0), ("99", 5)])
def test_a_stream_starts_after_a_number(recording: Recording, after: str, left: int) -> None:
    recording.note("provider", "request", {"method": "POST", "path": "/v1/responses"}, n=1)
    recording.note("provider", "response", {"status": 200, "headers": {}}, n=1)
    for n in range(5):
        event = {"type": "response.created", "sequence_number": n, "response": {"id": "resp_7"}}
        sse = {"event": "response.created"}
        recording.note("provider", "data", event, n=1, sse=sse)
    recording.note("provider", "end", {}, n=1)
    made = exchanges(recording.records, "provider", "openai-responses")
    script = ProviderScript("provider", "openai-responses", made)

    async def use(server: Server) -> Fetched:
        path = f"/v1/responses/resp_7?stream=true&starting_after={after}"
        return await fetch(server.url, path, method="GET")

    assert served(replace(recording.tape(), providers=(script,)), use).events == left


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("?stream=true&starting_after=2", "34"),
        ("?stream=true&starting_after=3", "4"),
        ("?stream=true&starting_after=0", "1234"),
        ("?stream=true", "01234"),
        ("", "whole"),
    ],
)
def test_who_leaves_elsewhere_than_the_recorded_client_misses_nothing(
    recording: Recording, query: str, numbers: str
) -> None:
    """The recorded client had come back for what is behind event 2, and then for the whole."""
    path = "/v1/responses"

    def told(n: int, asked: tuple[str, str], come: range) -> None:
        request = {"method": asked[0], "path": asked[1], "features": {"stream": False}}
        recording.note("provider", "request", request, n=n)
        recording.note("provider", "response", {"status": 200, "headers": {}}, n=n)
        for number in come:
            event = {"type": "x", "sequence_number": number, "response": {"id": "resp_7"}}
            recording.note("provider", "data", event, n=n, sse={"event": "x"})

    told(1, ("POST", path), range(5))
    recording.note("provider", "end", {}, n=1)
    told(2, ("GET", f"{path}/resp_7?starting_after=masked&stream=true"), range(3, 5))
    recording.note("provider", "end", {}, n=2)
    told(3, ("GET", f"{path}/resp_7"), range(0))
    recording.note("provider", "data", {"id": "resp_7", "status": "whole"}, n=3)
    recording.note("provider", "end", {}, n=3)
    made = exchanges(recording.records, "provider", "openai-responses")
    script = ProviderScript("provider", "openai-responses", made)

    async def use(server: Server) -> Fetched:
        return await fetch(server.url, f"{path}/resp_7{query}", method="GET")

    got = served(replace(recording.tape(), providers=(script,)), use)
    if query:
        said = [unit.value["sequence_number"] for unit in got.units]
        assert "".join(map(str, said)) == numbers
    else:
        assert json.loads(got.body)["status"] == numbers


@pytest.mark.parametrize(("since", "events"), [("last", 2), ("zero", 5), ("unknown", 5)])
def test_a_client_comes_back_for_what_goes_on_in_the_background(
    recording: Recording, since: str, events: int
) -> None:
    """Two recordings of the same answer: the client means the second."""
    for n in (1, 2):
        request = {"method": "POST", "path": "/v1/responses"}
        recording.note("provider", "request", request, n=n)
        recording.note("provider", "response", {"status": 200, "headers": {}}, n=n)
        for number in range(5):
            response = {"id": "resp_7", "background": True, "nth": n}
            event = {"type": "x", "sequence_number": number, "response": response}
            recording.note("provider", "data", event, n=n, sse={"event": "x"})
        recording.note("provider", "end", {}, n=n)
    made = exchanges(recording.records, "provider", "openai-responses")
    script = ProviderScript("provider", "openai-responses", made)

    async def use(server: Server) -> list[Fetched]:
        plan = make_plan([f"reconnect:{since}@event=3"])
        client = ReplayClient(server.url, plan)
        came = await client.follow(made[1])
        client.check()
        return list(came)

    left, rest = served(replace(recording.tape(), providers=(script,)), use)
    assert (left.events, left.ended) == (3, "left")
    assert (rest.events, rest.ended) == (events, "complete")
    assert rest.body.count(b'"nth":2') == events


@pytest.mark.parametrize(("since", "rest"), [("last", "34"), ("zero", "1234"), ("unknown", "1234")])
def test_who_comes_back_leaves_where_the_recorded_client_had_left(
    recording: Recording, since: str, rest: str
) -> None:
    recording.request(1)
    recording.response(1, content_type="text/event-stream")
    for n in range(1, 5):
        sse = {"event": "ping", "id": f"e{n}"}
        recording.note("provider", "data", {"type": "ping", "n": n}, n=1, sse=sse)
    recording.note("provider", "cut", {"by": "client"}, n=1)
    (exchange,) = recording.tape().provider().exchanges

    async def use(server: Server) -> tuple[Fetched, ...]:
        plan = make_plan([f"reconnect:{since}@event=2"], pacing="max")
        client = ReplayClient(server.url, plan)
        came = await client.follow(exchange)
        client.check()
        return came

    first, second = served(recording.tape(), use)
    assert (first.events, first.ended) == (2, "left")
    assert second.body == b"".join(exchange.events[int(n) - 1].data for n in rest)
    assert second.ended == "left"


PACKED: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "deflate": zlib.compress}
if HAS_ZSTD:  # of newer interpreters, or brought along by another package
    PACKED["zstd"] = zstandard.compress


@pytest.mark.parametrize("coding", PACKED)
def test_compressed_requests_are_understood(recording: Recording, coding: str) -> None:
    recording.answer(1, features={"model": "a"})
    recording.answer(2, features={"model": "b"})
    body = PACKED[coding](b'{"model":"b","stream":true}')

    async def use(server: Server) -> Fetched:
        got = await fetch(server.url, PATH, body=body, headers={"content-encoding": coding})
        assert [one.exchange for one in server.report().served] == [2]
        return got

    assert served(recording.tape(), use).status == 200


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_what_says_it_is_compressed_and_is_not_is_one_answer(
    recording: Recording, coding: str, caplog: pytest.LogCaptureFixture
) -> None:
    recording.answer(1, features={"model": "a"})

    async def use(server: Server) -> int:
        got = await fetch(server.url, PATH, body=b"{}", headers={"content-encoding": coding})
        return got.status

    assert served(recording.tape(), use) == 400
    assert [one.getMessage() for one in caplog.records] == []  # it would stand on stderr
