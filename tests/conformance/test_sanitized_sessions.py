"""S6 on whole sessions: translating what landed equals mapping the translation of what came, in
both profiles, for every session of the library and of the captures that `TURNREEL_CAPTURES` names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.sanitizers.canaries.corpus import Session, sessions
from turnreel.adapters import registry
from turnreel.adapters.arrivals import arrival
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent, Commentary
from turnreel.sanitizers import Clean, Profile, Raw, Sanitizer, TextMapping
from turnreel.wire.units import BodyFraming, JsonUnit

SAID = frozenset({"text", "title", "options"})
"""Fields of events that hold visible text; turnreel's own words are in none of them."""

Turn = tuple[list[Any], dict[tuple[str, int], str]]
"""Events, and what is said in pieces as one text a message, by its id and revision. A piece may
land in another delta than it came in.
"""


def translated(one: Session, records: Iterable[Raw | Clean]) -> list[AnyEvent]:
    adapters = {
        track: registry.adapter(policy.dialect)
        for track, policy in one.policies.items()
        if registry.knows(policy.dialect)
    }
    translator = Translator(adapters, session="s", agent="agent")
    events: list[AnyEvent] = []
    for number, record in enumerate(records, 1):
        body = record.body
        unit = JsonUnit(body, BodyFraming()) if isinstance(body, dict) else body
        at = (number, record.at_us, record.track)
        came = arrival(*at, record.code, unit, record.exchange, "s")
        events += translator.feed(came) if came is not None else []
    return events


def as_turn(events: Iterable[AnyEvent]) -> Turn:
    told: list[Any] = []
    said: dict[tuple[str, int], str] = {}
    for event in events:
        if isinstance(event, Commentary):
            key = event.message_id, event.revision
            said[key] = said.get(key, "") + event.text
            event = replace(event, text="", offset=0)
        told.append(msgspec.json.decode(msgspec.json.encode(event)))
    return told, said


def mapped(value: Any, mapping: TextMapping, key: str = "") -> Any:
    """An event with its texts as they landed."""
    match value:
        case dict():
            said = SAID | {"prompt"} if value.get("kind") in ("question", "elicitation") else SAID
            return {
                name: mapped(item, mapping, name if name in said else key)
                for name, item in value.items()
            }
        case list():
            return [mapped(item, mapping, key) for item in value]
        case str() if key:
            return mapping.map_text(value)
        case _:
            return value


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("one", sessions(), ids=lambda one: one.name)
def test_a_sanitized_session_is_the_same_turns(one: Session, profile: Profile) -> None:
    sanitizer = Sanitizer(one.policies, profile)
    cleans = [clean for raw in one.raws for clean in sanitizer.push(raw)] + sanitizer.flush()
    came, said = as_turn(translated(one, one.raws))
    landed, told = as_turn(translated(one, cleans))
    mapping = sanitizer.mapping()
    assert landed == [mapped(event, mapping) for event in came]
    assert told == {key: mapping.map_text(text) for key, text in said.items()}
