"""Requests of a server, as its journal tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from aiohttp import HttpVersion11, web

from .emitter import Emitter
from .matching import EXCHANGE_HEADER, Hit
from .performance import Carriage
from .report import Served

Form = Literal["probe", "miss"]
"""What an answer is that was not recorded."""


class Call:
    """A request, or a message on a WebSocket; its number and its client's."""

    def __init__(self, number: int, client: int, request: web.Request) -> None:
        self.number = number
        self.client = client
        self.request = request

    def played(self, hit: Hit, status: int, emitter: Emitter, faults: tuple[str, ...]) -> Served:
        """That it was played what was recorded."""
        return Served(
            request=self.number,
            client=self.client,
            method=self.request.method,
            path=self.request.path,
            cassette=hit.entry.cassette,
            exchange=hit.exchange.number,
            form=hit.form,
            ended=emitter.ended,
            status=status,
            sent=emitter.sent,
            events=emitter.events,
            faults=faults,
            unflushed=emitter.unflushed,
        )

    def forwarded(self, status: int, emitter: Emitter, faults: tuple[str, ...]) -> Served:
        """That it got what upstream said."""
        return Served(
            request=self.number,
            client=self.client,
            method=self.request.method,
            path=self.request.path,
            exchange=None,
            form="forwarded",
            ended=emitter.ended,
            status=status,
            sent=emitter.sent,
            events=emitter.events,
            faults=faults,
            unflushed=emitter.unflushed,
        )

    def answered(
        self,
        form: Form,
        status: int,
        sent: int,
    ) -> Served:
        """That it got something else, at once and whole."""
        return Served(
            request=self.number,
            client=self.client,
            method=self.request.method,
            path=self.request.path,
            exchange=None,
            form=form,
            ended="complete",
            status=status,
            sent=sent,
        )


def named_exchange(request: web.Request) -> int | None:
    """The exchange that a request asks for by its number."""
    named = request.headers.get(EXCHANGE_HEADER, "")
    return int(named) if len(named) < 10 and named.isdecimal() else None


def carriage_of(request: web.Request) -> Carriage:
    """What a client can take."""
    if request.method == "HEAD":
        return "head"
    return "http/1.1" if request.version >= HttpVersion11 else "http/1.0"


def json_answer(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> web.Response:
    """A whole answer."""
    return web.Response(
        status=status, body=body, content_type="application/json", headers=dict(headers or {})
    )
