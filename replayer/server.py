"""`turnreel serve`: a recorded provider on a base URL.

aiohttp parses requests and writes heads; bodies go to the transport from the schedule, so that
a fault lands on its exact byte. Nothing here ever asks anybody else: a request without a
recording gets an error in the provider's own shape.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Literal

from aiohttp import HttpVersion11, web

from turnreel.adapters.registry import provider
from turnreel.wire.encode import encode

from .arming import Arming, require_reachable
from .emitter import PATIENCE_S, Emitter
from .errors import ServeError
from .faults import Plan, spec_of, word_of
from .matching import EXCHANGE_HEADER, Asked, Hit, Matcher, Miss, Probe
from .outlet import AiohttpOutlet
from .performance import Carriage, Performances
from .plan import require
from .report import Missed, Report, Served
from .script import Exchange
from .tape import Tape, load

REQUEST_LIMIT: Final = 64 * 1024 * 1024

_CLOSING_S: Final = 0.2


class Server:
    """A served cassette. Made by `serving`; `url` is where it listens."""

    def __init__(self, tape: Tape, plan: Plan, patience_s: float) -> None:
        track = tape.provider()
        self.url = ""
        self._tape = tape
        self._plan = plan
        self._patience_s = patience_s
        self._provider = provider(track.dialect)
        self._matcher = Matcher(track.exchanges, track.dialect)
        self._arming = Arming(plan, require_reachable(plan, track.exchanges))
        self._performances = Performances(plan, track.exchanges)
        self._served: list[Served] = []
        self._misses: list[Missed] = []
        self._requests = 0

    def report(self) -> Report:
        """What happened until now."""
        return Report(
            cassette=self._tape.name,
            seed=self._plan.seed,
            served=tuple(self._served),
            misses=tuple(self._misses),
            faults=self._arming.counts(),
        )

    def check(self) -> None:
        """Raise PlanError if a fault has not fired as often as planned."""
        self._arming.check()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request, from its recording or with what its absence deserves."""
        self._requests += 1
        number = self._requests
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return self._refused(number, request, 413, f"a request has at most {REQUEST_LIMIT} B")
        match self._matcher.find(self._asked(request, body)):
            case Hit(exchange, form):
                if form == "recorded":
                    return await self._play(number, request, exchange)
                unit = self._provider.whole(event.unit for event in exchange.events)
                assert unit is not None, "the matcher offers a whole form only where there is one"
                data = encode(unit)
                self._note(number, request, "whole", 200, len(data), exchange.number)
                return _json(200, data)
            case Probe(unit):
                data = encode(unit)
                self._note(number, request, "probe", 200, len(data))
                return _json(200, data)
            case Miss(reason, nearest):
                self._misses.append(Missed(number, reason, nearest))
                return self._refused(number, request, 400, f"no recording answers: {reason}")

    def _asked(self, request: web.Request, body: bytes) -> Asked:
        named = request.headers.get(EXCHANGE_HEADER, "")
        number = int(named) if len(named) < 10 and named.isdecimal() else None
        features = self._provider.features(request.method, request.path_qs, body)
        return Asked(request.method, request.path_qs, features, number)

    async def _play(
        self, number: int, request: web.Request, exchange: Exchange
    ) -> web.StreamResponse:
        made = self._performances.of(exchange.number, self._arming.armed, _carriage(request))
        self._arming.reserve(made.faults)
        outlet = AiohttpOutlet(request)
        emitter = Emitter(outlet, patience_s=self._patience_s)
        try:
            await emitter.play(made.moves)
        except ConnectionError:
            pass  # the client left while it was written to; aiohttp finds that out by itself
        finally:
            self._arming.settle(made.faults, emitter.fired)
            fired = [self._plan.faults[index] for index in dict.fromkeys(emitter.fired)]
            if any(word_of(fault).leaves == "spoilt" for fault in fired):
                self._matcher.spoilt(exchange)
            self._served.append(
                Served(
                    request=number,
                    method=request.method,
                    path=request.path,
                    exchange=exchange.number,
                    form="recorded",
                    ended=emitter.ended,
                    status=outlet.response.status if outlet.opened else 0,
                    sent=emitter.sent,
                    events=emitter.events,
                    faults=tuple(map(spec_of, fired)),
                    unflushed=emitter.unflushed,
                )
            )
        return outlet.response

    def _refused(
        self, number: int, request: web.Request, status: int, message: str
    ) -> web.Response:
        """An error in the provider's shape that tells clients not to try again."""
        body = encode(self._provider.error(status, f"turnreel: {message}"))
        self._note(number, request, "miss", status, len(body))
        return _json(status, body, {"x-should-retry": "false"})

    def _note(
        self,
        number: int,
        request: web.Request,
        form: Literal["whole", "probe", "miss"],
        status: int,
        sent: int,
        exchange: int | None = None,
    ) -> None:
        self._served.append(
            Served(
                request=number,
                method=request.method,
                path=request.path,
                exchange=exchange,
                form=form,
                ended="complete",
                status=status,
                sent=sent,
            )
        )


def _carriage(request: web.Request) -> Carriage:
    if request.method == "HEAD":
        return "head"
    return "http/1.1" if request.version >= HttpVersion11 else "http/1.0"


def _json(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(
        status=status, body=body, content_type="application/json", headers=dict(headers or {})
    )


@asynccontextmanager
async def serving(
    cassette: Path | Tape,
    plan: Plan | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    patience_s: float = PATIENCE_S,
) -> AsyncIterator[Server]:
    """Serve the provider side of `cassette` under `plan` while the block runs.

    Yields a `Server` with its `url` and `report()`. `patience_s` bounds the wait for a client to
    leave where the recording has nothing more to say. Raises ReplayError if the cassette holds
    no exchanges, PlanError if a fault is not the server's or can never happen, ServeError if the
    address cannot be had; and, when the block ended without an error of its own, PlanError for
    faults that did not fire as often as planned.
    """
    tape = cassette if isinstance(cassette, Tape) else load(cassette)
    plan = require(plan or Plan(), "server")
    server = Server(tape, plan, patience_s)
    app = web.Application(client_max_size=REQUEST_LIMIT)
    app.router.add_route("*", "/{path:.*}", server.handle)
    runner = web.AppRunner(
        app, access_log=None, handler_cancellation=True, shutdown_timeout=_CLOSING_S
    )
    await runner.setup()
    try:
        listener = _listen(host, port)
        await web.SockSite(runner, listener, backlog=1024).start()
        shown = f"[{host}]" if ":" in host else host
        server.url = f"http://{shown}:{listener.getsockname()[1]}"
        yield server
    finally:
        await runner.cleanup()
    server.check()


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65_535:
        raise ServeError(f"{port} is not a port", "0 takes a free one")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ServeError(f"port {port} on {host} is in use", "choose another, or 0") from error
        raise ServeError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
