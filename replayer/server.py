"""`turnreel serve`: recorded providers on a base URL.

aiohttp parses requests and writes heads; bodies go to the transport from the schedule, so that
a fault lands on its exact byte. Nothing here ever asks anybody else: a request without a
recording gets an error in the provider's own shape.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Literal

from aiohttp import HttpVersion11, web

from turnreel.adapters.registry import provider
from turnreel.wire.encode import encode

from .arming import Arming, require_reachable
from .clients import Clients
from .emitter import PATIENCE_S, Emitter
from .faults import Plan, spec_of, word_of
from .journal import Journal
from .listening import BACKLOG, listen, url_of
from .matching import EXCHANGE_HEADER, Asked, Hit, Matcher, Miss, Probe
from .outlet import AiohttpOutlet
from .performance import Carriage, Performances
from .plan import require
from .report import Missed, Report, Served
from .shelf import Entry, Shelf, opened
from .tape import Tape

REQUEST_LIMIT: Final = 64 * 1024 * 1024
REQUEST_S: Final = 60.0
"""How long a request's body may take to come."""

_CLOSING_S: Final = 0.2


class Server:
    """What is being served. Made by `serving`; `url` is where it listens."""

    def __init__(self, shelf: Shelf, plan: Plan, patience_s: float) -> None:
        self.url = ""
        self.shelf = shelf
        self.arming = Arming(plan, require_reachable(plan, shelf.exchanges))
        self._patience_s = patience_s
        self._clients = Clients(lambda: Matcher(shelf))
        self._performances = Performances(shelf.exchanges)
        self._journal = Journal()

    def report(self) -> Report:
        """What happened until now."""
        seed = self.arming.plan.seed
        return self._journal.report(self.shelf.name, seed, self.arming.counts())

    def check(self) -> None:
        """Raise PlanError if a fault has not fired as often as planned."""
        self.arming.check()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request, from its recording or with what its absence deserves."""
        client, matcher = self._clients.of(request.headers)
        call = _Call(self._journal.begin(), client, request)
        try:
            async with asyncio.timeout(REQUEST_S):
                body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return self._refused(call, 413, f"a request has at most {REQUEST_LIMIT} B")
        except TimeoutError:
            return self._refused(call, 408, f"the request did not come within {REQUEST_S:g} s")
        match self._found(matcher, request, body):
            case Hit(entry, "recorded"):
                return await self._play(call, entry, matcher)
            case Hit(entry):
                exchange = entry.exchange
                unit = provider(exchange.dialect).whole(event.unit for event in exchange.events)
                assert unit is not None, "the matcher offers a whole form only where there is one"
                return self._whole(call, "whole", encode(unit), entry)
            case Probe(unit):
                return self._whole(call, "probe", encode(unit))
            case Miss() as miss:
                said = f"{miss.reason} ({miss.remedy})" if miss.remedy else miss.reason
                self._journal.missed(Missed(call.number, said, miss.nearest, miss.cassette))
                return self._refused(call, 400, f"no recording answers: {said}")

    def _found(self, matcher: Matcher, request: web.Request, body: bytes) -> Hit | Probe | Miss:
        """The first hit in a dialect that is spoken at the request's path, else what the first
        dialect makes of it.
        """
        named = request.headers.get(EXCHANGE_HEADER, "")
        number = int(named) if len(named) < 10 and named.isdecimal() else None
        found = []
        for dialect in self.shelf.dialects_at(request.path):
            features = provider(dialect).features(request.method, request.path_qs, body)
            asked = Asked(request.method, request.path_qs, features, number, dialect)
            found.append(matcher.find(asked))
            if isinstance(found[-1], Hit):
                return found[-1]
        return found[0]

    async def _play(self, call: _Call, entry: Entry, matcher: Matcher) -> web.StreamResponse:
        plan, arming = self.arming.plan, self.arming
        made = self._performances.of(entry.place, plan, arming.armed, _carriage(call.request))
        arming.reserve(made.faults)
        outlet = AiohttpOutlet(call.request)
        emitter = Emitter(outlet, patience_s=self._patience_s)
        try:
            await emitter.play(made.moves)
        except ConnectionError:
            pass  # the client left while it was written to; aiohttp finds that out by itself
        finally:
            arming.settle(made.faults, emitter.fired)
            fired = [plan.faults[index] for index in dict.fromkeys(emitter.fired)]
            if any(word_of(fault).leaves == "spoilt" for fault in fired):
                matcher.spoilt(entry)
            status = outlet.response.status if outlet.opened else 0
            self._journal.served(
                call.served(entry, "recorded", status, emitter, tuple(map(spec_of, fired)))
            )
        return outlet.response

    def _refused(self, call: _Call, status: int, message: str) -> web.Response:
        """An error in the provider's shape that tells clients not to try again."""
        dialect = self.shelf.dialects_at(call.request.path)[0]
        body = encode(provider(dialect).error(status, f"turnreel: {message}"))
        self._journal.served(call.answered("miss", status, len(body)))
        return _json(status, body, {"x-should-retry": "false"})

    def _whole(
        self,
        call: _Call,
        form: Literal["whole", "probe"],
        data: bytes,
        entry: Entry | None = None,
    ) -> web.Response:
        self._journal.served(call.answered(form, 200, len(data), entry))
        return _json(200, data)


class _Call:
    """A request, its number and its client's."""

    def __init__(self, number: int, client: int, request: web.Request) -> None:
        self.number = number
        self.client = client
        self.request = request

    def served(
        self,
        entry: Entry,
        form: Literal["recorded"],
        status: int,
        emitter: Emitter,
        faults: tuple[str, ...],
    ) -> Served:
        """That it was played what was recorded."""
        return Served(
            request=self.number,
            client=self.client,
            method=self.request.method,
            path=self.request.path,
            cassette=entry.cassette,
            exchange=entry.exchange.number,
            form=form,
            ended=emitter.ended,
            status=status,
            sent=emitter.sent,
            events=emitter.events,
            faults=faults,
            unflushed=emitter.unflushed,
        )

    def answered(
        self,
        form: Literal["whole", "probe", "miss"],
        status: int,
        sent: int,
        entry: Entry | None = None,
    ) -> Served:
        """That it got something else, at once and whole."""
        return Served(
            request=self.number,
            client=self.client,
            method=self.request.method,
            path=self.request.path,
            cassette=None if entry is None else entry.cassette,
            exchange=None if entry is None else entry.exchange.number,
            form=form,
            ended="complete",
            status=status,
            sent=sent,
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
    cassettes: Path | Tape | Sequence[Path | Tape],
    plan: Plan | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    patience_s: float = PATIENCE_S,
) -> AsyncIterator[Server]:
    """Serve the provider sides of `cassettes` under `plan` while the block runs.

    Yields a `Server` with its `url` and `report()`. `patience_s` bounds the wait for a client to
    leave where the recording has nothing more to say. Raises ReplayError if there are no
    exchanges, PlanError if a fault is not the server's or can never happen, ServeError if the
    address cannot be had; and, when the block ended without an error of its own, PlanError for
    faults that did not fire as often as planned.
    """
    server = Server(Shelf(opened(cassettes)), require(plan or Plan(), "server"), patience_s)
    app = web.Application(client_max_size=REQUEST_LIMIT)
    app.router.add_route("*", "/{path:.*}", server.handle)
    runner = web.AppRunner(
        app, access_log=None, handler_cancellation=True, shutdown_timeout=_CLOSING_S
    )
    await runner.setup()
    try:
        listener = listen(host, port)
        await web.SockSite(runner, listener, backlog=BACKLOG).start()
        server.url = url_of(listener, host)
        yield server
    finally:
        await runner.cleanup()
    server.check()
