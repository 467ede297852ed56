"""`turnreel serve`: recorded providers on a base URL.

aiohttp parses requests and writes heads; bodies go to the transport from the schedule, so that
a fault lands on its exact byte. Nothing here ever asks anybody else: a request without a
recording gets an error in the provider's own shape.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

from turnreel.adapters.registry import provider
from turnreel.wire.encode import encode

from .arming import Arming, require_reachable
from .calls import Call, carriage_of, json_answer, named_exchange
from .clients import Clients
from .emitter import PATIENCE_S, Emitter
from .faults import Fault, Plan, spec_of, word_of
from .journal import Journal
from .listening import REQUEST_LIMIT, Unreadable, body_of, hosted
from .matching import Asked, Hit, Matcher, Miss, Probe
from .outlet import AiohttpOutlet, Playing
from .performance import Carriage, Performances, performance
from .plan import require
from .report import Missed, Report
from .resuming import LAST_EVENT_HEADER, resumed
from .script import Exchange
from .shelf import Shelf, opened
from .sockets import Conversation, opens
from .tape import Tape
from .unstreamed import unstreamed


class Server:
    """What is being served. Made by `serving`; `url` is where it listens."""

    def __init__(self, shelf: Shelf, plan: Plan, patience_s: float) -> None:
        self.url = ""
        self.shelf = shelf
        self.names = shelf.cassettes
        self.arming = Arming(plan, require_reachable(plan, shelf.exchanges))
        self._patience_s = patience_s
        self.clients = Clients(lambda: Matcher(shelf))
        self._performances = Performances(shelf.exchanges)
        self.journal = Journal()

    def report(self) -> Report:
        """What happened until now."""
        seed = self.arming.plan.seed
        return self.journal.report(self.shelf.name, seed, self.arming.counts())

    def check(self) -> None:
        """Raise PlanError if a fault has not fired as often as planned."""
        self.arming.check()

    def arm(self, faults: Sequence[Fault]) -> None:
        """Add faults to the plan. Raises PlanError if one is not the server's or can never happen
        here.
        """
        plan = self.arming.plan
        added = require(Plan(tuple(faults), plan.seed, plan.pacing), "server")
        self.arming.arm(faults, require_reachable(added, self.shelf.exchanges))

    def reset(self) -> None:
        """Begin anew: every client, the journal and the plan."""
        self.clients.forget()
        self.journal.forget()
        self.arming.reset()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request, from its recording or with what its absence deserves."""
        if request.headers.get("upgrade", "").lower() == "websocket":
            return await self._upgraded(request)
        client, matcher = self.clients.of(request.headers)
        call = Call(self.journal.begin(), client, request)
        try:
            body = await body_of(request)
        except Unreadable as error:
            return self._refused(call, error.status, str(error))
        match self._found(matcher, request, body):
            case Hit() as hit:
                outlet = AiohttpOutlet(request)
                await self.play(call, hit, matcher, outlet, carriage_of(request))
                return outlet.response
            case Probe(unit):
                data = encode(unit)
                self.journal.served(call.answered("probe", 200, len(data)))
                return json_answer(200, data)
            case Miss() as miss:
                return self._refused(call, 400, self.missed(call, miss))

    def missed(self, call: Call, miss: Miss) -> str:
        """Keep a miss in the journal; the words of it that the client gets."""
        said = f"{miss.reason} ({miss.remedy})" if miss.remedy else miss.reason
        self.journal.missed(Missed(call.number, said, miss.nearest, miss.cassette))
        return f"no recording answers: {said}"

    def _found(self, matcher: Matcher, request: web.Request, body: bytes) -> Hit | Probe | Miss:
        """The first hit in a dialect that is spoken at the request's path, else what the first
        dialect makes of it.
        """
        named = named_exchange(request)
        number = None if named is None else named.exchange
        found = []
        for dialect in self.shelf.dialects_at(request.path):
            features = provider(dialect).features(request.method, request.path_qs, body)
            last_id = request.headers.get(LAST_EVENT_HEADER)
            asked = Asked(
                request.method, request.path_qs, features, number, dialect, last_id=last_id
            )
            found.append(matcher.find(asked))
            if isinstance(found[-1], Hit):
                return found[-1]
        return found[0]

    async def play(
        self, call: Call, hit: Hit, matcher: Matcher, outlet: Playing, carriage: Carriage
    ) -> Emitter:
        """Play what was recorded, with the faults that are armed, and keep it in the journal."""
        plan, armed, entry = self.arming.plan, self.arming.armed, hit.entry
        if hit.form == "whole":
            made = performance(_whole(entry.exchange), plan, armed, carriage)
        elif hit.since is not None:
            made = performance(resumed(entry.exchange, hit.since), plan, armed, carriage)
        else:
            made = self._performances.of(entry.place, plan, armed, carriage)
        self.arming.reserve(made.faults)
        emitter = Emitter(outlet, patience_s=self._patience_s)
        try:
            await emitter.play(made.moves)
        except ConnectionError:
            pass  # the client left while it was written to; aiohttp finds that out by itself
        finally:
            self.arming.settle(made.faults, emitter.fired)
            fired = [plan.faults[index] for index in dict.fromkeys(emitter.fired)]
            if any(word_of(fault).leaves == "spoilt" for fault in fired):
                matcher.spoilt(entry)
            told = tuple(map(spec_of, fired))
            self.journal.served(call.played(hit, outlet.status, emitter, told))
        return emitter

    async def _upgraded(self, request: web.Request) -> web.StreamResponse:
        """A WebSocket, where one was recorded; else clients are told to do without."""
        client, matcher = self.clients.of(request.headers)
        if not opens(request):
            call = Call(self.journal.begin(), client, request)
            return self._refused(call, 400, "that is no WebSocket's handshake")
        for dialect in self.shelf.dialects_at(request.path):
            if self.shelf.competing(dialect, "GET", request.path, "websocket"):
                return await Conversation(self, request, dialect, client, matcher).hold()
        call = Call(self.journal.begin(), client, request)
        return self._refused(call, 426, "no WebSocket was recorded here")

    def _refused(self, call: Call, status: int, message: str) -> web.Response:
        """An error in the provider's shape that tells clients not to try again."""
        dialect = self.shelf.dialects_at(call.request.path)[0]
        body = encode(provider(dialect).error(status, f"turnreel: {message}"))
        self.journal.served(call.answered("miss", status, len(body)))
        return json_answer(status, body, {"x-should-retry": "false"})


def _whole(exchange: Exchange) -> Exchange:
    whole = unstreamed(exchange)
    assert whole is not None, "the matcher offers a whole form only where there is one"
    return whole


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
    async with hosted(app, host, port) as server.url:
        yield server
    server.check()
