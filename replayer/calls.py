"""Requests of a server, as its journal tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from aiohttp import HttpVersion11, web

from .emitter import Emitter
from .matching import EXCHANGE_HEADER, Hit
from .performance import Carriage
from .report import Served

NO_EXCHANGE: Final = 0
"""A number that no exchange has."""

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


class Named(msgspec.Struct, frozen=True):
    """An exchange by its number; on a WebSocket, the answer with which it is gone on, from 1."""

    exchange: int
    turn: int = 1


def named_exchange(request: web.Request) -> Named | None:
    """The exchange that a request asks for, as ``3`` or ``3/2``; one that there is not, where it
    asks for something else.
    """
    said = request.headers.get(EXCHANGE_HEADER)
    if said is None:
        return None
    numbers = said.split("/")
    if len(numbers) > 2 or not all(len(one) < 10 and one.isdecimal() for one in numbers):
        return Named(NO_EXCHANGE)
    return Named(*map(int, numbers))


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
