"""An agent's API server that answers scripted turns, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from typing import Any

from aiohttp import web

from turnreel.adapters.bodies import Answer, Event

RUN = "run_" + "0" * 31 + "1"
VERSION = "0.19.0"


class Server:
    """Answers `answer`'s request with its events; where the host stops the turn, it waits for that.
    After `cut_after` events the connection is reset. `status` is what a run's status says. The
    first who listens hears no more than `held_after` events.
    """

    def __init__(
        self,
        answer: Answer,
        cut_after: int | None = None,
        status: dict[str, Any] | None = None,
        held_after: int | None = None,
    ) -> None:
        self._answer = answer
        self._held_after = held_after
        self._cut_after = cut_after
        self._status = {"object": "hermes.run", "run_id": RUN, **(status or {})}
        self._stopped = asyncio.Event()
        self.asked: list[str] = []

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/health", self._health)
        app.router.add_post("/v1/runs", self._start)
        app.router.add_get("/v1/runs/{run}", self._ask)
        app.router.add_post("/v1/runs/{run}/stop", self._stop)
        app.router.add_route(self._answer.method, self._answer.path, self._stream)
        return app

    async def _health(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"status": "ok", "version": VERSION})

    async def _start(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"run_id": RUN, "status": "started"}, status=202)

    async def _ask(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(self._status)

    async def _stop(self, request: web.Request) -> web.StreamResponse:
        self._stopped.set()
        return web.json_response({"run_id": RUN, "status": "stopping"})

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.headers.get("authorization", ""))
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await response.prepare(request)
        for number, event in enumerate(self._answer.events):
            if number == self._cut_after:
                assert request.transport is not None
                request.transport.abort()
                return response
            if number == self._held_after and len(self.asked) == 1:
                await asyncio.Event().wait()
            if isinstance(event, Event):
                await response.write(written(event).encode())
            else:
                await asyncio.wait_for(self._stopped.wait(), 20)
        return response


def written(event: Event) -> str:
    """An event as the server writes one."""
    if isinstance(event.data, str):
        return f"{event.data if event.data.startswith(':') else 'data: ' + event.data}\n\n"
    head = f"event: {event.name}\n" if event.name else ""
    return f"{head}data: {json.dumps(event.data)}\n\n"


@contextlib.contextmanager
def serving(app: web.Application) -> Iterator[str]:
    """The base URL of `app`, served on a thread of its own."""
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    ready = threading.Event()
    urls: list[str] = []

    async def serve() -> None:
        runner = web.AppRunner(app, shutdown_timeout=1, handler_cancellation=True)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        urls.append(f"http://127.0.0.1:{runner.addresses[0][1]}")
        ready.set()
        await stop.wait()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
