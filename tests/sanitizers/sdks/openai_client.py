"""OpenAI's own client, and what its parsers made of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import pytest

from .recorded import Transport
from .structure import Structure

openai = pytest.importorskip("openai", reason="the extra sdk-tests is not installed")

REFUSALS: Final = (openai.OpenAIError, ValueError, RuntimeError, AssertionError, LookupError)
"""How a parser ends a stream that it does not take: torn JSON, items out of order, an error."""


class Parsed(NamedTuple):
    """What became of a stream: its typed events in order, and the kind of error that ended it."""

    events: list[Any]
    refused: str

    def structure(self, structure: Structure) -> Any:
        """All of it but the texts."""
        return [(type(e).__name__, structure.of(plain(e))) for e in self.events], self.refused


class Client:
    """The SDK over a transport that answers with the body it is given."""

    def __init__(self) -> None:
        self._transport = Transport(openai.DefaultHttpxClient)
        self._client = openai.OpenAI(
            api_key="none", max_retries=0, http_client=self._transport.client
        )

    def close(self) -> None:
        self._client.close()

    def responses(self, body: bytes) -> Parsed:
        """A stream of the Responses API, every event by itself."""
        self._transport.body = body
        return parsed(self._client.responses.create(model="m", input="x", stream=True))

    def responses_added_up(self, body: bytes) -> Parsed:
        """The same, each event with the snapshot that follows from those before."""
        self._transport.body = body
        with self._client.responses.stream(model="m", input="x") as stream:
            return parsed(stream)

    def chat(self, body: bytes) -> Parsed:
        """A stream of Chat Completions, every chunk by itself."""
        self._transport.body = body
        return parsed(self._client.chat.completions.create(**_ASKED, stream=True))

    def chat_added_up(self, body: bytes) -> tuple[Parsed, Any]:
        """The same as events that tell what was added, and the completion they add up to, None if
        the stream was refused.
        """
        self._transport.body = body
        with self._client.chat.completions.stream(**_ASKED) as stream:
            told = parsed(stream)
            try:
                return told, None if told.refused else stream.get_final_completion()
            except REFUSALS as error:
                return Parsed(told.events, type(error).__name__), None


_ASKED: Final[dict[str, Any]] = {"model": "m", "messages": [{"role": "user", "content": "x"}]}


def parsed(stream: Iterable[Any]) -> Parsed:
    """All of `stream`, as far as the parser takes it."""
    events: list[Any] = []
    try:
        events.extend(stream)
    except REFUSALS as error:
        return Parsed(events, type(error).__name__)
    return Parsed(events, "")


def plain(value: Any) -> Any:
    """A typed value as JSON. The parsers keep words that they do not know, and warn of each."""
    return value.to_dict(mode="json", warnings=False)


def is_json(text: str) -> bool:
    """Whether a call's arguments can be read."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
