"""S6: translating the sanitized stream equals mapping the translation of the raw one.

The streams are rendered scripts with secrets, private paths and addresses in their texts; the
mapping is the very engine that sanitized them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.adapters.arrivals import arrival
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.adapters.steps import (
    Answer,
    Ask,
    Break,
    Call,
    End,
    Interrupt,
    Reject,
    Return,
    Say,
    Script,
    Step,
    Think,
)
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent, Commentary, Final, InputRequested
from turnreel.sanitizers import Clean, Profile, Raw, Sanitizer
from turnreel.sanitizers.engine import TextMapping
from turnreel.wire.units import BodyFraming, JsonUnit, LineFraming

DIALECT = "claude-stream-json"
SECRETS = (
    "sk-ant-" + "api03-" + "Zk3vQ8mT1nB7xW2rL5pY9cD4fG6hJ0aS",
    "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "ops@acme-internal.example",
    "/home/mara/ledger/2026",
)
WORDS = st.sampled_from(
    ["Total", "is", "76.", "See", "| a | b |\n| --- | --- |", "ünïcode", "\n\n", *SECRETS]
)
# A sentence ends every block: a run of letters glued together from two blocks is read as one by the
# mapping, which sees the joined text, and as two by the sanitizer, which sees the blocks.
TEXT = st.lists(WORDS, min_size=1, max_size=8).map(lambda words: " ".join(words) + ".\n")


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """A turn: some rounds of a tool loop with trouble in between, then an ending."""
    steps: list[Step] = []
    for ordinal in range(draw(st.integers(0, 3))):
        call = Call(f"toolu_{ordinal:04d}", draw(st.sampled_from(["Read", "Bash"])), {"q": "x"})
        said = draw(st.lists(TEXT.map(Say) | TEXT.map(Think), max_size=2))
        trouble = draw(st.sampled_from(["none", "reject", "break"]))
        if trouble == "reject":
            steps.append(Reject(529))
        elif trouble == "break":
            steps.append(Break(draw(TEXT)))
        steps.append(Answer((*said, call), "tool_use"))
        if draw(st.booleans()):
            steps.append(Ask(call.tool, draw(st.sampled_from(["allow", "deny"]))))
        steps.append(Return(call.tool, draw(TEXT)))
    if draw(st.booleans()):
        return (*steps, Interrupt(draw(TEXT)))
    return (*steps, Answer((Say(draw(TEXT)),)), End())


def raws(script: Script) -> Iterator[Raw]:
    at_us = 0
    for side, value in lines(script, prompt=f"Use {SECRETS[0]}."):
        at_us += 1_000
        yield Raw(at_us, "agent", side, JsonUnit(value, LineFraming()))
    yield Raw(at_us, "agent", "exit", {"code": 0})
    yield Raw(at_us, "host", "unreconciled", {})


def translated(records: Iterable[Raw | Clean]) -> list[AnyEvent]:
    translator = Translator({"agent": registry.adapter(DIALECT)}, session="s", agent="claude")
    events: list[AnyEvent] = []
    for number, record in enumerate(records, 1):
        body = record.body
        unit = JsonUnit(body, BodyFraming()) if isinstance(body, dict) else body
        one = arrival(number, record.at_us, record.track, record.code, unit, record.exchange, "s")
        events += translator.feed(one) if one is not None else []
    return events


def mapped(event: AnyEvent, mapping: TextMapping) -> AnyEvent:
    """The event with the texts of the model as they landed; turnreel's own words stay."""
    if isinstance(event, Commentary | Final):
        return replace(event, text=mapping.map_text(event.text))
    if isinstance(event, InputRequested) and event.kind == "question":
        options = tuple(mapping.map_text(option) for option in event.options)
        return replace(event, prompt=mapping.map_text(event.prompt), options=options)
    return event


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@given(script=scripts())
def test_sanitizing_does_not_change_the_turn(profile: Profile, script: Script) -> None:
    sanitizer = Sanitizer({"agent": registry.policy(DIALECT)}, profile)
    raw = list(raws(script))
    clean = [record for one in raw for record in sanitizer.push(one)] + sanitizer.flush()
    assert len(clean) == len(raw)
    expected = [mapped(event, sanitizer.mapping()) for event in translated(raw)]
    got = translated(clean)
    assert got == expected
    seen = " ".join(e.text for e in got if isinstance(e, Commentary | Final))
    assert not any(secret in seen for secret in SECRETS)
