"""What every fault is made of, and what the table says of it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from .places import Kind, Positive

Side = Literal["server", "agent", "client"]
"""Who can execute a fault: `serve`, `shim`, or the replay client."""

Family = Literal["transport", "event", "session", "process"]


@dataclass(frozen=True, kw_only=True)
class AnyFault:
    """What goes wrong, and where."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True, kw_only=True)
class OfExchange(AnyFault):
    """A fault that may be narrowed to one recorded exchange, and happen several times."""

    exchange: Positive | None = None
    times: Positive = 1


@dataclass(frozen=True)
class Word:
    """A row of the vocabulary. `argument` is the field that ``name:ARG`` sets; `places` what its
    place may be counted in, none if it concerns a whole stream. `leaves` says what the recorded
    answer is afterwards: delivered to its end, or spoilt, so that the retry gets it again.
    """

    name: str
    fault: type[AnyFault]
    family: Family
    sides: frozenset[Side]
    examples: tuple[str, ...]
    argument: str | None = None
    places: tuple[Kind, ...] = ()
    leaves: Literal["delivered", "spoilt"] = "delivered"

    @property
    def meaning(self) -> str:
        """What happens, in one sentence."""
        return " ".join((inspect.getdoc(self.fault) or "").split())


SERVER: Final[frozenset[Side]] = frozenset({"server"})
AGENT: Final[frozenset[Side]] = frozenset({"agent"})
CLIENT: Final[frozenset[Side]] = frozenset({"client"})
STREAMS: Final = SERVER | AGENT
"""Whoever delivers a recorded stream."""
EVENT: Final[tuple[Kind, ...]] = ("event",)
BETWEEN: Final[tuple[Kind, ...]] = ("event", "time")
ANYWHERE: Final[tuple[Kind, ...]] = ("event", "byte", "time")
