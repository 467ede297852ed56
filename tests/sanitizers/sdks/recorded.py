"""What the vendors' parsers are fed: every session there is, as the bytes of its streams, raw and
sanitized.

`TURNREEL_CAPTURES` names a folder of raw captures to be fed as well (see `canaries.corpus`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Final

from tests.sanitizers.canaries.corpus import Session, sessions
from tests.sanitizers.test_dialects import POLICIES, SCRIPTS, session
from turnreel.adapters import registry
from turnreel.adapters.openai_chat import render as chat
from turnreel.adapters.openai_responses import render as responses
from turnreel.sanitizers import Clean, Profile, Raw, Sanitizer
from turnreel.wire.encode import encode
from turnreel.wire.units import (
    BodyFraming,
    Json,
    JsonUnit,
    SseFraming,
    TextUnit,
    TornUnit,
    Unit,
)

PROFILES: Final[tuple[Profile, ...]] = ("fixture", "strict")
_DONE: Final = TextUnit("[DONE]", SseFraming())


def claude_sessions() -> list[Session]:
    """Those of the agent that speaks the Messages API, scripted ones first."""
    scripted = (
        Session(f"scripted-{name}", POLICIES, tuple(session(script)))
        for name, script in SCRIPTS.items()
    )
    return speaking({"claude-stream-json"}, scripted)


def speaking(dialects: set[str], scripted: Iterable[Session]) -> list[Session]:
    """Those with a track of one of `dialects`, after the scripted ones."""
    found = (one for one in sessions() if {p.dialect for p in one.policies.values()} & dialects)
    return [*scripted, *found]


def scripted_responses() -> list[Session]:
    """Scripted answers of the Responses API, with secrets in what is said and asked."""
    return [
        _scripted(name, "openai-responses", [reply.events for reply in responses.replies(script)])
        for name, script in SCRIPTS.items()
    ]


def scripted_chats() -> list[Session]:
    """The same scripts as answers of the Chat Completions API."""
    return [
        _scripted(name, "openai-chat", [reply.events for reply in chat.replies(script)], _DONE)
        for name, script in SCRIPTS.items()
    ]


def _scripted(name: str, dialect: str, answers: Iterable[Iterable[Json]], *last: Unit) -> Session:
    raws = []
    for number, events in enumerate(answers, 1):
        units = [JsonUnit(event, SseFraming(event=_name(event))) for event in events]
        raws += [Raw(0, "provider", "data", unit, number) for unit in (*units, *last)]
        raws.append(Raw(0, "provider", "end", {}, number))
    return Session(f"scripted-{name}", {"provider": registry.policy(dialect)}, tuple(raws))


def _name(event: Json) -> str | None:
    kind = event.get("type") if isinstance(event, dict) else None
    return kind if isinstance(kind, str) else None


def sanitized(one: Session, profile: Profile) -> list[Clean]:
    """The session's records as they land."""
    sanitizer = Sanitizer(one.policies, profile)
    return [clean for raw in one.raws for clean in sanitizer.push(raw)] + sanitizer.flush()


Answer = tuple[str, int, int]
"""Where an answer was streamed: track, exchange, and which one it is on a WebSocket."""


def streams(
    one: Session, records: Iterable[Raw | Clean], dialects: set[str]
) -> dict[Answer, bytes]:
    """The event streams of tracks of `dialects`. The messages that a WebSocket carries are the same
    events, so each answer on it counts as a stream.
    """
    tracks = {track for track, policy in one.policies.items() if policy.dialect in dialects}
    bodies: dict[Answer, bytes] = {}
    begun: Counter[int | None] = Counter()
    for record in records:
        match record.body:
            case JsonUnit(value, BodyFraming(), style) if record.code == "receive":
                begun[record.exchange] += _name(value) == "response.created"
                unit: Unit = JsonUnit(value, SseFraming(), style)
            case (JsonUnit() | TextUnit() | TornUnit()) as unit if isinstance(
                unit.framing, SseFraming
            ):
                pass
            case _:
                continue
        if record.track in tracks:
            key = record.track, record.exchange or 0, begun[record.exchange]
            bodies[key] = bodies.get(key, b"") + encode(unit)
    return bodies


class Transport:
    """An HTTP client as an SDK takes one, of the library that the SDK itself brings along; it
    answers whatever is asked with `body`, an event stream.
    """

    def __init__(self, default: Any) -> None:
        """`default` is the SDK's own class of client, which tells that library."""
        base = next(kind for kind in default.__mro__ if kind.__name__ == "Client")
        http = import_module(base.__module__.partition(".")[0])
        self.body = b""
        answer: Callable[[Any], Any] = lambda _: http.Response(  # noqa: E731
            200, headers={"content-type": "text/event-stream"}, content=self.body
        )
        self.client = http.Client(transport=http.MockTransport(answer))
