"""One representative stream of every dialect that is replayed, rendered from the same script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from turnreel.adapters.anthropic_messages.render import replies as anthropic
from turnreel.adapters.openai_chat.frames import DONE
from turnreel.adapters.openai_chat.render import replies as chat
from turnreel.adapters.openai_responses.render import replies as responses
from turnreel.adapters.steps import Answer, Say
from turnreel.conformance.faulting import AGENTS, SAID, STEP_US, agent
from turnreel.replayer.faults import WORDS
from turnreel.replayer.script import (
    Event,
    Exchange,
    Finished,
    Response,
)
from turnreel.replayer.tape import ProviderScript, Tape
from turnreel.wire.encode import encode
from turnreel.wire.units import Json, JsonUnit, SseFraming, TextUnit, Unit

PROVIDERS: Final = ("anthropic-messages", "openai-responses", "openai-chat")
PATHS: Final = {
    "anthropic-messages": "/v1/messages",
    "openai-responses": "/v1/responses",
    "openai-chat": "/v1/chat/completions",
}


def exchange(dialect: str, number: int = 1) -> Exchange:
    """A provider's streamed answer, an event a millisecond."""
    units = list(_provider_units(dialect))
    events = tuple(
        Event(nth, (nth + 1) * STEP_US, encode(unit), unit) for nth, unit in enumerate(units, 1)
    )
    return Exchange(
        number=number,
        track="provider",
        dialect=dialect,
        method="POST",
        path=PATHS[dialect],
        features=None,
        asked_us=0,
        response=Response(STEP_US, 200, (("content-type", "text/event-stream"),)),
        events=events,
        end=Finished((len(units) + 2) * STEP_US),
    )


def tape(*dialects: str) -> Tape:
    """A cassette of these dialects."""
    providers = tuple(
        ProviderScript("provider", dialect, (exchange(dialect),))
        for dialect in dialects
        if dialect in PROVIDERS
    )
    agents = [agent(dialect) for dialect in dialects if dialect in AGENTS]
    return Tape("test.cassette.jsonl", "agent", "1", providers, agents[0] if agents else None)


def examples(side: str) -> list[str]:
    """The example specs of every fault that `side` plays."""
    return [spec for word in WORDS if side in word.sides for spec in word.examples]


def _provider_units(dialect: str) -> Iterator[Unit]:
    script = (Answer((Say(SAID),)),)
    values: Iterable[dict[str, Json]]
    match dialect:
        case "anthropic-messages":
            values = anthropic(script)[0].events
        case "openai-responses":
            values = responses(script)[0].events
        case _:
            values = chat(script)[0].events
    for value in values:
        kind = value.get("type")
        yield JsonUnit(value, SseFraming(kind if isinstance(kind, str) else None))
    if dialect == "openai-chat":
        yield TextUnit(DONE, SseFraming())
