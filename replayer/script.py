"""What a cassette holds to be played: exchanges of a provider, acts of an agent.

A *script* is a track's records grouped as a performer needs them, every native unit already
encoded as the bytes that arrived. Scripts are frozen and know no faults and no sockets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from turnreel.cassettes import Record, unit_of
from turnreel.wire.encode import encode
from turnreel.wire.units import Json, JsonUnit, SseFraming, TextUnit, Unit


class Event(msgspec.Struct, frozen=True):
    """One recorded unit, ready to send. `number` counts from 1 in its exchange or, for an agent,
    among its stdout lines (stderr lines have 0); `slices` are the lengths in which `data` was
    read from the socket, if not in one; the last of them was `joined` in its read with what the
    next event begins with.
    """

    number: int
    at_us: int
    data: bytes
    unit: Unit
    slices: tuple[int, ...] = ()
    joined: bool = False

    @property
    def label(self) -> str:
        """What the event calls itself, for people."""
        return label_of(self.unit)


class Response(msgspec.Struct, frozen=True):
    """A recorded response head."""

    at_us: int
    status: int
    headers: tuple[tuple[str, str], ...]


class Finished(msgspec.Struct, frozen=True):
    """The body ended as its protocol ends a body."""

    at_us: int


class Torn(msgspec.Struct, frozen=True):
    """The exchange was cut, and by whom."""

    at_us: int
    by: Literal["client", "upstream", "unknown"]


class Closed(msgspec.Struct, frozen=True):
    """The server closed the WebSocket behind this answer, with this code, 0 for none."""

    at_us: int
    code: int
    reason: bytes = b""


class Exchange(msgspec.Struct, frozen=True):
    """One request of a provider track and what came back. No `response`: none ever came. No
    `end`: the recording stops before the exchange did.

    On a WebSocket, one message of the client and the messages that answered it: `number` is the
    WebSocket's, `turn` which of its messages it was, from 1, and `said` the message, if recorded.
    """

    number: int
    track: str
    dialect: str
    method: str
    path: str
    features: Json
    asked_us: int
    response: Response | None
    events: tuple[Event, ...]
    end: Finished | Torn | Closed | None
    carrier: Literal["http", "websocket"] = "http"
    turn: int = 0
    said: Unit | None = None

    @property
    def size(self) -> int:
        """Bytes of the decoded body."""
        return sum(len(event.data) for event in self.events)

    @property
    def streamed(self) -> bool:
        """Whether the body is a sequence of server-sent events."""
        return any(isinstance(event.unit.framing, SseFraming) for event in self.events)


class Heard(msgspec.Struct, frozen=True):
    """The agent got one line of input."""

    at_us: int
    unit: Unit


class HeardEnd(msgspec.Struct, frozen=True):
    """The agent's input was closed."""

    at_us: int


class Signalled(msgspec.Struct, frozen=True):
    """The host signalled the agent."""

    at_us: int
    name: str


class Printed(msgspec.Struct, frozen=True):
    """The agent wrote one line."""

    stream: Literal["stdout", "stderr"]
    event: Event


class Exited(msgspec.Struct, frozen=True):
    """The agent's process ended, by itself or killed."""

    at_us: int
    code: int | None
    signal: str | None


Act = Heard | HeardEnd | Signalled | Printed | Exited


class AgentScript(msgspec.Struct, frozen=True):
    """The agent's side of a session, in recorded order."""

    track: str
    dialect: str
    acts: tuple[Act, ...]

    @property
    def lines(self) -> int:
        """How many stdout lines there are."""
        return sum(isinstance(act, Printed) and act.stream == "stdout" for act in self.acts)

    @property
    def converses(self) -> bool:
        """Whether the host spoke to the agent through stdin."""
        return any(isinstance(act, Heard) for act in self.acts)


def agent_script(records: Iterable[Record], track: str, dialect: str) -> AgentScript:
    """The acts of a stdio track, in order."""
    acts = _acts(record for record in records if record.track == track)
    return AgentScript(track, dialect, tuple(acts))


def label_of(unit: Unit) -> str:
    """The name a unit gives itself: an SSE event's, else the words that say its kind."""
    if isinstance(unit.framing, SseFraming) and unit.framing.event:
        return unit.framing.event
    match unit:
        case JsonUnit(value=dict() as value):
            return kind_of(value) or "json"
        case JsonUnit():
            return "json"
        case TextUnit():
            return "text"
        case _:
            return "torn"


def kind_of(value: Mapping[str, Json]) -> str:
    """What a message says it is: its ``type``, ``subtype`` and ``method``, or else its ``event`` or
    ``object``, and those of the request, response, event or params it wraps, joined by ``/``.
    """
    words = [value[key] for key in ("type", "subtype", "method") if key in value]
    if not words:
        words = [value[key] for key in ("event", "object") if isinstance(value.get(key), str)]
    for key in ("request", "response", "event", "params"):
        inner = value.get(key)
        if isinstance(inner, dict):
            words += [inner[word] for word in ("type", "subtype") if word in inner]
    return "/".join(word for word in words if isinstance(word, str))


def _acts(records: Iterable[Record]) -> Iterator[Act]:
    printed = 0
    for record in records:
        match record.code:
            case "in":
                yield Heard(record.at_us, unit_of(record))
            case "out":
                printed += 1
                yield Printed("stdout", event_of(record, printed))
            case "err":
                yield Printed("stderr", event_of(record, 0))
            case "eof":
                yield HeardEnd(record.at_us)
            case "signal":
                yield Signalled(record.at_us, str(fields_of(record).get("name", "SIGINT")))
            case "exit":
                fields = fields_of(record)
                code, signal = fields.get("code"), fields.get("signal")
                yield Exited(
                    record.at_us,
                    code if isinstance(code, int) else None,
                    signal if isinstance(signal, str) else None,
                )


def event_of(record: Record, number: int) -> Event:
    """The unit of a record, ready to send."""
    unit = unit_of(record)
    data = encode(unit)
    reads = record.reads if record.code == "data" else None  # of messages and lines there are none
    slices, joined = _slices(reads, len(data))
    return Event(number, record.at_us, data, unit, slices, joined)


def _slices(reads: tuple[int, ...] | None, size: int) -> tuple[tuple[int, ...], bool]:
    """The lengths in which a unit of `size` bytes was read, and whether the last of those reads
    went on into the next unit. A read of which redaction left nothing is none; of reads that cannot
    be the unit's nothing is believed.
    """
    if reads is None or min(reads, default=0) < 0 or sum(reads) > size:
        return (), False
    ended = tuple(read for read in reads if read)
    rest = size - sum(ended)
    return ((*ended, rest), True) if rest else (ended, False)


def torn_of(record: Record) -> Torn:
    """What a ``cut`` record says."""
    match fields_of(record).get("by"):
        case "client":
            return Torn(record.at_us, "client")
        case "upstream":
            return Torn(record.at_us, "upstream")
        case _:
            return Torn(record.at_us, "unknown")


def fields_of(record: Record) -> dict[str, Json]:
    """The fields of a record that has some, empty if it has none."""
    data = record.data
    return data if isinstance(data, dict) else {}
