"""Sanitized streams load where the raw ones did: in the vendors' own parsers, with the same result.

The parsers come with the extra ``sdk-tests``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

import pytest

from turnreel.sanitizers import Clean, Profile, Raw, Sanitizer
from turnreel.wire.encode import encode
from turnreel.wire.units import JsonUnit, SseFraming, TextUnit, TornUnit

from .canaries.corpus import Session, sessions
from .test_dialects import POLICIES, SCRIPTS, session, skeleton

anthropic = pytest.importorskip("anthropic", reason="the extra sdk-tests is not installed")
message_parser = pytest.importorskip(
    "claude_agent_sdk._internal.message_parser", reason="the extra sdk-tests is not installed"
)

SESSIONS = [
    *(
        Session(f"scripted-{name}", POLICIES, tuple(session(script)))
        for name, script in SCRIPTS.items()
    ),
    *sessions(),
]
every_session = pytest.mark.parametrize("one", SESSIONS, ids=lambda one: one.name)
profiles = pytest.mark.parametrize("profile", ["fixture", "strict"])


def sanitized(one: Session, profile: Profile) -> list[Clean]:
    sanitizer = Sanitizer(one.policies, profile)
    return [clean for raw in one.raws for clean in sanitizer.push(raw)] + sanitizer.flush()


def streams(records: Iterable[Raw | Clean]) -> dict[int, bytes]:
    """The bodies that the provider streamed, by exchange."""
    bodies: dict[int, bytes] = {}
    for record in records:
        match record.body:
            case (JsonUnit() | TextUnit() | TornUnit()) as unit if isinstance(
                unit.framing, SseFraming
            ):
                exchange = record.exchange or 0
                bodies[exchange] = bodies.get(exchange, b"") + encode(unit)
    return bodies


class Provider:
    """The provider's SDK over a transport that answers with the body it is given."""

    def __init__(self) -> None:
        mro = anthropic.DefaultHttpxClient.__mro__
        base = next(kind for kind in mro if kind.__name__ == "Client")
        http = import_module(base.__module__.partition(".")[0])
        self._body = b""
        headers = {"content-type": "text/event-stream"}
        transport = http.MockTransport(
            lambda _: http.Response(200, headers=headers, content=self._body)
        )
        self._client = anthropic.Anthropic(
            api_key="none", max_retries=0, http_client=http.Client(transport=transport)
        )

    def close(self) -> None:
        self._client.close()

    def events(self, body: bytes) -> Iterator[Any]:
        """What it makes of `body`; at last the kind of error it ends with."""
        self._body = body
        message: dict[str, str] = {"role": "user", "content": "x"}
        try:
            for event in self._client.messages.create(
                model="m", max_tokens=1, messages=[message], stream=True
            ):
                yield type(event).__name__, skeleton(event.model_dump(mode="json"))
        except anthropic.APIError as error:
            yield type(error).__name__, None


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    one = Provider()
    yield one
    one.close()


def agent_messages(records: Iterable[Raw | Clean]) -> Iterator[Any]:
    """What the agent's SDK makes of each line; the kind of error where it refuses one."""
    for record in records:
        if record.track == "agent" and record.code == "out" and isinstance(record.body, JsonUnit):
            try:
                message = message_parser.parse_message(record.body.value)
            except message_parser.MessageParseError as error:
                yield type(error).__name__
                continue
            fields = dataclasses.asdict(message) if message is not None else None
            yield type(message).__name__, skeleton(fields)


@profiles
@every_session
def test_a_provider_stream_parses_as_before(
    one: Session, profile: Profile, provider: Provider
) -> None:
    before, after = streams(one.raws), streams(sanitized(one, profile))
    assert before.keys() == after.keys()
    for exchange, body in before.items():
        assert list(provider.events(after[exchange])) == list(provider.events(body))


@profiles
@every_session
def test_an_agents_lines_parse_as_before(one: Session, profile: Profile) -> None:
    before = list(agent_messages(one.raws))
    assert list(agent_messages(sanitized(one, profile))) == before


def test_the_parsers_do_parse(provider: Provider) -> None:
    bodies = [body for one in SESSIONS for body in streams(one.raws).values()]
    events = {name for body in bodies for name, _ in provider.events(body)}
    assert {"RawMessageStartEvent", "RawContentBlockDeltaEvent"} <= events
    messages = {made[0] for one in SESSIONS for made in agent_messages(one.raws)}
    assert {"AssistantMessage", "ResultMessage", "SystemMessage", "StreamEvent"} <= messages
