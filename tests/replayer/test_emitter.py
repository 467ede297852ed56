"""The emitter on real sockets: every byte, exactly those, and the right kind of end."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from turnreel.replayer.compiling import (
    BATCH_BYTES,
    CHUNKED,
    PLAIN,
    WEBSOCKET,
    Batch,
    Move,
    compiled,
)
from turnreel.replayer.emitter import Emitter
from turnreel.replayer.steps import (
    Await,
    Break,
    Close,
    End,
    Head,
    Linger,
    Mark,
    Schedule,
    Send,
    Step,
)
from turnreel.wire.encode import encode
from turnreel.wire.units import BodyFraming, TextUnit

UNIT = TextUnit("", BodyFraming())


def send(data: bytes, at_us: int = 0, **fields: Any) -> Send:
    return Send(at_us, data, UNIT, completes=(1,), **fields)


class RawOutlet:
    """An `Outlet` straight on a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.transport: asyncio.Transport = writer.transport  # type: ignore[assignment]

    async def open(self, head: Head) -> None:
        self.transport.write(f"HEAD {head.status}\n".encode())

    async def drain(self) -> None:
        await self._writer.drain()

    async def gone(self) -> None:
        await self._reader.read()

    def torn(self, inside: bool) -> None:
        """Nothing is said in between."""


Client = Callable[[socket.socket], Awaitable[Any]]


async def played(
    steps: list[Step], client: Client, *, framing: Any = PLAIN, patience_s: float = 30
) -> tuple[Emitter, Any]:
    """The emitter after playing `steps` to `client`, and what the client returned."""
    done: asyncio.Future[Emitter] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        emitter = Emitter(RawOutlet(reader, writer), patience_s=patience_s)
        with suppress(ConnectionError):
            await emitter.play(compiled(Schedule(tuple(steps)), framing))
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        done.set_result(emitter)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        sock = socket.socket()
        sock.setblocking(False)
        with sock:
            await asyncio.get_running_loop().sock_connect(sock, server.sockets[0].getsockname())
            result = await client(sock)
        return await done, result


async def read_all(sock: socket.socket) -> tuple[bytes, str]:
    """Everything that comes, and how it ended."""
    loop = asyncio.get_running_loop()
    got = b""
    try:
        while data := await loop.sock_recv(sock, 1 << 16):
            got += data
    except ConnectionResetError:
        return got, "reset"
    return got, "fin"


async def read_slowly(sock: socket.socket) -> tuple[bytes, str]:
    """As `read_all`, but only when everything on the way has piled up."""
    await asyncio.sleep(0.3)
    return await read_all(sock)


@pytest.mark.parametrize("client", [read_all, read_slowly])
@pytest.mark.parametrize("how", ["clean", "reset"])
@pytest.mark.parametrize("size", [1, 1000, 400_000])
def test_an_end_comes_after_exactly_the_bytes_before_it(
    how: str, size: int, client: Client
) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    steps: list[Step] = [send(data[:size]), Break(0, how, (3,))]  # type: ignore[arg-type]
    emitter, (got, end) = asyncio.run(played(steps, client))
    assert got == data[:size]
    assert end == ("reset" if how == "reset" else "fin")
    assert (emitter.sent, emitter.events, emitter.fired) == (size, 1, [3])
    assert emitter.ended == f"cut {how}"
    assert emitter.unflushed == 0


def test_a_reset_waits_only_so_long_for_a_client_that_never_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def never(sock: socket.socket) -> None:
        await asyncio.sleep(0.5)

    monkeypatch.setattr("turnreel.replayer.emitter.FLUSH_S", 0.1)
    emitter, _ = asyncio.run(played([send(b"x" * 400_000), Break(0, "reset", (0,))], never))
    assert emitter.ended == "cut reset"
    assert 0 < emitter.unflushed < 400_000


def test_a_client_that_never_reads_costs_one_batch() -> None:
    async def never(sock: socket.socket) -> None:
        await asyncio.sleep(0.3)

    steps: list[Step] = [send(b"x" * BATCH_BYTES) for _ in range(2000)]
    emitter, _ = asyncio.run(played(steps, never))
    assert emitter.ended == "left"
    assert emitter.sent < 40_000_000  # kernel buffers, and not the 131 MB there are


def test_the_head_comes_first_and_the_end_is_the_callers() -> None:
    steps: list[Step] = [Head(0, 200, (), "length", 2, (1,)), send(b"ab"), End(0)]
    emitter, (got, end) = asyncio.run(played(steps, read_all))
    assert (got, end, emitter.ended, emitter.fired) == (b"HEAD 200\nab", "fin", "complete", [1])


def test_times_are_absolute_and_never_early() -> None:
    begun = time.monotonic()  # before the schedule begins, however busy the machine is

    async def stamp(sock: socket.socket) -> list[float]:
        came = []
        while await asyncio.get_running_loop().sock_recv(sock, 1):
            came.append(time.monotonic() - begun)
        return came

    steps: list[Step] = [send(b"x", at_us=20_000 * n) for n in range(10)]
    _, came = asyncio.run(played(steps, stamp))
    assert len(came) == 10
    assert all(at >= 0.020 * n - 0.001 for n, at in enumerate(came))


def test_what_goes_wrong_while_it_is_worked_out_does_not_hang() -> None:
    def broken() -> Iterator[Move]:
        yield Batch(0, b"x", 1, 1, ())
        yield Batch(1_000, b"y", 1, 1, ())
        raise ArithmeticError("a defect of ours")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with pytest.raises(ArithmeticError):
            await Emitter(RawOutlet(reader, writer)).play(broken())
        writer.close()

    async def run() -> tuple[bytes, str]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server, asyncio.timeout(20):
            with socket.socket() as sock:
                sock.setblocking(False)
                await asyncio.get_running_loop().sock_connect(sock, server.sockets[0].getsockname())
                return await read_all(sock)

    assert asyncio.run(run()) == (b"xy", "fin")


def test_where_nothing_more_was_recorded_the_client_is_waited_for() -> None:
    async def leave(sock: socket.socket) -> bytes:
        return await asyncio.get_running_loop().sock_recv(sock, 10)

    emitter, got = asyncio.run(played([send(b"x"), Linger(0)], leave))
    assert got == b"x"
    assert emitter.ended == "cut clean"
    emitter, (got, end) = asyncio.run(played([send(b"x"), Linger(0)], read_all, patience_s=0.1))
    assert (got, end, emitter.ended) == (b"x", "fin", "cut clean")


def test_what_is_due_together_is_written_together() -> None:
    steps = (send(b"a"), send(b"bc", slices=(1, 1), faults=(4,)), send(b""), send(b"d", 5), End(9))
    assert compiled(Schedule(steps), CHUNKED) == (
        Batch(0, b"1\r\na\r\n1\r\nb\r\n1\r\nc\r\n", 3, 3, (4,), (12, 6)),
        Batch(5, b"1\r\nd\r\n", 1, 1, ()),
        End(9),
    )


def test_batches_are_bounded() -> None:
    made = compiled(Schedule(tuple(send(b"x" * 1000) for _ in range(200))), PLAIN)
    sizes = [move.size for move in made if isinstance(move, Batch)]
    assert sum(sizes) == 200_000
    assert max(sizes) < BATCH_BYTES + 1000


def test_an_agents_step_is_no_providers() -> None:
    with pytest.raises(TypeError, match="Await is an agent's step"):
        compiled(Schedule((Await(0, None),)), PLAIN)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 1000, 400_000])
def test_a_fin_inside_a_chunk_leaves_it_short_by_what_it_promised(size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    steps: list[Step] = [send(data[:size]), Break(0, "chunk", (3,), 50)]
    emitter, (got, end) = asyncio.run(played(steps, read_all, framing=CHUNKED))
    assert got == b"%x\r\n" % (size + 50) + data[:size]
    assert (end, emitter.sent, emitter.ended, emitter.fired) == ("fin", size, "cut chunk", [3])


def test_a_chunk_may_promise_and_hold_nothing() -> None:
    steps: list[Step] = [send(b"ab"), Mark(0, "", (1,)), Break(0, "chunk", (2,), 16)]
    emitter, (got, _) = asyncio.run(played(steps, read_all, framing=CHUNKED))
    assert got == b"2\r\nab\r\n10\r\n"
    assert (emitter.sent, emitter.fired) == (2, [1, 2])


def test_half_closed_the_server_still_reads() -> None:
    async def talk_on(sock: socket.socket) -> bytes:
        loop = asyncio.get_running_loop()
        got = b""
        while data := await loop.sock_recv(sock, 1 << 16):
            got += data
        for _ in range(3):  # refused from the second on, had the other side closed
            await loop.sock_sendall(sock, b"still here")
            await asyncio.sleep(0.02)
        return got

    steps: list[Step] = [send(b"x" * 400_000), Break(0, "half", (2,))]
    emitter, got = asyncio.run(played(steps, talk_on))
    assert got == b"x" * 400_000
    assert (emitter.ended, emitter.fired, emitter.sent) == ("cut half", [2], 400_000)


def test_half_closed_the_server_waits_only_so_long() -> None:
    async def stay(sock: socket.socket) -> str:
        await read_all(sock)
        await asyncio.sleep(0.3)
        with suppress(ConnectionError):
            for _ in range(3):
                await asyncio.get_running_loop().sock_sendall(sock, b"still here")
                await asyncio.sleep(0.02)
            return "taken"
        return "refused"

    steps: list[Step] = [send(b"x"), Break(0, "half")]
    emitter, fate = asyncio.run(played(steps, stay, patience_s=0.1))
    assert (fate, emitter.ended) == ("refused", "cut half")


def test_a_planned_hang_outlasts_any_patience() -> None:
    async def wait(sock: socket.socket) -> bytes:
        loop = asyncio.get_running_loop()
        got = await loop.sock_recv(sock, 10)
        with suppress(TimeoutError):
            async with asyncio.timeout(0.4):
                got += await loop.sock_recv(sock, 10) or b"fin"
        return got

    emitter, got = asyncio.run(played([send(b"x"), Linger(0, (4,))], wait, patience_s=0.05))
    assert (got, emitter.fired, emitter.ended) == (b"x", [4], "left")


def test_a_mark_fires_in_its_place_and_sends_nothing() -> None:
    steps: list[Step] = [send(b"a"), Mark(0, "event 2 is dropped", (7,), (2,)), send(b"c"), End(0)]
    emitter, (got, _) = asyncio.run(played(steps, read_all))
    assert (got, emitter.fired, emitter.events, emitter.ended) == (b"ac", [7], 2, "complete")


@pytest.mark.parametrize("size", [5, 125, 126, 65_535, 65_536, 300_000])
@pytest.mark.parametrize("code", [1000, 1011, 4999])
def test_a_websocket_is_closed_with_its_code(size: int, code: int) -> None:
    unit = TextUnit("x" * size, BodyFraming())
    steps: list[Step] = [
        Send(0, encode(unit), unit, completes=(1,)), Close(0, code, (5,)),
    ]  # fmt: skip
    emitter, (got, end) = asyncio.run(played(steps, read_all, framing=WEBSOCKET))
    assert list(frames(got)) == [(0x81, b"x" * size), (0x88, code.to_bytes(2))]
    assert (end, emitter.sent, emitter.fired) == ("fin", size, [5])


def test_a_websocket_message_that_is_cut_has_the_head_of_the_whole() -> None:
    unit = TextUnit("x" * 300, BodyFraming())
    steps: list[Step] = [Send(0, encode(unit)[:100], unit, whole=300), Break(0, "clean", (5,))]
    _, (got, _) = asyncio.run(played(steps, read_all, framing=WEBSOCKET))
    assert got == b"\x81\x7e" + (300).to_bytes(2) + b"x" * 100


def frames(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """The frames of a server: first byte and payload."""
    while raw:
        size, head = raw[1], 2
        assert size < 128, "a server does not mask"
        if size > 125:
            wide = 2 if size == 126 else 8
            size, head = int.from_bytes(raw[2 : 2 + wide]), 2 + wide
        yield raw[0], raw[head : head + size]
        raw = raw[head + size :]
