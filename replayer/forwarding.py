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

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from turnreel.adapters.registry import provider
from turnreel.wire.encode import encode

from .arming import Arming
from .calls import Call, carriage_of, json_answer
from .clients import Clients
from .emitter import PATIENCE_S
from .errors import PlanError, ServeError
from .faults import RECORDED, Fault, Plan, place_of, spec_of
from .faults.event import Late, Reorder
from .faults.places import AtRandom, AtTerminal
from .faults.transport import Reslice
from .journal import Journal
from .listening import BACKLOG, listen, url_of
from .outlet import AiohttpOutlet
from .performing import Live
from .plan import require
from .report import Report
from .script import Exchange
from .server import REQUEST_LIMIT
from .shelf import SPOKEN_AT

OF_CONNECTION: Final = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-encoding",  # the body was unpacked on its way in
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers of a connection, not of what is said on it."""
LIVE: Final = "live"

_CLOSING_S: Final = 0.2


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
        client, _ = self.clients.of(request.headers)
        call = Call(self._journal.begin(), client, request)
        if request.headers.get("upgrade", "").lower() == "websocket":
            return self._refused(call, 426, "WebSockets are not forwarded")
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return self._refused(call, 413, f"a request has at most {REQUEST_LIMIT} B")
        outlet = AiohttpOutlet(request)
        live = Live(_template(call), self.arming, outlet, carriage_of(request), self._patience_s)
        try:
            if not await live.refused():
                await self._relay(request, body, live)
        except aiohttp.ClientConnectionError as error:
            if not outlet.opened:
                return self._refused(call, 502, f"{self._upstream} does not answer: {error}")
        except ConnectionError:
            pass  # the client left while it was written to; aiohttp finds that out by itself
        finally:
            told = tuple(map(spec_of, live.settle()))
            self._journal.served(call.forwarded(outlet.status, live.emitter, told))
        return outlet.response

    async def _relay(self, request: web.Request, body: bytes, live: Live) -> None:
        assert self.session is not None, "it is forwarded while the session is open"
        headers = [pair for pair in request.headers.items() if pair[0].lower() not in OF_CONNECTION]
        headers.append(("accept-encoding", "identity"))
        asking = self.session.request(
            request.method,
            f"{self._upstream}{request.path_qs}",
            headers=headers,
            data=body or None,
            allow_redirects=False,
        )
        async with asking as response:
            await live.begin(response.status, tuple(response.headers.items()))
            try:
                async for chunk in response.content.iter_any():
                    await live.feed(chunk)
                    if live.is_over:
                        return
            except aiohttp.ClientPayloadError:
                await live.end("upstream")
                return
            await live.end(None)

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
            case _ if isinstance(fault, Late | Reorder | Reslice):
                raise PlanError(f"{spec_of(fault)}: would have to wait for what comes", "serve it")
            case _:
                pass
    return plan


def _dialect(path: str) -> str:
    return next((name for end, name in SPOKEN_AT.items() if path.endswith(end)), "none")


def _template(call: Call) -> Exchange:
    """The exchange of a request that nothing has answered yet."""
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
    target = urlsplit(upstream)
    if target.scheme not in ("http", "https") or not target.hostname or target.query:
        raise ServeError(f"{upstream} is not a base URL", "as https://api.anthropic.com")
    forwarder = Forwarder(upstream, plan or Plan(), patience_s)
    app = web.Application(client_max_size=REQUEST_LIMIT)
    app.router.add_route("*", "/{path:.*}", forwarder.handle)
    runner = web.AppRunner(
        app, access_log=None, handler_cancellation=True, shutdown_timeout=_CLOSING_S
    )
    await runner.setup()
    patience = aiohttp.ClientTimeout(total=None, sock_connect=30)
    async with aiohttp.ClientSession(
        timeout=patience, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=True
    ) as forwarder.session:
        try:
            listener = listen(host, port)
            await web.SockSite(runner, listener, backlog=BACKLOG).start()
            forwarder.url = url_of(listener, host)
            yield forwarder
        finally:
            await runner.cleanup()
    forwarder.check()
