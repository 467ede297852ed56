"""`serving` on real sockets: the recording's bytes, faults on their byte, nobody else asked."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnreel.replayer.client import Fetched, ReplayClient, fetch
from turnreel.replayer.errors import PlanError, ReplayError, ServeError
from turnreel.replayer.faults import Plan
from turnreel.replayer.listening import REQUEST_LIMIT
from turnreel.replayer.plan import make_plan
from turnreel.replayer.server import Server, serving
from turnreel.replayer.tape import Tape

if TYPE_CHECKING:
    from conftest import Recording

PATH = "/v1/messages"


def served(tape: Tape | Path, plan: Plan, use: Callable[[Server], Awaitable[Any]]) -> Any:
    """What `use` returns of a server with this plan."""

    async def run() -> Any:
        async with serving(tape, plan, patience_s=5) as server:
            return await use(server)

    return asyncio.run(run())


def at_once(*specs: str, seed: int = 0) -> Plan:
    return make_plan(specs, seed=seed, pacing="max")


async def ask(server: Server, body: bytes = b'{"stream":true}') -> Fetched:
    return await fetch(server.url, PATH, body=body)


def bodies(tape: Tape) -> list[bytes]:
    exchanges = tape.provider().exchanges
    return [b"".join(event.data for event in exchange.events) for exchange in exchanges]


def test_a_recording_is_served_byte_for_byte(recording: Recording, tmp_path: Path) -> None:
    recording.answer(1)
    recording.answer(2, ["Zweitens."])
    path = recording.write(tmp_path / "two.cassette.jsonl")

    async def use(server: Server) -> list[Fetched]:
        got = [await ask(server), await ask(server)]
        assert [served.ended for served in server.report().served] == ["complete", "complete"]
        assert [served.events for served in server.report().served] == [8, 7]
        return got

    got = served(path, Plan(), use)
    assert [fetched.body for fetched in got] == bodies(recording.tape())
    assert [(fetched.status, fetched.ended) for fetched in got] == [(200, "complete")] * 2
    assert got[0].headers["content-type"] == "text/event-stream"
    assert got[0].headers["transfer-encoding"] == "chunked"
    assert got[0].headers["request-id"] == "req_1"


def test_recorded_times_are_kept(recording: Recording) -> None:
    recording.request(1)
    recording.response(1)
    recording.event(1, {"type": "ping"}, after_us=150_000)
    recording.note("provider", "end", {}, n=1)

    async def use(server: Server) -> float:
        begun = asyncio.get_running_loop().time()
        await ask(server)
        return asyncio.get_running_loop().time() - begun

    assert served(recording.tape(), Plan(), use) >= 0.150
    assert served(recording.tape(), at_once(), use) < 0.150


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(["clean", "reset"]))
def test_a_cut_delivers_exactly_the_bytes_before_it(
    new_recording: type[Recording], seed: int, how: str
) -> None:
    recording = new_recording()
    recording.answer(1, ["Wörter ", "mit Ümlauten ", "🙂"])
    tape = recording.tape()
    whole = bodies(tape)[0]
    byte = seed % (len(whole) + 1)
    got = served(tape, at_once(f"cut:{how}@byte={byte}"), ask)
    assert got.body == whole[:byte]
    assert (got.status, got.ended) == (200, "short" if how == "clean" else "reset")


def test_after_a_cut_the_retry_gets_the_whole_answer(recording: Recording) -> None:
    recording.answer(1)
    recording.answer(2)
    tape = recording.tape()

    async def use(server: Server) -> list[bytes]:
        return [(await ask(server)).body for _ in range(3)]

    first, second = bodies(tape)
    cut = b"".join(event.data for event in tape.provider().exchanges[0].events[:3])
    assert served(tape, at_once("cut:reset@event=3"), use) == [cut, first, second]


def test_a_status_comes_as_often_as_told_and_then_the_recording(recording: Recording) -> None:
    recording.answer(1)
    tape = recording.tape()

    async def use(server: Server) -> list[Fetched]:
        got = [await ask(server) for _ in range(3)]
        report = server.report()
        assert report.unfired == ()
        assert [one.faults for one in report.served] == [
            ("status:529,times=2,retry-after=0",)
        ] * 2 + [()]
        return got

    one, two, three = served(tape, at_once("status:529,times=2,retry-after=0"), use)
    assert one.status == two.status == 529
    assert one.headers["retry-after"] == "0"
    assert json.loads(one.body)["error"]["type"] == "overloaded_error"
    assert (three.status, three.body) == (200, bodies(tape)[0])


def test_an_event_comes_twice(recording: Recording) -> None:
    recording.answer(1)
    tape = recording.tape()
    events = [event.data for event in tape.provider().exchanges[0].events]
    got = served(tape, at_once("duplicate@event=4"), ask)
    assert got.body == b"".join([*events[:4], events[3], *events[4:]])
    assert got.ended == "complete"


def test_faults_compose_over_exchanges(recording: Recording) -> None:
    recording.answer(1)
    recording.answer(2)
    plan = at_once("status:500,exchange=1", "cut:clean@exchange=2,event=0", "duplicate@event=1")

    async def use(server: Server) -> list[tuple[int, str]]:
        got = [await ask(server) for _ in range(4)]
        return [(one.status, one.ended) for one in got]

    assert served(recording.tape(), plan, use) == [
        (500, "complete"), (200, "complete"), (200, "short"), (200, "complete"),
    ]  # fmt: skip


def test_a_fault_that_did_not_fire_is_an_error(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> None:
        await ask(server)

    with pytest.raises(PlanError, match="status:500,times=2 fired 1 of 2 times"):
        served(recording.tape(), at_once("status:500,times=2"), use)


def test_the_blocks_own_error_is_not_hidden_by_an_unfired_fault(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        served(recording.tape(), at_once("status:500"), use)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cut:clean@event=99", "can never happen here (exchange 1 has 8 events, "),
        ("status:500,exchange=3", "can never happen here"),
        ("duplicate@event=0", "can never happen here"),
        ("kill@event=1", "the server cannot do that"),
    ],
)
def test_a_fault_that_cannot_fire_is_refused_at_once(
    recording: Recording, spec: str, said: str
) -> None:
    recording.answer(1)
    with pytest.raises(PlanError) as caught:
        served(recording.tape(), at_once(spec), ask)
    assert said in str(caught.value)


def test_a_client_that_leaves_first_gives_the_fault_back(recording: Recording) -> None:
    recording.answer(1, ["word "] * 40)
    tape = recording.tape()
    plan = make_plan(["cut:reset@event=46"])

    async def use(server: Server) -> list[str]:
        client = ReplayClient(server.url, make_plan(["cancel@event=4"]))
        exchange = tape.provider().exchanges[0]
        left = await client.ask(exchange)
        assert left.events == 4
        client.check()
        return [left.ended, (await client.ask(exchange)).ended]

    assert served(tape, plan, use) == ["left", "reset"]


@pytest.mark.parametrize("spec", ["stall:60@event=2", "delay:60@event=2", "hang@event=2"])
def test_a_silence_has_happened_when_the_client_gives_up(recording: Recording, spec: str) -> None:
    recording.answer(1)
    tape = recording.tape()

    async def use(server: Server) -> str:
        client = ReplayClient(server.url, make_plan(["cancel@event=2"]))
        left = await client.ask(tape.provider().exchanges[0])
        while not server.report().served:
            await asyncio.sleep(0.01)
        assert server.report().served[0].faults == (spec,)
        return left.ended

    assert served(tape, at_once(spec), use) == "left"


def test_the_replay_client_is_told_when_its_cancel_did_not_come(recording: Recording) -> None:
    recording.answer(1)
    exchange = recording.tape().provider().exchanges[0]

    async def use(server: Server) -> None:
        client = ReplayClient(server.url, make_plan(["cancel@event=8,exchange=2"]))
        assert (await client.ask(exchange)).ended == "complete"
        client.check()

    with pytest.raises(PlanError, match="cancel,exchange=2@event=8 fired 0 of 1"):
        served(recording.tape(), at_once(), use)


def test_a_miss_is_an_error_in_the_providers_shape(recording: Recording) -> None:
    recording.answer(1, features={"model": "m"})

    async def use(server: Server) -> Fetched:
        got = await ask(server, b'{"model":"other"}')
        assert [miss.nearest for miss in server.report().misses] == [1]
        assert "miss: request 1: nearest is exchange 1" in "\n".join(server.report().lines())
        return got

    got = served(recording.tape(), at_once(), use)
    assert got.status == 400
    assert got.headers["x-should-retry"] == "false"
    error = json.loads(got.body)
    assert error["type"] == "error"
    assert error["error"]["message"] == (
        "turnreel: no recording answers: nearest is exchange 1, "
        'which differs at /model: "m" recorded, "other" asked (ask for the recorded model)'
    )


@pytest.mark.parametrize("name", ["", "abc", "1/zz", "-1", "1/2/3", "9" * 30])
def test_who_asks_for_an_exchange_that_is_none_gets_no_other(
    recording: Recording, name: str
) -> None:
    recording.answer(1)

    async def use(server: Server) -> Fetched:
        return await fetch(server.url, PATH, body=b"{}", headers={"x-turnreel-exchange": name})

    got = served(recording.tape(), at_once(), use)
    assert got.status == 400
    assert b"there is no exchange 0 (x-turnreel-exchange is the number" in got.body


def test_the_whole_form_of_a_streamed_answer(recording: Recording) -> None:
    recording.answer(1, ["Hällo ", "wörld"])

    async def use(server: Server) -> Fetched:
        got = await ask(server, b'{"stream":false}')
        assert [one.form for one in server.report().served] == ["whole"]
        return got

    got = served(recording.tape(), at_once(), use)
    assert json.loads(got.body) == {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "Hällo wörld"}],
        "stop_reason": "end_turn",
        "usage": {"output_tokens": 2},
    }


def test_a_fault_meets_the_whole_form_as_well(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> list[int]:
        asked = [await ask(server, b'{"stream":false}') for _ in range(2)]
        assert [one.form for one in server.report().served] == ["whole", "whole"]
        assert asked[1].headers["request-id"] == "req_1"
        return [one.status for one in asked]

    assert served(recording.tape(), at_once("status:529"), use) == [529, 200]


def test_probes_and_heads(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> list[tuple[int, bytes]]:
        async with aiohttp.ClientSession(server.url) as session:
            async with session.head("/") as head:
                first = head.status, await head.read()
            async with session.post(f"{PATH}/count_tokens", json={}) as count:
                return [first, (count.status, await count.read())]

    assert served(recording.tape(), at_once(), use) == [(200, b""), (200, b'{"input_tokens":1}')]


def test_what_was_cut_or_never_answered_ends_without_hanging(recording: Recording) -> None:
    recording.request(1)
    recording.note("provider", "cut", {"by": "unknown", "at": 0}, n=1)
    recording.request(2)
    recording.response(2, 500)
    recording.note("provider", "data", {"type": "error"}, n=2)
    recording.note("provider", "cut", {"by": "client", "at": 16}, n=2)

    async def run() -> list[tuple[int, bytes, str]]:
        async with serving(recording.tape(), at_once(), patience_s=0.1) as server:
            got = [await ask(server), await ask(server)]
            return [(one.status, one.body, one.ended) for one in got]

    assert asyncio.run(run()) == [(0, b"", "short"), (500, b'{"type":"error"}', "short")]


def test_connections_are_kept_alive_between_exchanges(recording: Recording) -> None:
    for n in (1, 2):
        recording.answer(n)
    recording.request(3)
    recording.response(3, 400)
    recording.note("provider", "data", {"type": "error"}, n=3)
    recording.note("provider", "end", {}, n=3)
    tape = recording.tape()

    async def use(server: Server) -> list[bytes]:
        connections = []

        async def made(*_: object) -> None:
            connections.append(1)

        trace = aiohttp.TraceConfig()
        trace.on_connection_create_end.append(made)
        async with aiohttp.ClientSession(server.url, trace_configs=[trace]) as session:
            got = []
            for _ in range(3):
                async with session.post(PATH, json={"stream": True}) as response:
                    got.append(await response.read())
        assert len(connections) == 1
        return got

    assert served(tape, at_once(), use) == bodies(tape)


def test_a_connection_is_closed_behind_the_body_where_it_was(recording: Recording) -> None:
    recording.request(1)
    recording.response(1, connection="close", content_type="text/event-stream")
    recording.event(1, {"type": "ping"})
    recording.note("provider", "end", {}, n=1)
    recording.answer(2)

    async def use(server: Server) -> tuple[bytes, bytes]:
        port = int(server.url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 15\r\n\r\n")
        writer.write(b'{"stream":true}')
        raw = await reader.read()  # to the end of the connection, which the client did not ask for
        writer.close()
        head, _, body = raw.partition(b"\r\n\r\n")
        return head.lower(), body

    head, body = served(recording.tape(), at_once(), use)
    assert b"\r\nconnection: close" in head
    assert body.endswith(b"\r\n0\r\n\r\n")


def test_a_client_of_http_1_0_gets_the_plain_body(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> bytes:
        port = int(server.url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b'POST /v1/messages HTTP/1.0\r\ncontent-length: 15\r\n\r\n{"stream":true}')
        raw = await reader.read()
        writer.close()
        return raw.partition(b"\r\n\r\n")[2]

    assert served(recording.tape(), at_once(), use) == bodies(recording.tape())[0]


def test_many_clients_at_once_get_each_their_own(recording: Recording) -> None:
    for n in range(1, 41):
        recording.answer(n, [f"answer {n} "] * n)
    tape = recording.tape()

    async def use(server: Server) -> list[bytes]:
        client = ReplayClient(server.url)
        asked = [client.ask(exchange) for exchange in tape.provider().exchanges]
        return [fetched.body for fetched in await asyncio.gather(*asked)]

    assert served(tape, at_once(), use) == bodies(tape)


def test_two_clients_cannot_share_one_firing(recording: Recording) -> None:
    recording.answer(1, ["word "] * 50)
    recording.answer(2, ["word "] * 50)
    tape = recording.tape()

    async def use(server: Server) -> list[str]:
        client = ReplayClient(server.url)
        asked = [client.ask(exchange) for exchange in tape.provider().exchanges]
        return sorted(fetched.ended for fetched in await asyncio.gather(*asked))

    assert served(tape, make_plan(["cut:clean@event=50"]), use) == ["complete", "short"]


def test_a_client_that_never_reads_harms_nobody_else(recording: Recording) -> None:
    recording.answer(1, ["x" * 50_000] * 400)
    recording.answer(2)
    tape = recording.tape()

    async def use(server: Server) -> bytes:
        port = int(server.url.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        request = b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 15\r\n\r\n"
        writer.write(request + b'{"stream":true}')
        await reader.readexactly(1)
        got = await ask(server)
        writer.close()
        return got.body

    assert served(tape, at_once(), use) == bodies(tape)[1]


def test_a_request_that_is_too_large_is_refused_in_shape(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> Fetched:
        return await ask(server, b"x" * (REQUEST_LIMIT + 1))

    got = served(recording.tape(), at_once(), use)
    assert got.status == 413
    assert json.loads(got.body)["error"]["type"] == "request_too_large"


def test_only_loopback_unless_told_and_a_taken_port_is_one_line(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server) -> None:
        assert server.url.startswith("http://127.0.0.1:")
        port = int(server.url.rpartition(":")[2])
        with pytest.raises(ServeError) as caught:
            async with serving(recording.tape(), port=port):
                raise AssertionError("two servers cannot have one port")
        assert str(caught.value) == f"port {port} on 127.0.0.1 is in use (choose another, or 0)"

    served(recording.tape(), at_once(), use)


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70_000), ("192.0.2.1", 0)])
def test_an_address_that_cannot_be_had_is_one_line(
    recording: Recording, host: str, port: int
) -> None:
    recording.answer(1)

    async def run() -> None:
        async with serving(recording.tape(), host=host, port=port):
            raise AssertionError("unreachable")

    with pytest.raises(ServeError) as caught:
        asyncio.run(run())
    assert "\n" not in str(caught.value)


def test_a_cassette_without_a_provider_is_refused(recording: Recording) -> None:
    recording.line({"type": "result"})
    with pytest.raises(ReplayError, match="holds no provider exchanges"):
        served(recording.tape(), at_once(), ask)


def test_nobody_at_the_url_is_one_line() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ServeError, match="is it served"):
        asyncio.run(fetch(f"http://127.0.0.1:{port}"))
