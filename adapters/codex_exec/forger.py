"""Frames of ``codex exec --json`` that were never recorded, for replays with faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnreel.adapters.forging import Forger, Retry, like, values
from turnreel.wire.units import JsonUnit, Unit

from .builders import Printer

ENDS: Final = frozenset({"turn.completed", "turn.failed"})
DISCONNECTED: Final = "stream disconnected before completion: scripted"


class ExecForger(Forger):
    """A turn ends with ``turn.completed`` or ``turn.failed``. A retry is an ``error`` with the
    runtime's words for it; items come whole, so nothing has to be said again.
    """

    dialect = "codex-exec"
    ids = frozenset({"id", "thread_id"})

    def terminal(self, unit: Unit) -> bool:
        match unit:
            case JsonUnit(value={"type": str(kind)}):
                return kind in ENDS
            case _:
                return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        line = Printer().failed("scripted") if _failed(spoken) else Printer().ended()
        return (like(spoken[-1], line),)

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        line = Printer().ended() if _failed(spoken) else Printer().failed("scripted")
        return (like(spoken[-1], line),)

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        return (like(spoken[-1], Printer().error("scripted")),)

    def retry(self, spoken: Sequence[Unit]) -> Retry:
        notice = like(spoken[-1], Printer().retry(1, DISCONNECTED))
        return Retry(len(spoken), (notice,))


FORGER: Final = ExecForger()


def _failed(spoken: Sequence[Unit]) -> bool:
    ends = [value for value in values(spoken) if value.get("type") in ENDS]
    return bool(ends) and ends[-1].get("type") == "turn.failed"
