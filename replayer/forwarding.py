"""`turnreel serve --forward URL`: live traffic through the emitter, so that faults hit it.

Rules of this file
- Every request goes to the one upstream, as it came but for the headers of a connection; the answer
  comes back as it arrives. Nothing is recorded: a recording proxy may stand behind this.
- A fault that stands in place of an answer (`status`, `refuse`) is played without asking upstream.
- `exchange=N` is the Nth request. An event is one of the stream's; of another body, what was read.
- Other faults fire where their place is reached. What is still to come is not known: the stream so
  far is scheduled again with each event, and what is new is sent. A fault that would have changed
  what was sent already does not happen, and those that always would are refused.
- Without armed faults, or behind `FAULTED_EVENTS`, what comes is passed on unread.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import aiohttp
from aiohttp import web

from turnreel.adapters.registry import provider
from turnreel.wire.addresses import base_url
from turnreel.wire.encode import encode

from .arming import Arming
from .bridging import Bridge
from .calls import Call, carriage_of, json_answer
from .clients import Clients
from .emitter import PATIENCE_S
from .errors import PlanError, ServeError
from .faults import RECORDED, Fault, Plan, place_of, spec_of
from .faults.event import Late, Reorder
from .faults.places import AtRandom, AtTerminal
from .faults.session import Replay
from .faults.transport import Reslice
from .inbox import heard
from .journal import Journal
from .listening import REQUEST_LIMIT, Unreadable, body_of, hosted
from .outlet import AiohttpOutlet, Playing
from .passing import PATIENT, passed_on
from .performance import Carriage
from .performing import Live
from .plan import require
from .report import Report
from .script import Exchange
from .shelf import SPOKEN_AT
from .sockets import opens
from .upgrading import Refused, upgraded

LIVE: Final = "live"


class Answer:
    """One request, and what it gets while it comes."""

    def __init__(self, call: Call, live: Live, outlet: Playing, journal: Journal) -> None:
        self.live = live
        self._call = call
        self._outlet = outlet
        self._journal = journal
        self._is_settled = False

    def settle(self) -> None:
        """It is over for good: the journal has it, once."""
        if not self._is_settled:
            self._is_settled = True
            told = tuple(map(spec_of, self.live.settle()))
            self._journal.served(self._call.forwarded(self._outlet.status, self.live.emitter, told))


class Forwarder:
    """What is relayed. Made by `forwarding`; `url` is where it listens."""

    def __init__(self, upstream: str, plan: Plan, patience_s: float) -> None:
        self.url = ""
        self.names: tuple[str, ...] = (upstream,)
        self.arming = Arming(require_live(plan))
        self.clients = Clients(object)
        self._upstream = upstream.rstrip("/")
        self._patience_s = patience_s
        self._journal = Journal()
        self.session: aiohttp.ClientSession | None = None

    def report(self) -> Report:
        """What happened until now."""
        seed = self.arming.plan.seed
        return self._journal.report(self.names[0], seed, self.arming.counts())

    def check(self) -> None:
        """Raise PlanError if a fault has not fired as often as planned."""
        self.arming.check()

    def arm(self, faults: Sequence[Fault]) -> None:
        """Add faults to the plan. Raises PlanError if one cannot happen to live traffic."""
        require_live(Plan(tuple(faults)))
        self.arming.arm(faults)

    def reset(self) -> None:
        """Begin anew: the clients, the journal and the plan."""
        self.clients.forget()
        self._journal.forget()
        self.arming.reset()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Relay one request."""
        if request.headers.get("upgrade", "").lower() == "websocket":
            return await self._bridged(request)
        call = self._call(request)
        try:
            body = await body_of(request)
        except Unreadable as error:
            return self._refused(call, error.status, str(error))
        outlet = AiohttpOutlet(request)
        answer = self._answer(call, outlet, carriage_of(request))

        async def pass_on(live: Live) -> None:
            async with self._asked(request, body) as response:
                await _passed(response, live)

        return await self._relayed(call, answer, outlet, pass_on)

    def begun(self, request: web.Request, outlet: Playing, turn: int) -> Answer:
        """A client's message on the WebSocket that it asked for with `request`, or what upstream
        says there without one.
        """
        return self._answer(self._call(request), outlet, "websocket", turn)

    async def _bridged(self, request: web.Request) -> web.StreamResponse:
        """Relay a WebSocket, or what upstream answers in its place."""
        assert self.session is not None and self.session.connector is not None, "it is open"
        if not opens(request):
            return self._refused(self._call(request), 400, "that is no WebSocket's handshake")
        url = f"{self._upstream}{request.path_qs}"
        try:
            async with upgraded(self.session.connector, url, request) as upstream:
                return await Bridge(self, request, _dialect(request.path), upstream).hold()
        except Refused as refused:
            call, outlet = self._call(request), AiohttpOutlet(request)
            answer = self._answer(call, outlet, carriage_of(request))
            return await self._relayed(call, answer, outlet, refused.pass_on)
        except aiohttp.ClientError as error:
            return self._refused(self._call(request), 502, self._silent(error))

    async def _relayed(
        self,
        call: Call,
        answer: Answer,
        outlet: AiohttpOutlet,
        pass_on: Callable[[Live], Awaitable[None]],
    ) -> web.StreamResponse:
        """Give the client what `pass_on` brings, unless a fault refuses the request."""
        failed = ""
        try:
            if answer.live.refuses():
                await answer.live.refuse()
            else:
                await pass_on(answer.live)
        except aiohttp.ClientError as error:
            failed = "" if outlet.opened else self._silent(error)
        except ConnectionError:
            pass  # the client left while it was written to; aiohttp finds that out by itself
        finally:
            if failed:
                answer.live.settle()
            else:
                answer.settle()
        return self._refused(call, 502, failed) if failed else outlet.response

    def _asked(
        self, request: web.Request, body: bytes
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        assert self.session is not None, "it is forwarded while the session is open"
        headers = passed_on(request.headers.items())
        headers.append(("accept-encoding", "identity"))
        return self.session.request(
            request.method,
            f"{self._upstream}{request.path_qs}",
            headers=headers,
            data=body or None,
            allow_redirects=False,
        )

    def _call(self, request: web.Request) -> Call:
        client, _ = self.clients.of(request.headers)
        return Call(self._journal.begin(), client, request)

    def _answer(self, call: Call, outlet: Playing, carriage: Carriage, turn: int = 0) -> Answer:
        live = Live(_template(call, turn), self.arming, outlet, carriage, self._patience_s)
        return Answer(call, live, outlet, self._journal)

    def _silent(self, error: aiohttp.ClientError) -> str:
        hung_up = isinstance(error, aiohttp.ServerDisconnectedError)
        return f"{self._upstream} does not answer: {'it hung up' if hung_up else error}"

    def _refused(self, call: Call, status: int, message: str) -> web.Response:
        spoken = provider(_dialect(call.request.path))
        body = encode(spoken.error(status, f"turnreel: {message}"))
        self._journal.served(call.answered("miss", status, len(body)))
        return json_answer(status, body)


def require_live(plan: Plan) -> Plan:
    """`plan` itself, if all of it can happen to a stream that is not known before it comes; else
    PlanError naming the first misfit.
    """
    require(plan, "server")
    if plan.pacing != RECORDED:
        raise PlanError("live traffic has a pace of its own", "leave --pacing out")
    for fault in plan.faults:
        match place_of(fault):
            case AtRandom():
                raise PlanError(f"{spec_of(fault)}: a live stream has no end yet", "name a place")
            case AtTerminal(back=back) if back:
                raise PlanError(
                    f"{spec_of(fault)}: nobody knows yet that the terminal comes", "name an event"
                )
            case None if isinstance(fault, Replay):
                raise PlanError(f"{spec_of(fault)}: a live stream has no end yet", "name an event")
            case _ if isinstance(fault, Late | Reorder | Reslice):
                raise PlanError(f"{spec_of(fault)}: would have to wait for what comes", "serve it")
            case _:
                pass
    return plan


def _dialect(path: str) -> str:
    return next((name for end, name in SPOKEN_AT.items() if path.endswith(end)), "none")


async def _passed(response: aiohttp.ClientResponse, live: Live) -> None:
    """Pass on upstream's response."""
    with heard(response.content) as inbox:
        await live.begin(response.status, tuple(response.headers.items()))
        while not live.is_over:
            came = await inbox.get()
            match came.what:
                case bytes() as data:
                    await live.feed(data, came.came_s)
                case aiohttp.ClientPayloadError():
                    await live.end("upstream", came.came_s)
                case None:
                    await live.end(None, came.came_s)
                case failure:
                    raise failure


def _template(call: Call, turn: int) -> Exchange:
    """The exchange of a request that nothing has answered yet; on a WebSocket its `turn`."""
    return Exchange(
        number=call.number,
        track=LIVE,
        dialect=_dialect(call.request.path),
        method=call.request.method,
        path=call.request.path_qs,
        features=None,
        asked_us=0,
        response=None,
        events=(),
        end=None,
        carrier="websocket" if turn else "http",
        turn=turn,
    )


@asynccontextmanager
async def forwarding(
    upstream: str,
    plan: Plan | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    patience_s: float = PATIENCE_S,
) -> AsyncIterator[Forwarder]:
    """Relay requests to `upstream`, a base URL, under `plan` while the block runs.

    Yields a `Forwarder` with its `url` and `report()`. Raises ServeError for what is no base URL
    and for an address that cannot be had, PlanError for a fault that cannot happen to live traffic
    and, when the block ended without an error of its own, for those that did not happen.
    """
    if base_url(upstream) is None:
        shown = "what holds a password" if "@" in upstream else upstream
        raise ServeError(f"{shown} is not a base URL", "as https://api.anthropic.com")
    forwarder = Forwarder(upstream, plan or Plan(), patience_s)
    app = web.Application(client_max_size=REQUEST_LIMIT)
    app.router.add_route("*", "/{path:.*}", forwarder.handle)
    async with (
        aiohttp.ClientSession(
            timeout=PATIENT, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=True
        ) as forwarder.session,
        hosted(app, host, port) as forwarder.url,
    ):
        yield forwarder
    forwarder.check()
