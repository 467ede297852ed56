"""S6: translating the sanitized stream equals mapping the translation of the raw one, in every
agent's dialect and both profiles.

The streams are rendered scripts with secrets, private paths, addresses and the runtimes' own words
in their texts; the mapping is the very engine that sanitized them.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.adapters.arrivals import raw_arrival
from turnreel.adapters.claims import Claims
from turnreel.adapters.steps import (
    Answer,
    Ask,
    Break,
    Call,
    End,
    Fail,
    Interrupt,
    Reject,
    Return,
    Say,
    Script,
    Step,
    Think,
)
from turnreel.adapters.translator import Translator
from turnreel.conformance.scenarios.playing import AGENT, raws
from turnreel.lifecycle.events import AnyEvent, Commentary, Final, InputRequested
from turnreel.sanitizers import Clean, Profile, Raw, Sanitizer
from turnreel.sanitizers.engine import TextMapping

AGENTS = [d for d in registry.dialects() if registry.adapter(d).info.tier != "provider"]
SECRETS = (
    "sk-ant-" + "api03-" + "Zk3vQ8mT1nB7xW2rL5pY9cD4fG6hJ0aS",
    "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "ops@acme-internal.example",
    "/home/mara/ledger/2026",
)
WORDS = st.sampled_from(["Total", "is", "76.", "HTTP 404: gone", "ünïcode", "| a |\n", *SECRETS])
# A text ends with no secret: two texts with a cut secret at their seam are seen as one by the
# mapping, which sees the joined text, and as two by the sanitizer, which sees the blocks.
TEXT = st.lists(WORDS, min_size=1, max_size=8).map(lambda words: " ".join(words) + ".\n")


@st.composite
def scripts(draw: st.DrawFn, dialect: str) -> Script:
    """A turn: some rounds of a tool loop with trouble in between, then an ending. Steps that the
    dialect has no frames for are left out.
    """
    can = told_by(dialect)
    steps: list[Step] = []
    for ordinal in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(["command", "file_change"]))
        call = Call(f"toolu_{ordinal:04d}", kind, {"command": f"ls {SECRETS[3]}"})
        said = draw(st.lists(TEXT.map(Say) | TEXT.map(Think), max_size=2))
        trouble = draw(st.sampled_from(["none", "reject", "break"]))
        if trouble == "reject":
            steps.append(Reject(529))
        elif trouble == "break":
            steps.append(Break(draw(TEXT)))
        steps.append(Answer((*said, call), "tool_use"))
        if can.gates.standing != "impossible" and kind == "command" and draw(st.booleans()):
            steps.append(Ask(call.tool, draw(st.sampled_from(["allow", "deny"]))))
        steps.append(Return(call.tool, draw(TEXT)))
    endings = ["answer", "failure"]
    if can.cancels.standing != "impossible":
        endings.append("cancel")
    match draw(st.sampled_from(endings)):
        case "cancel":
            return (*steps, Interrupt(draw(TEXT)))
        case "failure":
            return (*steps, Fail(draw(st.sampled_from([400, 429]))))
        case _:
            return (*steps, Answer((Say(draw(TEXT)),)), End())


def told_by(dialect: str) -> Claims:
    claims = registry.adapter(dialect).info.claims
    assert claims is not None
    return claims


def translated(dialect: str, records: Iterable[Raw | Clean]) -> list[AnyEvent]:
    translator = Translator({AGENT: registry.adapter(dialect)}, session="s", agent="agent")
    events: list[AnyEvent] = []
    for number, record in enumerate(records, 1):
        told = Raw(record.at_us, record.track, record.code, record.body, record.exchange)
        one = raw_arrival(number, told)
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


def whole(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The events with each commentary as one, where it was first shown: in how many pieces a text
    comes depends on the placeholders in it.
    """
    told: dict[str, AnyEvent] = {}
    for event in events:
        if not isinstance(event, Commentary):
            told[event.id] = replace(event, id="", seq=0)
            continue
        before = told.get(event.message_id)
        text = before.text[: event.offset] if isinstance(before, Commentary) else ""
        told[event.message_id] = replace(
            event, id="", seq=0, offset=0, at_ms=0, evidence=(), text=text + event.text
        )
    return list(told.values())


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("dialect", AGENTS)
@given(data=st.data())
def test_sanitizing_does_not_change_the_turn(
    dialect: str, profile: Profile, data: st.DataObject
) -> None:
    raw = list(raws(dialect, data.draw(scripts(dialect))))
    sanitizer = Sanitizer({AGENT: registry.policy(dialect)}, profile)
    clean = [record for one in raw for record in sanitizer.push(one)] + sanitizer.flush()
    assert len(clean) == len(raw)
    mapping = sanitizer.mapping()
    expected = [mapped(event, mapping) for event in whole(translated(dialect, raw))]
    got = whole(translated(dialect, clean))
    assert got == expected
    seen = " ".join(e.text for e in got if isinstance(e, Commentary | Final))
    assert not any(secret in seen for secret in SECRETS)
