"""The control API of a server: for tests that look at it and change its faults while it runs.

It listens on loopback, and the first part of every path is a token: whoever does not say it gets
nothing. Answers are JSON; what cannot be done is told as ``{"error": …, "remedy": …}``.

    GET    /state          what is served, how much of it was asked for, and the plan's faults
    GET    /journal        the latest requests and misses; ``?after=N`` those behind request N
    POST   /faults         arm the faults of ``{"faults": ["cut:reset@event=5"]}``
    DELETE /faults/N       disarm fault N
    POST   /reset          every client begins anew, the journal too, and the plan
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

import msgspec
from aiohttp import web

from turnreel.wire.addresses import is_loopback
from turnreel.wire.errors import TurnreelError

from .arming import Arming
from .clients import Clients
from .errors import PlanError, ServeError
from .faults import Fault
from .listening import Handler, Unreadable, body_of, hosted
from .plan import parse_fault
from .report import Missed, Report, Served

LOOPBACK: Final = "127.0.0.1"
BODY_LIMIT: Final = 1 << 20


class Controllable(Protocol):
    """What can be looked at and changed while it runs."""

    url: str
    names: tuple[str, ...]
    arming: Arming
    clients: Clients[Any]

    def report(self) -> Report:
        """What happened until now."""

    def arm(self, faults: Sequence[Fault]) -> None:
        """Add faults to the plan. Raises PlanError if one cannot happen."""

    def reset(self) -> None:
        """Begin anew."""


class ArmedFault(msgspec.Struct, frozen=True):
    """A fault of the plan, by its number."""

    number: int
    fault: str
    planned: int
    fired: int
    disarmed: bool


class State(msgspec.Struct, frozen=True):
    """What a server stands at."""

    url: str
    cassettes: tuple[str, ...]
    requests: int
    missed: int
    clients: int
    seed: int
    pacing: float
    faults: tuple[ArmedFault, ...]


class Events(msgspec.Struct, frozen=True):
    """The latest of what happened."""

    served: tuple[Served, ...]
    misses: tuple[Missed, ...]


class Arm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Faults to be armed, as specs."""

    faults: tuple[str, ...]


class Control:
    """The handlers of a server's control API."""

    def __init__(self, server: Controllable, token: str) -> None:
        self._server = server
        self._token = token.encode()

    def app(self) -> web.Application:
        """What answers."""
        app = web.Application(client_max_size=BODY_LIMIT, middlewares=[self._guarded])
        app.router.add_get("/{token}/state", self._state)
        app.router.add_get("/{token}/journal", self._journal)
        app.router.add_post("/{token}/faults", self._arm)
        app.router.add_delete("/{token}/faults/{number}", self._disarm)
        app.router.add_post("/{token}/reset", self._reset)
        return app

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Nobody without the token, and every mistake in one shape."""
        said = request.path.removeprefix("/").partition("/")[0]
        if not hmac.compare_digest(said.encode("utf-8", "replace"), self._token):
            return _answer({"error": "wrong token", "remedy": "it is in the printed URL"}, 403)
        try:
            return await handler(request)
        except TurnreelError as error:
            return _answer({"error": error.message, "remedy": error.remedy}, 400)
        except Unreadable as error:
            return _answer({"error": str(error), "remedy": "a list of faults"}, error.status)
        except web.HTTPException as error:
            told = {"error": error.reason, "remedy": "state, journal, faults, reset"}
            return _answer(told, error.status)

    async def _state(self, request: web.Request) -> web.Response:
        return _answer(self._told())

    async def _journal(self, request: web.Request) -> web.Response:
        said = request.query.get("after", "0")
        if not (len(said) < 16 and said.isdecimal()):
            raise PlanError("`after` is no request's number", "for example /journal?after=12")
        report = self._server.report()
        after = int(said)
        served = tuple(one for one in report.served if one.request > after)
        return _answer(Events(served, tuple(m for m in report.misses if m.request > after)))

    async def _arm(self, request: web.Request) -> web.Response:
        try:
            said = msgspec.json.decode(await body_of(request), type=Arm)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            remedy = '{"faults": ["cut:reset@event=5"]}'
            raise PlanError(f"not a list of faults: {error}", remedy) from error
        self._server.arm(tuple(map(parse_fault, said.faults)))
        return _answer(self._told(), 201)

    async def _disarm(self, request: web.Request) -> web.Response:
        said = request.match_info["number"]
        self._server.arming.disarm(int(said) if len(said) < 10 and said.isdecimal() else -1)
        return _answer(self._told())

    async def _reset(self, request: web.Request) -> web.Response:
        self._server.reset()
        return _answer(self._told())

    def _told(self) -> State:
        server, report = self._server, self._server.report()
        return State(
            url=server.url,
            cassettes=server.names,
            requests=report.requests,
            missed=report.missed,
            clients=len(server.clients),
            seed=report.seed,
            pacing=server.arming.plan.pacing.factor,
            faults=tuple(
                ArmedFault(number, one.fault, one.planned, one.fired, one.disarmed)
                for number, one in enumerate(report.faults)
            ),
        )


@asynccontextmanager
async def controlled(
    server: Controllable, *, host: str = LOOPBACK, port: int = 0
) -> AsyncIterator[str]:
    """Let `server` be controlled while the block runs. Yields the base URL, which holds the token:
    whoever has it may do all that the API can. Raises ServeError if the address cannot be had or
    others than this machine could reach it.
    """
    if not is_loopback(host):
        raise ServeError(f"{host} can be reached by others", "control listens on loopback alone")
    token = secrets.token_urlsafe(24)
    async with hosted(Control(server, token).app(), host, port) as url:
        yield f"{url}/{token}"


def _answer(value: object, status: int = 200) -> web.Response:
    return web.Response(
        status=status, body=msgspec.json.encode(value), content_type="application/json"
    )
