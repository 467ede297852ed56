"""The fault vocabulary: one table, from which parsing, help and documents come.

A *fault* is a frozen value that says what goes wrong and where. Faults never act by themselves:
`schedule` turns recordings and faults into timed steps, performers execute the steps. To add a
fault: a dataclass, a row in `WORDS`, its place in `schedule`, its row in docs/faults.md.

Rules of this file
- A place is counted in what was *recorded*: events from 1, bytes of the decoded body from 0.
  "At event k" means when event k has been delivered whole; event 0 is the head alone. "At byte
  n" means when exactly n bytes have been delivered.
- `times` counts executions, 1 unless told. `exchange` narrows a fault to one recorded exchange.
- A fault that was planned and did not happen as often as planned is an error of the plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Annotated, ClassVar, Final, Literal

from annotated_types import Ge, Le

Natural = Annotated[int, Ge(0)]
Positive = Annotated[int, Ge(1)]

Side = Literal["server", "agent", "client"]
"""Who can execute a fault: `serve`, `shim`, or the replay client."""


@dataclass(frozen=True)
class AtEvent:
    """When this many recorded events have been delivered."""

    event: Natural


@dataclass(frozen=True)
class AtByte:
    """When exactly this many bytes of the decoded body have been delivered."""

    byte: Natural


@dataclass(frozen=True)
class AtRandom:
    """At an event or byte drawn with the plan's seed, among those the recording has."""

    of: Literal["event", "byte"]


Place = AtEvent | AtByte | AtRandom


@dataclass(frozen=True, kw_only=True)
class _Fault:
    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True, kw_only=True)
class _OfExchange(_Fault):
    exchange: Positive | None = None
    times: Positive = 1


@dataclass(frozen=True, kw_only=True)
class Status(_OfExchange):
    """The request is answered with an error status in the provider's own shape; the recorded
    answer stays unused.
    """

    status: Annotated[int, Ge(400), Le(599)]
    retry_after: Natural | None = None


@dataclass(frozen=True, kw_only=True)
class Cut(_OfExchange):
    """The stream ends early: `clean` as a FIN without terminator, `reset` as a RST."""

    how: Literal["clean", "reset"]
    at: Place


@dataclass(frozen=True, kw_only=True)
class Duplicate(_OfExchange):
    """One event is delivered twice in a row."""

    at: Place


@dataclass(frozen=True, kw_only=True)
class Cancel(_OfExchange):
    """The host cancels: the replay client leaves; the shim waits there for SIGINT or SIGTERM
    and then stops as killed by it, or plays the recorded rest.
    """

    at: Place
    then: Literal["stop", "rest"] = "stop"


@dataclass(frozen=True, kw_only=True)
class Exit(_Fault):
    """The agent's process exits with `code`."""

    code: Annotated[int, Ge(0), Le(255)]
    at: Place


@dataclass(frozen=True, kw_only=True)
class Kill(_Fault):
    """The agent's process dies of SIGKILL."""

    at: Place


Fault = Status | Cut | Duplicate | Cancel | Exit | Kill


@dataclass(frozen=True)
class Word:
    """A row of the vocabulary. `argument` is the field that ``name:ARG`` sets; `places` the
    kinds of address it takes, none if it concerns a whole exchange.
    """

    name: str
    fault: type[Fault]
    sides: frozenset[Side]
    meaning: str
    example: str
    argument: str | None = None
    places: tuple[Literal["event", "byte"], ...] = ()


WORDS: Final[tuple[Word, ...]] = (
    Word(
        "status",
        Status,
        frozenset({"server"}),
        "answer with an error status in the provider's shape before the recorded answer",
        "status:429,times=2,retry-after=1",
        argument="status",
    ),
    Word(
        "cut",
        Cut,
        frozenset({"server", "agent"}),
        "end the stream early: clean (FIN, no terminator) or reset (RST after the exact byte)",
        "cut:reset@byte=812",
        argument="how",
        places=("event", "byte"),
    ),
    Word(
        "duplicate",
        Duplicate,
        frozenset({"server", "agent"}),
        "deliver one event twice in a row",
        "duplicate@event=3",
        places=("event",),
    ),
    Word(
        "cancel",
        Cancel,
        frozenset({"client", "agent"}),
        "the host cancels: the client leaves; the shim waits for SIGINT, then stops or plays on",
        "cancel@event=4",
        argument="then",
        places=("event", "byte"),
    ),
    Word(
        "exit",
        Exit,
        frozenset({"agent"}),
        "the agent's process exits with a code",
        "exit:2@event=7",
        argument="code",
        places=("event",),
    ),
    Word(
        "kill",
        Kill,
        frozenset({"agent"}),
        "the agent's process dies of SIGKILL",
        "kill@event=7",
        places=("event",),
    ),
)

_BY_TYPE: Final = {word.fault: word for word in WORDS}


def word_of(fault: Fault) -> Word:
    """The vocabulary's row of `fault`."""
    return _BY_TYPE[type(fault)]


def spec_of(fault: Fault) -> str:
    """The fault as one would write it on the command line; `parse_fault` reads it back equal."""
    word = word_of(fault)
    head, options, place = word.name, [], ""
    for item in fields(fault):
        value = getattr(fault, item.name)
        if isinstance(value, AtEvent | AtByte | AtRandom):
            place = _place_of(value)
        elif item.name == word.argument:
            head += "" if value == item.default else f":{value}"
        elif value != item.default:
            options.append(f",{item.name.replace('_', '-')}={value}")
    return head + "".join(options) + place


def _place_of(place: Place) -> str:
    match place:
        case AtEvent(event):
            return f"@event={event}"
        case AtByte(byte):
            return f"@byte={byte}"
        case AtRandom(of):
            return f"@{of}=random"


@dataclass(frozen=True)
class Pacing:
    """How recorded time becomes replay time: every offset is multiplied by `factor`. 1 plays as
    recorded, 0 as fast as the other side takes it.
    """

    factor: float = 1.0

    def scale(self, offset_us: int) -> int:
        """Microseconds from the start, as replayed."""
        return round(offset_us * self.factor)


RECORDED: Final = Pacing(1.0)
MAX: Final = Pacing(0.0)


@dataclass(frozen=True)
class Plan:
    """What shall go wrong, where chance decides by which seed, and how fast to play."""

    faults: tuple[Fault, ...] = ()
    seed: int = 0
    pacing: Pacing = field(default=RECORDED)

    def part(self, side: Side) -> Plan:
        """The plan with the faults that `side` can execute, for those who compose several."""
        kept = tuple(fault for fault in self.faults if side in word_of(fault).sides)
        return Plan(kept, self.seed, self.pacing)

    def misplaced(self, side: Side) -> Iterable[Fault]:
        """The faults that `side` can never execute."""
        return (fault for fault in self.faults if side not in word_of(fault).sides)
