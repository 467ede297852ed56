"""The stdio tee: runs a command and stands, unnoticed, between it and its three streams.

Bytes, back-pressure, end of file in both directions, signals and the way it ended pass through
as if the command had been started directly; what passed is told to a `Sink` after it was handed
on. Nothing here knows lines, JSON or secrets.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import struct
import subprocess
import termios
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from .descriptors import End, borrowed, inherited, is_terminal, pipe_end, roomy_pipe
from .errors import RecorderError
from .exits import ExitStatus, exit_fields, exit_of
from .signals import caught
from .sink import Sink
from .spawning import spawned

READ_BYTES: Final = 1 << 16
DRAIN_SECONDS: Final = 2.0
"""How long a stream may stay open after the process is gone (a grandchild holds it)."""


async def tee(
    argv: Sequence[str],
    sink: Sink,
    *,
    track: str = "agent",
    env: Mapping[str, str] | None = None,
    started: Callable[[], None] = lambda: None,
    drain_seconds: float = DRAIN_SECONDS,
) -> ExitStatus:
    """Run `argv` (no shell) on our standard streams until it ended and what it wrote is
    delivered. Descriptors that we inherited beyond the three are the command's as well, and so is
    standard input itself where it is a terminal: what is typed there is not recorded.

    Told to `sink` under `track`: the streams ``in``, ``out``, ``err``; the facts ``eof`` (the host
    closed stdin), ``signal`` (the host sent one) and last ``exit``; a ``note`` if a stream was
    still held open. `started` is called once the command runs, before anything is told.

    Call from the main thread, on its running loop. Standard input and output are closed on the
    way, as the command's own would be; standard error stays ours. Raises `RecorderError` if the
    command cannot be started.
    """
    run = _Run(sink, track)
    with caught(run.forward):
        run.start(argv, env, started)
        return await run.finish(drain_seconds)


class _Pump:
    """Moves bytes from `source` to `target`: reads only when everything read was taken, hands on
    first and tells `seen` then. `ended` is told once: True at the end of `source`, False when
    `target` is gone (`source` is then closed too, so that whoever writes there learns it).
    """

    def __init__(
        self, source: End, target: End, seen: Callable[[bytes], None], ended: Callable[[bool], None]
    ) -> None:
        self._source = source
        self._target = target
        self._seen = seen
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._pending = memoryview(b"")
        self.delivered = 0
        self.done: asyncio.Future[None] = self._loop.create_future()
        self._listen()

    def unread(self) -> int:
        """How many bytes wait in `source` right now."""
        if self.done.done():
            return 0
        answer = fcntl.ioctl(self._source.fd, termios.FIONREAD, b"\0" * 4)
        return int(struct.unpack("i", answer)[0]) + len(self._pending)

    def stop(self) -> None:
        """End without a word: nobody will read or write any more."""
        if not self.done.done():
            self._deafen()
            self._source.close()
            self._target.close()
            self.done.set_result(None)

    def _listen(self) -> None:
        if self._source.polled:
            self._loop.add_reader(self._source.fd, self._readable)
        else:
            self._loop.call_soon(self._readable)

    def _deafen(self) -> None:
        if self._source.polled:
            self._loop.remove_reader(self._source.fd)
        if self._target.polled:
            self._loop.remove_writer(self._target.fd)

    def _readable(self) -> None:
        if self.done.done():
            return
        try:
            data = self._source.read(READ_BYTES)
        except OSError:  # the peer reset it, the terminal hung up
            data = b""
        if data is None:
            return
        if not data:
            self._finish(at_end=True)
            return
        self._pending = memoryview(data)
        is_read = self._write()
        self._seen(data)
        if not is_read:
            self._finish(at_end=False)
        elif self._pending:
            self._deafen()
            self._loop.add_writer(self._target.fd, self._writable)
        elif not self._source.polled:
            self._loop.call_soon(self._readable)

    def _writable(self) -> None:
        if not self._write():
            self._finish(at_end=False)
        elif not self._pending:
            self._deafen()
            self._listen()

    def _write(self) -> bool:
        """Hand on what the target takes now; a target that is always ready takes all. False if
        nobody reads there any more.
        """
        while self._pending:
            try:
                taken = self._target.write(self._pending)
            except OSError:
                return False
            self.delivered += taken
            self._pending = self._pending[taken:]
            if self._target.polled:
                break
        return True

    def _finish(self, *, at_end: bool) -> None:
        self._deafen()
        self._source.close()
        self._target.close()
        self.done.set_result(None)
        self._ended(at_end)


class _Run:
    """One run of a command under the tee."""

    def __init__(self, sink: Sink, track: str) -> None:
        self._sink = sink
        self._track = track
        self._early: list[tuple[signal.Signals, bool]] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._input: _Pump | None = None

    def start(
        self, argv: Sequence[str], env: Mapping[str, str] | None, started: Callable[[], None]
    ) -> None:
        """Start the command and the three pumps."""
        pipes = [roomy_pipe() for _ in range(3)]
        (in_read, in_write), (out_read, out_write), (err_read, err_write) = pipes
        typed = is_terminal(0)
        try:
            self._process = spawned(
                argv, env, stdin=0 if typed else in_read, stdout=out_write, stderr=err_write
            )
        except OSError as error:
            for end in (in_write, out_read, err_read):
                os.close(end)
            raise RecorderError(
                f"cannot run {argv[0]}: {error.strerror}", "check the command after --"
            ) from None
        finally:
            for end in (in_read, out_write, err_write):
                os.close(end)
        started()
        for number, is_shared in self._early:
            self.forward(number, is_shared)
        if typed:
            os.close(in_write)
        else:
            self._input = self._pump(inherited(0, os.O_RDONLY), pipe_end(in_write), "in")
        self._outputs = {
            "out": self._pump(pipe_end(out_read), inherited(1, os.O_WRONLY), "out"),
            "err": self._pump(pipe_end(err_read), borrowed(2, os.O_WRONLY), "err"),
        }

    def forward(self, number: signal.Signals, is_shared: bool) -> None:
        """A signal for us is the command's, which has a shared one already. A window that was
        resized is no evidence of anything.
        """
        if self._process is None:
            self._early.append((number, is_shared))
            return
        if number != signal.SIGWINCH:
            self._sink.fact(self._track, "signal", {"name": number.name})
        if not is_shared:
            self._process.send_signal(number)

    async def finish(self, drain_seconds: float) -> ExitStatus:
        """Wait for the command, deliver what it left, tell its end."""
        assert self._process is not None, "started before it is finished"
        status = ExitStatus.of(await exit_of(self._process))
        if self._input is not None:
            self._input.stop()
        await self._drain(drain_seconds)
        self._sink.fact(self._track, "exit", exit_fields(status))
        return status

    async def _drain(self, seconds: float) -> None:
        """All that the command wrote before it ended goes out, however slow the reader is; a
        stream that somebody else still holds open after `seconds` is let go.
        """
        pumps = self._outputs.values()
        goals = {pump: pump.delivered + pump.unread() for pump in pumps}
        await asyncio.wait([pump.done for pump in pumps], timeout=seconds)
        while owing := [p.done for p in pumps if not p.done.done() and p.delivered < goals[p]]:
            await asyncio.wait(owing, timeout=0.02)
        held = [code for code, pump in self._outputs.items() if not pump.done.done()]
        for code in held:
            self._outputs[code].stop()
            self._sink.over(self._track, code)
            self._note(f"std{code}_held_open")

    def _pump(self, source: End, target: End, code: str) -> _Pump:
        def seen(data: bytes) -> None:
            self._sink.chunk(self._track, code, data)

        def ended(at_end: bool) -> None:
            self._sink.over(self._track, code)
            if not at_end:
                self._note(f"std{code}_no_longer_read")
            elif code == "in":
                self._sink.fact(self._track, "eof", {"stream": "stdin"})

        return _Pump(source, target, seen, ended)

    def _note(self, what: str) -> None:
        self._sink.fact(self._track, "note", {"what": what})
