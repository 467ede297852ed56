"""Performances: worked out once, or as they are played where the answer is long."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from tests.replayer.streams import PROVIDERS, exchange
from turnreel.replayer import performance as performing
from turnreel.replayer.compiling import BATCH_BYTES, PLAIN, Batch, Move, compiled
from turnreel.replayer.emitter import Emitter
from turnreel.replayer.faults import Plan
from turnreel.replayer.performance import Carriage, Performances, framing, performance
from turnreel.replayer.plan import make_plan
from turnreel.replayer.schedule import schedule
from turnreel.replayer.script import Closed, Torn
from turnreel.replayer.steps import Schedule

NONE: frozenset[int] = frozenset()


@pytest.mark.parametrize(
    "carriage", ["http/1.1", "http/1.0", "head", "websocket", "binary websocket"]
)
@pytest.mark.parametrize("pacing", ["recorded", "max", "factor:3"])
@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_long_answer_is_played_as_a_short_one(
    monkeypatch: pytest.MonkeyPatch, dialect: str, pacing: str, carriage: Carriage
) -> None:
    """Whatever its end, and as often as it is asked for."""
    plan = make_plan([], pacing=pacing)
    whole = exchange(dialect)
    ends: list[Any] = [whole.end, Torn(90_000, "client"), Torn(90_000, "upstream"), None]
    if carriage.endswith("websocket"):
        whole = replace(whole, response=None)
        ends.append(Closed(90_000, 1011, b"bye"))
    for end in ends:
        one = replace(whole, end=end)
        short = performance(one, plan, NONE, carriage)
        with monkeypatch.context() as patched:
            patched.setattr(performing, "LONG", 0)
            played = performance(one, plan, NONE, carriage)
        assert not isinstance(played.moves, tuple)
        assert (played.size, played.faults) == (0, NONE)
        assert tuple(played.moves) == short.moves == tuple(played.moves)


def test_a_fault_is_found_in_a_long_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performing, "LONG", 0)
    plan = make_plan(["drop@event=2"])
    made = performance(exchange("anthropic-messages"), plan, frozenset({0}), "http/1.1")
    assert made.faults == {0}
    steps = schedule(exchange("anthropic-messages"), plan)
    assert made.moves == compiled(steps, framing(steps, "http/1.1"))


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    exchanges = [exchange("anthropic-messages", number) for number in range(1, 9)]
    kept = Performances(exchanges)
    plan = Plan()
    first = kept.of(0, plan, NONE, "http/1.1")
    assert kept.of(0, plan, NONE, "http/1.1") is first
    monkeypatch.setattr(performing, "KEPT_BYTES", 3 * first.size)
    latest = [kept.of(place, plan, NONE, "http/1.1") for place in range(8)]
    assert [kept.of(place, plan, NONE, "http/1.1") for place in (5, 6, 7)] == latest[5:]
    assert all(kept.of(place, plan, NONE, "http/1.1") is latest[place] for place in (5, 6, 7))
    assert kept.of(0, plan, NONE, "http/1.1") is not first
    monkeypatch.setattr(performing, "KEPT_BYTES", 1)  # one is always kept: a crowd asks for it
    assert kept.of(3, plan, NONE, "http/1.1") is kept.of(3, plan, NONE, "http/1.1")


def test_nothing_is_made_ahead_of_a_reader_that_does_not_read() -> None:
    """However long the answer, its moves are asked for as they are written."""
    made = 0
    batch = Batch(0, b"x" * BATCH_BYTES, BATCH_BYTES, 1, ())

    def endless() -> Iterator[Move]:
        nonlocal made
        while True:
            made += 1
            yield batch

    class Deaf:
        def __init__(self, writer: asyncio.StreamWriter) -> None:
            self._writer = writer
            self.transport: Any = writer.transport

        async def open(self, head: object) -> None:
            raise AssertionError("there is no head")

        async def drain(self) -> None:
            await self._writer.drain()

        async def gone(self) -> None:
            raise AssertionError("nobody lingers")

        def torn(self, inside: bool) -> None:
            raise AssertionError("every event is whole")

    async def run() -> Emitter:
        played: asyncio.Future[Emitter] = asyncio.get_running_loop().create_future()

        async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            emitter = Emitter(Deaf(writer))
            playing = asyncio.create_task(emitter.play(endless()))
            before = -1
            while before != emitter.sent:  # until the other side's buffers are full
                before = emitter.sent
                await asyncio.sleep(0.2)
            playing.cancel()
            await asyncio.wait([playing])
            writer.transport.abort()
            played.set_result(emitter)

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            address = server.sockets[0].getsockname()
            _, writer = await asyncio.open_connection(*address[:2], limit=1)
            emitter = await played
            writer.close()
        return emitter

    emitter = asyncio.run(run())
    assert 0 < emitter.sent < 64 << 20
    assert made <= emitter.sent // BATCH_BYTES + 1


def test_an_empty_schedule_has_no_moves() -> None:
    assert compiled(Schedule(()), PLAIN) == ()
