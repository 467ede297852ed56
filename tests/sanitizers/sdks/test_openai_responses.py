"""The Responses API: sanitized streams load in the vendor's own parser, with the result that the
raw ones had, and what it adds up from the deltas is what the completed items hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.sanitizers.canaries.corpus import Session
from turnreel.sanitizers import Profile

from .openai_client import Client, Parsed, is_json
from .recorded import PROFILES, sanitized, scripted_responses, speaking, streams
from .structure import Structure

DIALECTS: Final = {"openai-responses", "hermes-responses"}
SESSIONS: Final = speaking(DIALECTS, scripted_responses())
every_session = pytest.mark.parametrize("one", SESSIONS, ids=lambda one: one.name)
profiles = pytest.mark.parametrize("profile", PROFILES)
# The parser keeps a phase that it does not know, and warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings:UserWarning")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    one = Client()
    yield one
    one.close()


TEXT: Final = "response.output_text"
ARGUMENTS: Final = "response.function_call_arguments"


def said_twice(parsed: Parsed) -> Iterator[tuple[str, str]]:
    """Pairs of the same text: what its deltas add up to, and what something completed holds."""
    sums: dict[tuple[str, int, int], str] = defaultdict(str)
    for event in parsed.events:
        match event.type:
            case "response.output_text.delta":
                sums[TEXT, event.output_index, event.content_index] += event.delta or ""
            case "response.output_text.done":
                yield sums[TEXT, event.output_index, event.content_index], event.text
            case "response.function_call_arguments.delta":
                sums[ARGUMENTS, event.output_index, 0] += event.delta
            case "response.function_call_arguments.done":
                yield sums[ARGUMENTS, event.output_index, 0], event.arguments
            case "response.output_item.done":
                yield from _held(event.item, event.output_index, sums)
            case "response.completed":
                for place, item in enumerate(event.response.output or ()):
                    yield from _held(item, place, sums)


def _held(
    item: Any, place: int, sums: dict[tuple[str, int, int], str]
) -> Iterator[tuple[str, str]]:
    """The texts of a completed item whose deltas came, each after their sum."""
    texts = [(ARGUMENTS, 0, item.arguments)] if item.type == "function_call" else []
    if item.type == "message":
        parts = enumerate(item.content)
        texts = [(TEXT, number, part.text) for number, part in parts if part.type == "output_text"]
    for kind, number, text in texts:
        if (kind, place, number) in sums:
            yield sums[kind, place, number], text


def arguments(parsed: Parsed) -> Iterator[str]:
    """The arguments of every call that was completed."""
    for event in parsed.events:
        if event.type == "response.output_item.done" and event.item.type == "function_call":
            yield event.item.arguments


@profiles
@every_session
def test_a_stream_parses_as_before(one: Session, profile: Profile, client: Client) -> None:
    before = streams(one, one.raws, DIALECTS)
    after = streams(one, sanitized(one, profile), DIALECTS)
    assert before.keys() == after.keys()
    raw, clean = Structure(), Structure()
    for answer, body in before.items():
        for parse in (client.responses, client.responses_added_up):
            assert parse(after[answer]).structure(clean) == parse(body).structure(raw)


@profiles
@every_session
def test_deltas_add_up_to_what_is_completed(one: Session, profile: Profile, client: Client) -> None:
    """But where the raw ones do not: an agent may put an error's text where its answer was."""
    before = streams(one, one.raws, DIALECTS)
    for answer, body in streams(one, sanitized(one, profile), DIALECTS).items():
        was = [
            added == completed for added, completed in said_twice(client.responses(before[answer]))
        ]
        now = [added == completed for added, completed in said_twice(client.responses(body))]
        assert now == was


@profiles
@every_session
def test_arguments_are_json_where_they_were(one: Session, profile: Profile, client: Client) -> None:
    before = streams(one, one.raws, DIALECTS)
    for answer, body in streams(one, sanitized(one, profile), DIALECTS).items():
        was = [is_json(text) for text in arguments(client.responses(before[answer]))]
        assert [is_json(text) for text in arguments(client.responses(body))] == was


def test_the_parser_does_parse(client: Client) -> None:
    bodies = [body for one in SESSIONS for body in streams(one, one.raws, DIALECTS).values()]
    plain = [client.responses(body) for body in bodies]
    kinds = {type(event).__name__ for parsed in plain for event in parsed.events}
    assert kinds >= {
        "ResponseCreatedEvent", "ResponseOutputItemAddedEvent", "ResponseTextDeltaEvent",
        "ResponseFunctionCallArgumentsDeltaEvent", "ResponseOutputItemDoneEvent",
        "ResponseCompletedEvent", "ResponseFailedEvent", "ResponseReasoningSummaryTextDeltaEvent",
    }  # fmt: skip
    taken = [client.responses_added_up(body) for body in bodies]
    assert sum(not parsed.refused for parsed in taken) > 80
    pairs = [pair for parsed in plain for pair in said_twice(parsed)]
    assert sum(added == completed for added, completed in pairs) > 250
    assert sum(added != completed for added, completed in pairs) < 5
    assert any(is_json(text) for parsed in plain for text in arguments(parsed))
