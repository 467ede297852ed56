"""Requests of a server, as its journal tells of them."""

from __future__ import annotations

from typing import Literal

from aiohttp import web

from .emitter import Emitter
from .matching import EXCHANGE_HEADER
from .report import Served
from .shelf import Entry

Form = Literal["whole", "probe", "miss"]
"""What an answer is that was not recorded as it is given."""


class Call:
    """A request, or a message on a WebSocket; its number and its client's."""

    def __init__(self, number: int, client: int, request: web.Request) -> None:
        self.number = number
        self.client = client
        self.request = request

    def played(
        self, entry: Entry, status: int, emitter: Emitter, faults: tuple[str, ...]
    ) -> Served:
        """That it was played what was recorded."""
        return Served(
            request=self.number,
            client=self.client,
            method=self.request.method,
            path=self.request.path,
            cassette=entry.cassette,
            exchange=entry.exchange.number,
            form="recorded",
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


def named_exchange(request: web.Request) -> int | None:
    """The exchange that a request asks for by its number."""
    named = request.headers.get(EXCHANGE_HEADER, "")
    return int(named) if len(named) < 10 and named.isdecimal() else None
