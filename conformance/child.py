"""An adapter in another process, driven in lock step.

What the child does wrong is an `AdapterFault`: it dies, stays silent, answers what is no answer, or
says more than it was asked for. What is wrong on this side, such as a command that does not exist,
is a `ConformanceError`: the two are never mixed up.
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, Self

import msgspec

from turnreel.adapters.base import Arrival
from turnreel.lifecycle.events import AnyEvent

from .errors import ConformanceError
from .lockstep import LINE_LIMIT, Begin, Request, decode_answer, encode, request_of

PATIENCE_SECONDS: Final = 10.0
"""How long a child may think about one request."""

UNHEARD_LINES: Final = 2
"""Lines of a child that are kept until they are looked at: an answer, and one too many that shows
that it says what nobody asked for. The others tell no more.
"""

STDERR_LINES: Final = 20
"""Last lines of what a child said on stderr, for the message when it dies."""


class AdapterFault(Exception):
    """The child broke the protocol. `kind` is one word for it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Child:
    """A running child. Use it as a context: it is ended at the end, and killed if it will not go.

    Raises `ConformanceError` if the command cannot be started.
    """

    def __init__(self, argv: Sequence[str], patience: float = PATIENCE_SECONDS) -> None:
        if shutil.which(argv[0]) is None:
            raise ConformanceError(f"command not found: {argv[0]}", "check --command")
        self._patience = patience
        try:
            self._process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise ConformanceError(
                f"cannot run {argv[0]}: {error.strerror}", "check --command"
            ) from None
        self._requests: queue.Queue[bytes | None] = queue.Queue()
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._said: deque[bytes] = deque(maxlen=STDERR_LINES)
        self._pumps = [
            threading.Thread(target=pump, daemon=True)
            for pump in (self._write_in, self._read_out, self._read_err)
        ]
        for pump in self._pumps:
            pump.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def begin(self, begin: Begin) -> None:
        """A new session."""
        if self.ask(Request(begin=begin)):
            raise AdapterFault("noise", "events before anything arrived")

    def feed(self, arrival: Arrival) -> tuple[AnyEvent, ...]:
        """The events that an arrival causes."""
        return self.ask(request_of(arrival))

    def ask(self, request: Request) -> tuple[AnyEvent, ...]:
        """The events of the one answer to a request. Raises `AdapterFault` for anything else."""
        self._require_silence()
        self._requests.put(encode(request) + b"\n")
        try:
            line = self._lines.get(timeout=self._patience)
        except queue.Empty:
            raise AdapterFault(
                "silence", f"no answer within {self._patience:g} s to {_shown(encode(request))}"
            ) from None
        if line is None:
            raise self._death()
        return _events(line)

    def keeps(self, place: int) -> bool:
        """Have the child keep where it stands under a number; False if it cannot."""
        try:
            self.ask(Request(snapshot=place))
        except AdapterFault as fault:
            if fault.kind != "error":
                raise
            return False
        return True

    def go_back(self, place: int) -> None:
        """Return to what was kept under that number."""
        self.ask(Request(restore=place))

    def finish(self) -> None:
        """End the child and look at what it has left to say. Raises `AdapterFault` if that is
        anything: a line too many may have passed for an answer until here.
        """
        self.close()
        with contextlib.suppress(queue.Empty):
            if line := self._lines.get_nowait():
                raise AdapterFault("noise", f"more lines than requests: {_shown(line)}")

    def close(self) -> None:
        """End the child: its input ends, and so should it. Idempotent."""
        self._requests.put(None)
        try:
            self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pump in self._pumps:
            pump.join(self._patience)  # what it left behind may hold its output open
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _require_silence(self) -> None:
        """Nothing may have been said since the last answer."""
        with contextlib.suppress(queue.Empty):
            line = self._lines.get_nowait()
            if line is None:
                raise self._death()
            raise AdapterFault("noise", f"a line nobody asked for: {_shown(line)}")

    def _death(self) -> AdapterFault:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        said = b" ".join(self._said).decode("utf-8", "replace").strip()
        words = f"; it said: {_shown(said.encode())}" if said else ""
        return AdapterFault("death", f"it ended with {self._process.returncode}{words}")

    def _write_in(self) -> None:
        """Apart from whoever asks: a child that does not read would hold that up for ever."""
        stdin = self._process.stdin
        assert stdin is not None, "asked for"
        with contextlib.suppress(OSError), stdin:  # a child that is gone is noticed by its output
            while (line := self._requests.get()) is not None:
                stdin.write(line)
                stdin.flush()

    def _read_out(self) -> None:
        for line in _bounded(self._process.stdout):
            if self._lines.qsize() < UNHEARD_LINES:
                self._lines.put(line)
        self._lines.put(None)

    def _read_err(self) -> None:
        for line in _bounded(self._process.stderr):
            self._said.append(line.strip())


def argv_of(command: str) -> list[str]:
    """The words of a command line; no shell reads it. Raises `ConformanceError`."""
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise ConformanceError(
            f"--command: {str(error).lower()}", "quote it as a shell would"
        ) from None
    if not argv:
        raise ConformanceError("--command is empty", "name a program")
    return argv


def _events(line: bytes) -> tuple[AnyEvent, ...]:
    try:
        answer = decode_answer(line)
    except msgspec.ValidationError as error:
        raise AdapterFault("answer", f"no events of turn/1: {error}") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise AdapterFault("answer", f"no JSON object: {_shown(line)}") from None
    if answer.error is not None:
        raise AdapterFault("error", _shown(answer.error.encode("utf-8", "replace")))
    if answer.events is None:
        raise AdapterFault("answer", f"neither events nor an error: {_shown(line)}")
    return answer.events


def _bounded(pipe: object) -> Iterator[bytes]:
    """Lines of a pipe to its end; one that is too long is cut there."""
    readline = getattr(pipe, "readline", None)
    assert readline is not None, "asked for"
    while line := readline(LINE_LIMIT):
        yield line


def _shown(line: bytes) -> str:
    text = "".join(c if c.isprintable() else " " for c in line.decode("utf-8", "replace").strip())
    return text if len(text) <= 120 else f"{text[:119]}…"
