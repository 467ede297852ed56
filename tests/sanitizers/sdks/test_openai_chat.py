"""The Chat Completions API: sanitized streams load in the vendor's own parser, with the result that
the raw ones had, and arguments in pieces add up to JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.sanitizers.canaries.corpus import Session
from turnreel.sanitizers import Profile

from .openai_client import Client, Parsed, is_json, plain
from .recorded import PROFILES, sanitized, scripted_chats, speaking, streams
from .structure import Structure

DIALECTS: Final = {"openai-chat", "hermes-chat"}
SESSIONS: Final = speaking(DIALECTS, scripted_chats())
every_session = pytest.mark.parametrize("one", SESSIONS, ids=lambda one: one.name)
profiles = pytest.mark.parametrize("profile", PROFILES)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    one = Client()
    yield one
    one.close()


def content(parsed: Parsed) -> str:
    """What the chunks said, one after the other."""
    return "".join(
        choice.delta.content or ""
        for chunk in parsed.events
        for choice in chunk.choices or ()
        if choice.index == 0
    )


def arguments(parsed: Parsed) -> list[str]:
    """The arguments of each call, put together from its pieces."""
    calls: dict[int, str] = {}
    for chunk in parsed.events:
        for choice in chunk.choices or ():
            for piece in choice.delta.tool_calls or ():
                calls[piece.index] = calls.get(piece.index, "") + (piece.function.arguments or "")
    return list(calls.values())


@profiles
@every_session
def test_a_stream_parses_as_before(one: Session, profile: Profile, client: Client) -> None:
    before = streams(one, one.raws, DIALECTS)
    after = streams(one, sanitized(one, profile), DIALECTS)
    assert before.keys() == after.keys()
    raw, clean = Structure(), Structure()
    for answer, body in before.items():
        assert client.chat(after[answer]).structure(clean) == client.chat(body).structure(raw)
        (told, whole), (was, former) = (client.chat_added_up(b) for b in (after[answer], body))
        assert told.structure(clean) == was.structure(raw)
        assert whole_structure(whole, clean) == whole_structure(former, raw)


def whole_structure(completion: Any, structure: Structure) -> Any:
    return completion and structure.of(plain(completion))


@profiles
@every_session
def test_chunks_add_up_to_the_completion(one: Session, profile: Profile, client: Client) -> None:
    for body in streams(one, sanitized(one, profile), DIALECTS).values():
        chunks, (_, whole) = client.chat(body), client.chat_added_up(body)
        if whole is not None:
            message = whole.choices[0].message
            assert content(chunks) == (message.content or "")
            called = [call.function.arguments for call in message.tool_calls or ()]
            assert arguments(chunks) == called


@profiles
@every_session
def test_arguments_are_json_where_they_were(one: Session, profile: Profile, client: Client) -> None:
    before = streams(one, one.raws, DIALECTS)
    for answer, body in streams(one, sanitized(one, profile), DIALECTS).items():
        was = [is_json(text) for text in arguments(client.chat(before[answer]))]
        assert [is_json(text) for text in arguments(client.chat(body))] == was


def test_the_parser_does_parse(client: Client) -> None:
    bodies = [body for one in SESSIONS for body in streams(one, one.raws, DIALECTS).values()]
    wholes = [whole for _, whole in map(client.chat_added_up, bodies) if whole is not None]
    reasons = {choice.finish_reason for whole in wholes for choice in whole.choices}
    assert reasons >= {"stop", "tool_calls"}
    called = [text for body in bodies for text in arguments(client.chat(body))]
    assert len(called) > 3 and all(map(is_json, called))
