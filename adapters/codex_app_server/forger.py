"""Frames of the app-server that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.codex_literals import RETRY
from turnreel.adapters.fields import Fields, fields, text
from turnreel.adapters.forging import Forger, Retry, like, values
from turnreel.wire.units import JsonUnit, Unit

from .builders import DISCONNECTED, Server, words


class AppServerForger(Forger):
    """A turn ends with ``turn/completed``. A retry is an ``error`` with ``willRetry``; the item
    under way begins again under another id.
    """

    dialect = "codex-app-server"
    ids = frozenset({"id", "itemId"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"method": "turn/completed"}):
                return True
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        status = text(_turn(spoken), "status") or "completed"
        return (like(spoken[-1], _server(spoken).ended(status)),)

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        server = _server(spoken)
        if text(_turn(spoken), "status") == "completed":
            return (like(spoken[-1], server.ended("failed", error=words("other"))),)
        return (like(spoken[-1], server.ended("completed")),)

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return (like(spoken[-1], _server(spoken).error(words("other"), retries=False)),)

    def retry(self, spoken: Sequence[Unit]) -> Retry:
        begins, item = len(spoken), None
        for place, unit in enumerate(spoken):
            match unit:
                case JsonUnit(value={"method": "item/started", "params": dict() as params}):
                    begins, item = place, text(fields(params, "item"), "id")
                case JsonUnit(value={"method": "item/completed", "params": dict() as params}):
                    if text(fields(params, "item"), "id") == item:
                        begins, item = len(spoken), None
        failed = [other for unit in spoken[begins:] if (other := self.renamed(unit)) is not None]
        notice = _server(spoken).error(words(DISCONNECTED, f"{RETRY}1/5"), retries=True)
        return Retry(begins, (*failed, like(spoken[-1], notice)))

    def renamed(self, unit: Unit) -> Unit | None:
        """Only an item's frames; ids of requests and turns are their own matter."""
        match unit:
            case JsonUnit(value={"method": str(method)}) if method.startswith("item/"):
                return super().renamed(unit)
            case _:
                return None

    def unknown(self, spoken: Sequence[Unit]) -> Unit:
        server = _server(spoken)
        params: Fields = {"threadId": server.thread, "turnId": server.turn}
        return like(spoken[-1], {"method": "turnreel/unknown", "params": params})


FORGER: Final = AppServerForger()


def _server(spoken: Sequence[Unit]) -> Server:
    """A server of the thread and turn that were spoken of last."""
    said = [fields(value, "params") for value in values(spoken)]
    threads = [name for params in said if (name := text(params, "threadId"))]
    turns = [
        name
        for params in said
        if (name := text(params, "turnId") or text(fields(params, "turn"), "id"))
    ]
    server = Server(threads[-1]) if threads else Server()
    server.turn = turns[-1] if turns else server.turn
    return server


def _turn(spoken: Sequence[Unit]) -> Fields:
    ends = [value for value in values(spoken) if value.get("method") == "turn/completed"]
    return fields(fields(ends[-1], "params"), "turn") if ends else {}
