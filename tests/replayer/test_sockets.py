"""WebSockets served: each message answered from its recording, in full or as a chain, with faults
and with the recorded ends.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from aiohttp import WSMsgType

from turnreel.adapters.openai_responses.builders import completed, created, streamed
from turnreel.adapters.steps import Say
from turnreel.replayer.asking import ask_again
from turnreel.replayer.exchanges import exchanges
from turnreel.replayer.plan import make_plan
from turnreel.replayer.server import Server, serving
from turnreel.replayer.tape import ProviderScript, Tape
from turnreel.wire.units import Json

if TYPE_CHECKING:
    from conftest import Recording

PATH = "/v1/responses"
DIALECT = "openai-responses"
Socket = aiohttp.ClientWebSocketResponse


def message(*roles: str, after: str | None = None, generate: bool = True) -> dict[str, Json]:
    """What a client says: with the history given, or continuing an answer."""
    entries: Json = [{"type": "message", "role": role} for role in roles]
    said: dict[str, Json] = {"type": "response.create", "model": "m", "stream": True}
    if after is not None:
        said["previous_response_id"] = after
    if not generate:
        said["generate"] = False
    return {**said, "input": entries}


def answer(name: str, *texts: str) -> list[dict[str, Json]]:
    items = [streamed(n, f"{name}_{n}", Say(text)) for n, text in enumerate(texts)]
    return [created(name), *(event for item in items for event in item), completed(name)]


class Web:
    """A recording of WebSockets."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.told: list[list[dict[str, Json]]] = []
        self._n = 0

    def open(self) -> None:
        self._n += 1
        self.recording.note("provider", "open", {"path": PATH, "headers": {}}, n=self._n)

    def said(self, said: dict[str, Json] | None, answered: list[dict[str, Json]]) -> None:
        if said is not None:
            self.recording.note("provider", "send", said, n=self._n)
        for event in answered:
            self.recording.note("provider", "receive", event, n=self._n)
        self.told.append(answered)

    def closed(self, code: int, by: str) -> None:
        self.recording.note("provider", "close", {"code": code, "by": by}, n=self._n)

    def tape(self) -> Tape:
        made = exchanges(self.recording.records, "provider", DIALECT)
        return Tape("web.cassette.jsonl", providers=(ProviderScript("provider", DIALECT, made),))


@pytest.fixture
def web(recording: Recording) -> Web:
    """A WebSocket as Codex has it: it makes ready, asks, and continues."""
    one = Web(recording)
    one.open()
    one.said(message("developer", generate=False), answer("resp_0"))
    one.said(message("user", after="resp_0"), answer("resp_1", "I look.", "Further."))
    one.said(message("user", after="resp_1"), answer("resp_2", "Done."))
    return one


def talked(tape: Tape, specs: Sequence[str], use: Callable[[Server, Dial], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with (
            serving(tape, make_plan(specs, pacing="max"), patience_s=5) as server,
            aiohttp.ClientSession() as session,
        ):
            return await use(server, Dial(session, server.url + PATH))

    return asyncio.run(run())


class Dial:
    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session = session
        self._url = url

    @asynccontextmanager
    async def __call__(self, **headers: str) -> AsyncIterator[Socket]:
        ws = self._session.ws_connect(self._url, headers=headers, autoclose=False)
        async with ws as socket:
            yield socket


async def heard(socket: Socket, said: dict[str, Json]) -> list[Any]:
    """The answer to a message; at its end the code if the WebSocket was closed."""
    await socket.send_str(json.dumps(said))
    events: list[Any] = []
    while True:
        got = await socket.receive(10)
        if got.type is not WSMsgType.TEXT:
            return [*events, got.data if got.type is WSMsgType.CLOSE else "cut"]
        events.append(json.loads(got.data))
        if events[-1]["type"] in ("response.completed", "error"):
            return events


CHAIN = (
    message("developer", generate=False),
    message("user", after="resp_0"),
    message("user", after="resp_1"),
)
FULL = (
    message("developer", generate=False),
    message("developer", "user"),
    message("developer", "user", "assistant", "assistant", "user"),
)


@pytest.mark.parametrize("said", [CHAIN, FULL], ids=["chain", "full"])
def test_a_chain_and_its_full_form_are_the_same_steps(
    web: Web, said: Sequence[dict[str, Json]]
) -> None:
    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            got = [await heard(socket, one) for one in said]
        report = server.report()
        assert [one.status for one in report.served] == [101] * 3
        assert [one.events for one in report.served] == [len(told) for told in web.told]
        return got

    assert talked(web.tape(), (), use) == web.told


def test_what_was_sent_in_full_behind_a_reconnect_is_continued(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            await heard(socket, CHAIN[0])
            cut = await heard(socket, CHAIN[1])
        async with dial() as socket:
            return [cut[-1], await heard(socket, FULL[1]), await heard(socket, CHAIN[2])]

    code, *rest = talked(web.tape(), ["close:1011@event=4"], use)
    assert code == 1011
    assert rest == web.told[1:]


def test_a_client_that_kept_whole_items_of_a_cut_answer_gets_it_again(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            await heard(socket, CHAIN[0])
            await heard(socket, CHAIN[1])
        async with dial() as socket:
            kept = message("developer", "user", "assistant")
            return [await heard(socket, kept), await heard(socket, CHAIN[2])]

    assert talked(web.tape(), ["cut:clean@event=6"], use) == web.told[1:]


def test_without_the_clients_messages_the_recorded_order_decides(recording: Recording) -> None:
    web = Web(recording)
    web.open()
    web.said(None, answer("resp_0"))
    web.said(None, answer("resp_1", "One."))
    web.open()
    web.said(None, answer("resp_2", "Two."))

    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            return [await heard(socket, one) for one in FULL]

    assert talked(web.tape(), (), use) == web.told


@pytest.mark.parametrize("code", [1000, 1008, 1011])
def test_a_websocket_is_closed_where_it_was(web: Web, code: int) -> None:
    web.closed(code, "upstream")

    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            for one in CHAIN[:2]:
                await heard(socket, one)
            got = await heard(socket, CHAIN[2])
            closing = await socket.receive(10)
            return [got, closing.type, closing.data]

    assert talked(web.tape(), (), use) == [web.told[2], WSMsgType.CLOSE, code]


@pytest.mark.parametrize("by", ["client", None])
def test_one_that_was_left_or_left_open_stays_open(web: Web, by: str | None) -> None:
    if by:
        web.closed(1000, by)

    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            return [await heard(socket, one) for one in (*CHAIN, CHAIN[2])]

    assert talked(web.tape(), (), use) == [*web.told, web.told[2]]


@pytest.mark.parametrize(
    ("spec", "ending"),
    [
        ("cut:clean@event=3,exchange=1", "cut"),
        ("truncate@event=3", "cut"),
        ("close:1013@event=1", 1013),
    ],
)
def test_faults_end_a_websocket_at_their_event(web: Web, spec: str, ending: object) -> None:
    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            got = await heard(socket, FULL[1])
        assert (
            server.report().served[0].faults
            == (spec if "exchange" in spec or ":" in spec else server.report().faults[0].fault,)
            or server.report().faults[0].fired == 1
        )
        return got

    assert talked(web.tape(), [spec], use)[-1] == ending


def test_a_ping_is_not_answered_inside_a_message(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            await socket.send_str(json.dumps(FULL[1]))
            first = json.loads((await socket.receive(10)).data)
            for _ in range(5):
                await socket.ping(b"there?")
                await asyncio.sleep(0.01)
            rest: list[Any] = []
            while not rest or rest[-1]["type"] != "response.completed":
                rest.append(json.loads((await socket.receive(10)).data))
            return [first, *rest]

    assert talked(web.tape(), ["drip:3,gap=5@event=2"], use) == web.told[1]


def test_the_first_sub_protocol_is_spoken_and_none_is_logged(
    web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    async def use(server: Server, dial: Dial) -> str | None:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(server.url + PATH, protocols=("realtime", "key.secret")) as socket,
        ):
            return socket.protocol

    assert talked(web.tape(), (), use) == "realtime"
    assert not caplog.records


@pytest.mark.parametrize("code", [1005, 1006, 70_000, -1])
def test_a_code_that_nobody_sends_is_not_sent(web: Web, code: int) -> None:
    web.closed(code, "upstream")

    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            for one in CHAIN:
                await heard(socket, one)
            closing = await socket.receive(10)
            return [closing.type, closing.data]

    assert talked(web.tape(), (), use) == [WSMsgType.CLOSE, 0]


def test_a_websocket_is_gone_on_with_at_a_later_answer(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial(**{"x-turnreel-exchange": "1/2"}) as socket:
            return [await heard(socket, FULL[1]), await heard(socket, CHAIN[2])]

    assert talked(web.tape(), (), use) == web.told[1:]


def test_a_status_is_the_providers_error_message(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> list[Any]:
        async with dial() as socket:
            return [await heard(socket, FULL[1]), await heard(socket, FULL[1])]

    (refused,), then = talked(web.tape(), ["status:429,retry-after=1"], use)
    assert (refused["type"], refused["status"]) == ("error", 429)
    assert refused["headers"] == {"retry-after": "1"}
    assert then == web.told[1]


def test_events_are_dropped_and_doubled(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> Any:
        async with dial() as socket:
            return await heard(socket, FULL[1])

    whole = web.told[1]
    got = talked(web.tape(), ["drop@event=2,exchange=1", "duplicate@event=1,exchange=1"], use)
    assert got == [whole[0], whole[0], *whole[2:]]


def test_a_miss_is_an_error_message_and_the_websocket_stays(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> Any:
        async with dial() as socket:
            miss = await heard(socket, message("user", "user", "user", "user"))
            assert server.report().missed == 1
            return miss, await heard(socket, FULL[1])

    (miss,), then = talked(web.tape(), (), use)
    assert (miss["type"], miss["status"]) == ("error", 400)
    assert "nearest is exchange 1, which differs at /" in miss["error"]["message"]
    assert then == web.told[1]


def test_an_answer_that_was_not_given_here_cannot_be_continued(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> Any:
        async with dial() as socket:
            return await heard(socket, CHAIN[2])

    (unknown,) = talked(web.tape(), (), use)
    assert unknown["error"]["code"] == "previous_response_not_found"


def test_making_ready_needs_no_recording(recording: Recording) -> None:
    web = Web(recording)
    web.open()
    web.said(message("developer", "user"), answer("resp_1", "One."))

    async def use(server: Server, dial: Dial) -> Any:
        async with dial() as socket:
            ready = await heard(socket, CHAIN[0])
            name = ready[-1]["response"]["id"]
            return await heard(socket, message("user", after=name))

    assert talked(web.tape(), (), use) == web.told[0]


def test_where_no_websocket_was_recorded_clients_do_without(recording: Recording) -> None:
    recording.answer(1)

    async def use(server: Server, dial: Dial) -> int:
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            async with dial():
                raise AssertionError("there is none")
        return caught.value.status

    assert talked(recording.tape(), (), use) == 426


def test_a_client_that_leaves_in_the_middle_harms_nobody(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> Any:
        async with dial() as gone:
            await gone.send_str(json.dumps(FULL[1]))
            await gone.receive(10)
        async with dial() as socket:
            return await heard(socket, FULL[2])

    assert talked(web.tape(), ["stall:30@event=2"], use) == web.told[2]


def test_clients_at_once_get_each_their_own(web: Web) -> None:
    async def use(server: Server, dial: Dial) -> Any:
        async def all_of_it(name: str) -> list[Any]:
            async with dial(**{"session-id": name}) as socket:
                return [await heard(socket, one) for one in CHAIN]

        return await asyncio.gather(*(all_of_it(str(n)) for n in range(20)))

    assert talked(web.tape(), (), use) == [web.told] * 20


def test_the_replay_client_hears_what_was_recorded(web: Web) -> None:
    web.closed(1011, "upstream")
    made = web.tape().provider().exchanges

    async def use(server: Server, dial: Dial) -> Any:
        return await ask_again(made, server.url, make_plan(pacing="max"))

    asked = talked(web.tape(), (), use)
    assert [one.is_recorded for one in asked] == [True] * 3
    assert asked[-1].answers[-1].code == 1011


def test_the_replay_client_leaves_where_it_is_told(web: Web) -> None:
    made = web.tape().provider().exchanges

    async def use(server: Server, dial: Dial) -> Any:
        return await ask_again(made, server.url, make_plan(["cancel@event=3"], pacing="max"))

    asked = talked(web.tape(), (), use)
    assert [one.answers[-1].ended for one in asked] == ["complete", "left"]
    assert asked[-1].answers[-1].events == 3
