"""S6 on every surface: translating the sanitized stream equals mapping the translation of the raw
one, in both profiles, with secrets in what is said, and with the runtime's own words in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.adapters.hearing import SURFACES, Hearing
from turnreel.adapters import registry
from turnreel.adapters.arrivals import arrival
from turnreel.adapters.base import Frame
from turnreel.adapters.steps import Answer, Break, Call, End, Return, Say, Script, Step, Think
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent, Commentary, Final
from turnreel.sanitizers import Clean, Profile, Raw, Sanitizer, TextMapping
from turnreel.wire.units import BodyFraming, JsonUnit

SECRETS = (
    "sk-proj-" + "Zk3vQ8mT1nB7xW2rL5pY9cD4fG6hJ0aS",
    "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "ops@acme-internal.example",
    "/home/mara/ledger/2026",
)
WORDS = st.sampled_from(["Total", "is", "76.", "HTTP 404: gone", "ünïcode", "| a |\n", *SECRETS])
TEXT = st.lists(WORDS, min_size=1, max_size=6).map(lambda words: " ".join(words) + ".\n")


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """Some rounds of a tool loop, perhaps with a dropped connection, then an answer."""
    steps: list[Step] = []
    for ordinal in range(draw(st.integers(0, 3))):
        call = Call(f"call_{ordinal}", draw(st.sampled_from(["read_file", "terminal"])))
        if draw(st.booleans()):
            steps.append(Break(draw(TEXT)))
        said = draw(st.lists(TEXT.map(Say) | TEXT.map(Think), max_size=2))
        steps += [Answer((*said, call), "tool_use"), Return(call.tool, draw(TEXT))]
    return (*steps, Answer((Say(draw(TEXT)),)), End())


def raws(heard: Hearing) -> Iterator[Raw]:
    for one in heard.arrivals:
        assert isinstance(one, Frame), "these scripts need no edge"
        body = one.unit
        if isinstance(body, JsonUnit) and one.code in ("request", "response"):
            assert isinstance(body.value, dict)
            yield Raw(one.at_us, "agent", one.code, {**body.value, "headers": {}}, one.exchange)
        else:
            yield Raw(one.at_us, "agent", one.code, body, one.exchange)


def translated(dialect: str, records: Iterable[Raw | Clean]) -> list[AnyEvent]:
    translator = Translator({"agent": registry.adapter(dialect)}, session="s", agent="hermes")
    events: list[AnyEvent] = []
    for number, record in enumerate(records, 1):
        body = record.body
        unit = JsonUnit(body, BodyFraming()) if isinstance(body, dict) else body
        one = arrival(number, record.at_us, record.track, record.code, unit, record.exchange, "s")
        events += translator.feed(one) if one is not None else []
    return events


def placed(event: AnyEvent) -> AnyEvent:
    """Where a piece of commentary begins depends on the placeholders before it."""
    return replace(event, offset=0) if isinstance(event, Commentary) else event


def mapped(event: AnyEvent, mapping: TextMapping) -> AnyEvent:
    if isinstance(event, Commentary | Final):
        return replace(event, text=mapping.map_text(event.text))
    return event


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("dialect", SURFACES)
@given(script=scripts())
def test_sanitizing_does_not_change_the_turn(
    dialect: str, profile: Profile, script: Script
) -> None:
    raw = list(raws(Hearing(dialect).plays(script)))
    sanitizer = Sanitizer({"agent": registry.policy(dialect)}, profile)
    clean = [record for one in raw for record in sanitizer.push(one)] + sanitizer.flush()
    expected = [mapped(event, sanitizer.mapping()) for event in translated(dialect, raw)]
    got = translated(dialect, clean)
    assert list(map(placed, got)) == list(map(placed, expected))
    seen = " ".join(e.text for e in got if isinstance(e, Commentary | Final))
    assert not any(secret in seen for secret in SECRETS)
