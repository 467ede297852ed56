"""The control API: state, journal, faults armed and disarmed, and nobody without the token."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from turnreel.replayer.client import Fetched, fetch
from turnreel.replayer.control import BODY_LIMIT, controlled
from turnreel.replayer.errors import PlanError, ServeError
from turnreel.replayer.plan import make_plan
from turnreel.replayer.server import Server, serving

if TYPE_CHECKING:
    from conftest import Recording

Ask = Callable[..., Awaitable[tuple[int, Any]]]


def controlling(
    recording: Recording, use: Callable[[Server, Ask], Awaitable[Any]], *specs: str
) -> Any:
    """What `use` returns of a server and a way to ask its control API."""

    async def run() -> Any:
        plan = make_plan(specs, pacing="max")
        async with (
            serving(recording.tape(), plan) as server,
            controlled(server) as url,
            aiohttp.ClientSession() as session,
        ):

            async def ask(method: str, path: str, **more: Any) -> tuple[int, Any]:
                base = more.pop("base", url)
                async with session.request(method, f"{base}{path}", **more) as response:
                    return response.status, await response.json()

            return await use(server, ask)

    return asyncio.run(run())


async def asked(server: Server, path: str = "/v1/messages") -> Fetched:
    return await fetch(server.url, path, body=b'{"stream":true}')


def test_the_state_tells_what_is_served_and_asked_for(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server, ask: Ask) -> Any:
        await asked(server)
        await asked(server, "/nowhere")
        return await ask("GET", "/state")

    status, state = controlling(recording, use, "drop@event=2")
    assert status == 200
    assert state.pop("url").startswith("http://127.0.0.1:")
    assert state == {
        "cassettes": ["test.cassette.jsonl"],
        "requests": 2,
        "missed": 1,
        "clients": 1,
        "seed": 0,
        "pacing": 0.0,
        "faults": [
            {"number": 0, "fault": "drop@event=2", "planned": 1, "fired": 1, "disarmed": False}
        ],
    }


def test_the_journal_tells_what_came_behind_a_request(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server, ask: Ask) -> Any:
        for path in ("/v1/messages", "/nowhere", "/v1/messages"):
            await asked(server, path)
        return await ask("GET", "/journal?after=1")

    _, journal = controlling(recording, use)
    told = [(one["request"], one["form"], one["exchange"]) for one in journal["served"]]
    assert told == [(2, "miss", None), (3, "miss", None)]
    assert [one["request"] for one in journal["misses"]] == [2, 3]


def test_a_fault_is_armed_while_it_runs_and_fires(recording: Recording) -> None:
    recording.answer(1)
    recording.answer(2)

    async def use(server: Server, ask: Ask) -> list[str]:
        first = await asked(server)
        status, state = await ask("POST", "/faults", json={"faults": ["cut:reset@event=3"]})
        assert (status, [one["fired"] for one in state["faults"]]) == (201, [0])
        second, third = await asked(server), await asked(server)
        _, state = await ask("GET", "/state")
        assert [one["fired"] for one in state["faults"]] == [1]
        return [first.ended, second.ended, third.ended]

    assert controlling(recording, use) == ["complete", "reset", "complete"]


def test_a_fault_that_was_armed_and_did_not_happen_is_an_error(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server, ask: Ask) -> None:
        await ask("POST", "/faults", json={"faults": ["status:529"]})

    with pytest.raises(PlanError, match="status:529 fired 0 of 1"):
        controlling(recording, use)


def test_a_disarmed_fault_fires_no_more_and_need_not(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server, ask: Ask) -> Any:
        status, state = await ask("DELETE", "/faults/0")
        assert (status, state["faults"][0]["disarmed"]) == (200, True)
        got = await asked(server)
        assert "disarmed" in "\n".join(server.report().lines())
        return got.status

    assert controlling(recording, use, "status:529") == 200


def test_a_reset_begins_anew(recording: Recording) -> None:
    recording.answer(1, ["one"])
    recording.answer(2, ["two"])

    async def use(server: Server, ask: Ask) -> list[Any]:
        await ask("POST", "/faults", json={"faults": ["drop@event=1,times=9"]})
        before = [await asked(server), await asked(server), await asked(server)]
        _, state = await ask("POST", "/reset")
        assert (state["requests"], state["missed"], len(state["faults"])) == (0, 0, 1)
        after = [await asked(server), await asked(server)]
        return [[one.status for one in before], [one.status for one in after]]

    assert controlling(recording, use, "status:529") == [[529, 200, 200], [529, 200]]


@pytest.mark.parametrize("path", ["", "/", "/wrong/state", "/%00/state", "//state"])
def test_nobody_without_the_token(recording: Recording, path: str) -> None:
    recording.answer(1)

    async def use(server: Server, ask: Ask) -> Any:
        _, state = await ask("GET", "/state")
        assert state["requests"] == 0

        async def run() -> Any:
            async with controlled(server) as url:
                base = url.rpartition("/")[0]
                return await ask("GET", path, base=base)

        return await run()

    assert controlling(recording, use) == (
        403,
        {"error": "wrong token", "remedy": "it is in the printed URL"},
    )


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "told"),
    [
        ("POST", "/faults", b"{", 400, "not a list of faults"),
        ("POST", "/faults", b'{"faults": "x"}', 400, "not a list of faults"),
        ("POST", "/faults", b'{"faults": ["nonsense"]}', 400, "nothing is called `nonsense`"),
        ("POST", "/faults", b'{"faults": ["kill@event=1"]}', 400, "the server cannot do that"),
        ("POST", "/faults", b'{"faults": ["drop@event=99"]}', 400, "can never happen here"),
        ("POST", "/faults", b" " * (BODY_LIMIT + 1), 413, ""),
        ("DELETE", "/faults/7", b"", 400, "there is no fault 7"),
        ("DELETE", "/faults/x", b"", 400, "there is no fault"),
        ("GET", "/journal?after=x", b"", 400, "no request's number"),
        ("GET", "/elsewhere", b"", 404, "Not Found"),
        ("PUT", "/state", b"", 405, "Method Not Allowed"),
    ],
)
def test_what_cannot_be_done_is_told(
    recording: Recording, method: str, path: str, body: bytes, status: int, told: str
) -> None:
    recording.answer(1)

    async def use(server: Server, ask: Ask) -> Any:
        return await ask(method, path, data=io.BytesIO(body))

    got, said = controlling(recording, use)
    assert got == status
    assert told in said["error"]
    assert "remedy" in said


@pytest.mark.parametrize("host", ["0.0.0.0", "", "192.0.2.1", "::", "example.org"])
def test_it_listens_on_loopback_alone(recording: Recording, host: str) -> None:
    recording.answer(1)

    async def use(server: Server, ask: Ask) -> None:
        async with controlled(server, host=host):
            raise AssertionError("others could reach it")

    with pytest.raises(ServeError, match="loopback alone"):
        controlling(recording, use)
