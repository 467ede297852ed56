"""Frames of Claude Code that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.fields import fields, text
from turnreel.adapters.forging import OTHER, Forger, Retry, like, values
from turnreel.wire.units import JsonUnit, Unit

from .builders import Line, Printer

FORGED: Final = "f0f0f0f0"
"""What the uuids of forged frames begin with, so that none is a recorded one."""


class ClaudeForger(Forger):
    """A turn ends with its ``result``. A cut message is closed as abandoned before the runtime says
    that it asks again.
    """

    dialect = "claude-stream-json"
    ids = frozenset({"id", "uuid", "api_message_id", "tool_use_id"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"type": "result"}):
                return True
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        result = _result(spoken)
        return (self._frame(spoken, _printer(spoken).result(text(result, "result") or "")),)

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        printer = _printer(spoken)
        failed = _result(spoken).get("is_error") is True
        line = printer.result("") if failed else printer.error("error_during_execution")
        return (self._frame(spoken, line),)

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return (self._frame(spoken, _printer(spoken).failure("server_error", 500)),)

    def retry(self, spoken: Sequence[Unit]) -> Retry:
        printer = _printer(spoken)
        begins, message = _attempt(spoken)
        failed = [other for unit in spoken[begins:] if (other := self.renamed(unit)) is not None]
        lines = [] if message is None else [printer.stop_abandoned(f"{message}{OTHER}", 0)]
        lines.append(printer.retry(1, None))
        return Retry(begins, (*failed, *(self._frame(spoken, line) for line in lines)))

    def ping(self, spoken: Sequence[Unit]) -> Unit:
        message = _attempt(spoken)[1] or "msg_0001"
        return self._frame(spoken, _printer(spoken).event(message, {"type": "ping"}))

    def resumed(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        """Every turn of every process begins with ``system/init``."""
        for unit in spoken:
            match unit:
                case JsonUnit(value={"type": "system", "subtype": "init"}):
                    other = self.renamed(unit)
                    return () if other is None else (other,)
        return ()

    def _frame(self, spoken: Sequence[Unit], line: Line) -> Unit:
        line = {**line, "uuid": f"{FORGED}{str(line.get('uuid', ''))[8:]}"}
        return like(spoken[-1], line)


FORGER: Final = ClaudeForger()


def _printer(spoken: Sequence[Unit]) -> Printer:
    """A printer of the session that `spoken` belongs to."""
    names = [name for value in values(spoken) if (name := text(value, "session_id"))]
    return Printer(names[-1]) if names else Printer()


def _result(spoken: Sequence[Unit]) -> Line:
    results = [value for value in values(spoken) if value.get("type") == "result"]
    return results[-1] if results else {}


def _attempt(spoken: Sequence[Unit]) -> tuple[int, str | None]:
    """Where the message under way began, and its id; behind everything if none is under way."""
    begins, message = len(spoken), None
    for place, unit in enumerate(spoken):
        match unit:
            case JsonUnit(value={"type": "stream_event", "event": dict() as event}):
                if event.get("type") == "message_start":
                    begins, message = place, text(fields(event, "message"), "id")
                elif event.get("type") == "message_stop":
                    begins, message = len(spoken), None
    return begins, message
