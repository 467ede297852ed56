"""The replay server of a test: in a thread, so that the test may be anything."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import pytest

from turnreel.replayer.faults import Plan
from turnreel.replayer.report import Report
from turnreel.replayer.server import Server, serving
from turnreel.replayer.tape import Tape, load
from turnreel.wire.errors import TurnreelError

from . import recording
from .marks import plan
from .plainly import plainly, refuse
from .recorded import Recorded


class ReplayServer(Protocol):
    """Where the provider is: `url` is its base URL."""

    url: str

    @property
    def explanation(self) -> tuple[str, ...]:
        """What it answered, for people."""


class Replaying:
    """A cassette being served. Made by `provided`."""

    def __init__(self, tape: Tape, plan: Plan) -> None:
        self.url = ""
        self._tape = tape
        self._plan = plan
        self._server: Server | None = None
        self._error: BaseException | None = None
        self._up = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="turnreel serve", daemon=True)

    def report(self) -> Report:
        """What was asked and answered until now."""
        assert self._server is not None, "it is served before a test gets it"
        return self._server.report()

    @property
    def explanation(self) -> tuple[str, ...]:
        """The same for people."""
        return tuple(self.report().lines())

    def start(self) -> None:
        """Serve. Raises `TurnreelError` if that cannot be."""
        self._thread.start()
        self._up.wait()
        self._raise()

    def stop(self) -> None:
        """Serve no more. Raises `PlanError` if a fault did not happen as often as planned."""
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._raise()

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # for the thread that waits for it
            self._error = error
        finally:
            self._up.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with serving(self._tape, self._plan) as server:
            self._server, self.url = server, server.url
            self._up.set()
            await self._stop.wait()


@contextmanager
def provided(
    request: pytest.FixtureRequest, cassette: Recorded, fault: object
) -> Iterator[ReplayServer]:
    """The provider of `cassette` while inside: replayed, or the real one while it is recorded."""
    if cassette.is_new:
        with recording.proxied(request, cassette) as proxy:
            yield proxy
        return
    planned = plan(request, cassette.marked, fault)
    if "agent_shim" in request.fixturenames:
        planned = planned.part("server")  # the rest is the agent's
    with plainly():
        server = Replaying(load(cassette.path), planned)
        server.start()
    failed_before = request.session.testsfailed
    try:
        yield server
    finally:
        try:
            server.stop()
        except TurnreelError as error:
            # A test that failed for a reason of its own says that one.
            if request.session.testsfailed == failed_before:
                refuse(str(error))
