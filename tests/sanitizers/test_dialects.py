"""The dialects' policies: a sanitized turn is the same turn (S6), and nothing planted survives."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from turnreel.adapters import registry
from turnreel.adapters.anthropic_messages import render as provider_render
from turnreel.adapters.base import Edge, Frame
from turnreel.adapters.claude_stream_json import render as agent_render
from turnreel.adapters.claude_stream_json.builders import Printer
from turnreel.adapters.steps import (
    Answer,
    Ask,
    Break,
    Call,
    End,
    Interrupt,
    Return,
    Say,
    Script,
    Think,
)
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.signals import Unreconciled
from turnreel.sanitizers import Clean, Profile, Raw, Sanitizer, TextMapping
from turnreel.wire.units import BodyFraming, Json, JsonUnit, LineFraming, SseFraming

POLICIES = {
    "agent": registry.policy("claude-stream-json"),
    "provider": registry.policy("anthropic-messages"),
}
KEY = "sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ"
OPAQUE = "Zq7Wx2Rt9Lm4Kp1Vn8Jb3"
HOME = "/home/janedoe/acme"

READ = Call("toolu_01ReadReadRead", "Read", {"file_path": f"{HOME}/a.csv", "token": KEY})
ASKED = Call(
    "toolu_01Question",
    "AskUserQuestion",
    {"questions": [{"question": f"Use {KEY}?", "header": "h", "options": [{"label": "CSV"}]}]},
)
PLAN = Call(
    "toolu_01Plan",
    "TodoWrite",
    {"todos": [{"content": f"Read {HOME}", "status": "pending", "activeForm": "Reading"}]},
)
WRITE = Call("toolu_01Write", "Bash", {"command": f"git -C {HOME} push"})

SCRIPTS: dict[str, Script] = {
    "tools": (
        Answer((Think("hidden thought"), Say(f"Looking at {HOME}."), READ), "tool_use"),
        Return(READ.tool, f"item,n\n{KEY},10"),
        Answer((Say(f"The key is {KEY}, id {OPAQUE}."), Say("Done."))),
        End(),
    ),
    "retry": (
        Break(f"Partial {KEY[:22]}"),
        Answer((Say(f"Again: {KEY}."),)),
        End(),
    ),
    "question": (
        Answer((Say("Which?"), ASKED), "tool_use"),
        Ask(ASKED.tool, "allow"),
        Return(ASKED.tool, "CSV"),
        Answer((Say("CSV it is."),)),
        End(),
    ),
    "approval": (
        Answer((PLAN, WRITE), "tool_use"),
        Return(PLAN.tool, "ok"),
        Ask(WRITE.tool, "deny"),
        Return(WRITE.tool, "no", "failed"),
        Answer((Say("Not pushed."),)),
        End(),
    ),
    "cancel": (Interrupt(f"In the middle of {KEY}"),),
}


def session(script: Script) -> list[Raw]:
    """The script's records on both tracks: first what the provider said, then the agent."""
    raws: list[Raw] = []
    for number, reply in enumerate(provider_render.replies(script), 1):
        for event in reply.events:
            assert isinstance(event, dict)
            framing = SseFraming(event=str(event["type"]))
            raws.append(Raw(0, "provider", "data", JsonUnit(event, framing), number))
        raws.append(Raw(0, "provider", "end", {}, number))
    for side, line in agent_render.lines(script, f"Look at {HOME} with {KEY}."):
        raws.append(Raw(0, "agent", side, JsonUnit(dict(line), LineFraming())))
    return raws


def sanitized(raws: list[Raw], profile: Profile = "fixture") -> tuple[list[Clean], TextMapping]:
    one = Sanitizer(POLICIES, profile)
    cleans = [clean for raw in raws for clean in one.push(raw)] + one.flush()
    assert len(cleans) == len(raws)
    return cleans, one.mapping()


def translated(records: list[Raw] | list[Clean]) -> list[Any]:
    adapters = {
        "agent": registry.adapter("claude-stream-json"),
        "provider": registry.adapter("anthropic-messages"),
    }
    translator = Translator(adapters, session="s", agent="claude")
    events: list[Any] = []
    for number, record in enumerate(list[Raw | Clean](records), 1):
        body = record.body
        unit = JsonUnit(body, BodyFraming()) if isinstance(body, dict) else body
        frame = Frame(record.track, record.code, number, 0, unit, record.exchange)  # type: ignore[arg-type]
        events += translator.feed(frame)
    events += translator.feed(Edge("host", len(records) + 1, 0, Unreconciled()))
    return [msgspec.to_builtins(event) for event in events]


def mapped(value: Any, mapping: TextMapping, key: str = "") -> Any:
    match value:
        case dict():
            return {name: mapped(item, mapping, name) for name, item in value.items()}
        case list() | tuple():
            return [mapped(item, mapping, key) for item in value]
        case str() if key in ("text", "prompt", "title", "options"):
            return mapping.map_text(value)
        case _:
            return value


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_sanitizing_does_not_change_the_turn(name: str, profile: Profile) -> None:
    raws = session(SCRIPTS[name])
    cleans, mapping = sanitized(raws, profile)
    turn = plain(mapped(translated(raws), mapping))
    assert turn and turn == plain(translated(cleans))


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_nothing_private_of_a_session_lands(name: str, profile: Profile) -> None:
    text = json.dumps(
        [plain_body(clean) for clean in sanitized(session(SCRIPTS[name]), profile)[0]]
    )
    for private in (KEY[13:], KEY[:13] + KEY[13:20], OPAQUE, "janedoe", "hidden thought", "item,n"):
        assert private not in text


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_what_was_sanitized_stays_as_it_is(name: str, profile: Profile) -> None:
    cleans, _ = sanitized(session(SCRIPTS[name]), profile)
    again, _ = sanitized(
        [Raw(c.at_us, c.track, c.code, c.body, c.exchange) for c in cleans], profile
    )
    assert [clean.body for clean in again] == [clean.body for clean in cleans]


@pytest.mark.parametrize("name", SCRIPTS)
def test_json_types_and_listed_words_stay(name: str) -> None:
    raws = session(SCRIPTS[name])
    for raw, clean in zip(raws, sanitized(raws)[0], strict=True):
        before, after = plain_body(raw), plain_body(clean)
        assert skeleton(before) == skeleton(after)
        for key in ("type", "subtype", "is_error", "stop_reason", "terminal_reason"):
            if isinstance(before, dict):
                assert after.get(key) == before.get(key)


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_field_of_the_dialects_is_unlisted(name: str) -> None:
    one = Sanitizer(POLICIES, "fixture")
    for raw in session(SCRIPTS[name]):
        one.push(raw)
    one.flush()
    assert one.report().unlisted == ()


def plain_body(record: Raw | Clean) -> Any:
    return record.body.value if isinstance(record.body, JsonUnit) else record.body


def skeleton(value: Any) -> Any:
    match value:
        case dict():
            return [skeleton(item) for item in value.values()]
        case list():
            return [skeleton(item) for item in value]
        case bool() | None:
            return value
        case int() | float():
            return 0
        case _:
            return ""


def planted(value: Any, canary: str) -> Iterator[Any]:
    """`value` with `canary` at each string and each key in turn."""
    for path in places(value):
        fresh = copy.deepcopy(value)
        holder = fresh
        for step in path[:-1]:
            holder = holder[step]
        if isinstance(path[-1], tuple):
            holder[canary] = holder.pop(path[-1][0])
        else:
            holder[path[-1]] = f"{canary}" if len(path) % 2 else f"so {canary} it is"
        yield fresh


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    match value:
        case dict():
            for key, item in value.items():
                yield (*path, (key,))
                yield from places(item, (*path, key))
        case list():
            for number, item in enumerate(value):
                yield from places(item, (*path, number))
        case str():
            yield path


def frames() -> dict[str, tuple[str, str, Json]]:
    """One frame of each kind that the scripts hold, and some of those that they do not."""
    printer = Printer()
    found: dict[str, tuple[str, str, Json]] = {}
    for script in SCRIPTS.values():
        for raw in session(script):
            value = plain_body(raw)
            event = value.get("event") or {}
            kind = "/".join(
                str(part)
                for part in (raw.track, raw.code, value.get("type"), value.get("subtype"),
                             event.get("type"), (event.get("delta") or {}).get("type"))
                if part
            )  # fmt: skip
            found.setdefault(kind, (raw.track, raw.code, value))
    for line in (
        printer.system("task_started", {"task_id": "t", "prompt": "p", "description": "d"}),
        printer.system("hook_response", {"stdout": "o", "stderr": "e", "output": "u"}),
        printer.system("informational", {"content": "c", "level": "info"}),
        printer.system("from_the_future", {"news": {"a": ["b", {"c": "d"}]}}),
    ):
        found[str(line["subtype"])] = ("agent", "out", dict(line))
    return found


FRAMES = frames()


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("canary", [KEY, OPAQUE])
@pytest.mark.parametrize("kind", FRAMES)
def test_no_canary_survives_at_any_leaf_or_key(kind: str, canary: str, profile: Profile) -> None:
    track, code, value = FRAMES[kind]
    for number, fresh in enumerate(planted(value, canary)):
        raw = Raw(0, track, code, JsonUnit(fresh, LineFraming()), 1)
        text = json.dumps(plain_body(sanitized([raw], profile)[0][0]))
        assert canary[-12:] not in text and canary[8:20] not in text, (number, text)


@pytest.mark.parametrize(
    "session", ["s1", "my-session", "lq1multitool", "api_1796052798_ab12cd34", "Abc-123_" * 4]
)
def test_a_session_that_was_named_before_is_a_readable_path(session: str) -> None:
    """Whatever form the id's placeholder has: by its path a request is known to start a turn."""
    sanitizer = Sanitizer({"agent": registry.policy("hermes-session")}, "strict")
    made = JsonUnit({"object": "hermes.session", "session": {"id": session}}, BodyFraming())
    path = f"/api/sessions/{session}/chat/stream"
    asked: dict[str, Json] = {"method": "POST", "path": path, "headers": {}}
    clean = sanitizer.push(Raw(0, "agent", "data", made, 1))
    clean += sanitizer.push(Raw(1, "agent", "request", asked, 2)) + sanitizer.flush()
    landed = clean[-1].body
    assert isinstance(landed, dict)
    shown = str(landed["path"])
    assert shown.startswith("/api/sessions/") and shown.endswith("/chat/stream")
    assert session not in shown
