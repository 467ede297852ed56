"""The Messages API and Claude's agent: sanitized streams load in the vendor's own parsers, with the
result that the raw ones had.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from tests.sanitizers.canaries.corpus import Session
from tests.sanitizers.test_dialects import skeleton
from turnreel.sanitizers import Clean, Profile, Raw
from turnreel.wire.units import JsonUnit

from .recorded import PROFILES, Transport, claude_sessions, sanitized, streams

anthropic = pytest.importorskip("anthropic", reason="the extra sdk-tests is not installed")
message_parser = pytest.importorskip(
    "claude_agent_sdk._internal.message_parser", reason="the extra sdk-tests is not installed"
)

SESSIONS = claude_sessions()
DIALECTS = {"anthropic-messages"}
every_session = pytest.mark.parametrize("one", SESSIONS, ids=lambda one: one.name)
profiles = pytest.mark.parametrize("profile", PROFILES)


class Provider:
    """The provider's SDK over a transport that answers with the body it is given."""

    def __init__(self) -> None:
        self._transport = Transport(anthropic.DefaultHttpxClient)
        self._client = anthropic.Anthropic(
            api_key="none", max_retries=0, http_client=self._transport.client
        )

    def close(self) -> None:
        self._client.close()

    def events(self, body: bytes) -> Iterator[Any]:
        """What it makes of `body`; at last the kind of error it ends with."""
        self._transport.body = body
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
    before = streams(one, one.raws, DIALECTS)
    after = streams(one, sanitized(one, profile), DIALECTS)
    assert before.keys() == after.keys()
    for exchange, body in before.items():
        assert list(provider.events(after[exchange])) == list(provider.events(body))


@profiles
@every_session
def test_an_agents_lines_parse_as_before(one: Session, profile: Profile) -> None:
    before = list(agent_messages(one.raws))
    assert list(agent_messages(sanitized(one, profile))) == before


def test_the_parsers_do_parse(provider: Provider) -> None:
    bodies = [body for one in SESSIONS for body in streams(one, one.raws, DIALECTS).values()]
    events = {name for body in bodies for name, _ in provider.events(body)}
    assert {"RawMessageStartEvent", "RawContentBlockDeltaEvent"} <= events
    messages = {made[0] for one in SESSIONS for made in agent_messages(one.raws)}
    assert {"AssistantMessage", "ResultMessage", "SystemMessage", "StreamEvent"} <= messages
