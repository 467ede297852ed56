"""A turn with its provider's track beside it is the same turn; what the agent's own stream hides,
the provider tells where it can be attributed (O4, Q2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.adapters.anthropic_messages import render as anthropic
from turnreel.adapters.base import Arrival, Frame
from turnreel.adapters.codex_exec.builders import THREAD
from turnreel.adapters.openai_chat import render as chat
from turnreel.adapters.openai_responses import render as responses
from turnreel.adapters.replies import Reply
from turnreel.adapters.steps import Reject, Script, Unsayable
from turnreel.adapters.translator import Translator
from turnreel.conformance.equality import equal
from turnreel.conformance.scenarios import required
from turnreel.conformance.scenarios.playing import AGENT, arrivals, played
from turnreel.lifecycle.fold import Entry, HealthEntry, RunView, fold
from turnreel.wire.units import BodyFraming, Json, JsonUnit, SseFraming

Replies = Callable[[Script], tuple[Reply, ...]]
CHAT: tuple[str, Replies] = ("openai-chat", chat.replies)
RESPONSES: tuple[str, Replies] = ("openai-responses", responses.replies)
PROVIDERS: dict[str, tuple[str, Replies]] = {
    "claude-stream-json": ("anthropic-messages", anthropic.replies),
    "codex-app-server": RESPONSES,
    "codex-exec": RESPONSES,
    "hermes-session": CHAT,
    "hermes-runs": CHAT,
    "hermes-tui": CHAT,
    "hermes-chat": CHAT,
    "hermes-responses": CHAT,
    "hermes-acp": CHAT,
}
BY_NAME = {scenario.id: scenario for scenario in required()}
NAMES_THE_THREAD = ("codex-app-server", "codex-exec")
"""Dialects whose provider's requests name the thread: trouble before any message finds its run."""


def exchange(number: int, reply: Reply) -> Iterator[Arrival]:
    """The frames of one request and its reply."""

    def frame(code: str, **fields: Json) -> Arrival:
        return Frame("provider", code, 0, 0, JsonUnit(fields, BodyFraming()), number)  # type: ignore[arg-type]

    again: dict[str, Json] = {"retry-after": "1"} if reply.status == 429 else {}
    yield frame("request", method="POST", path="/v1", headers={"thread-id": THREAD})
    yield frame("response", status=reply.status, headers=again)
    for event in reply.events:
        yield Frame("provider", "data", 0, 0, JsonUnit(event, SseFraming()), number)
    match reply.over:
        case "end":
            yield frame("end")
        case "cut":
            yield frame("cut", by="upstream", at=1)
        case _:
            yield frame("cut", by="client", at=1)


def joined(dialect: str, script: Script, hidden: Script = ()) -> list[RunView]:
    """The runs as they come out of both tracks: each reply before what the agent makes of it. The
    replies to `hidden` come first, and the agent tells nothing of them.
    """
    provider, replies = PROVIDERS[dialect]
    told = list(arrivals(dialect, script))
    order: list[Arrival] = []
    sent = at = 0
    for place in range(len(script) + 1):
        upto = len(list(_begun(dialect, script[:place])))
        order += told[at:upto]
        at = max(at, upto)
        known = replies((*hidden, *script[: place + 1]))
        for number, reply in enumerate(known[sent:], sent + 1):
            order += exchange(number, reply)
        sent = len(known)
    order += told[at:]
    adapters = {AGENT: registry.adapter(dialect), "provider": registry.adapter(provider)}
    translator = Translator(adapters, session="s", agent="x")
    events = [e for n, one in enumerate(order) for e in translator.feed(replace(one, number=n))]
    return list(fold(events))


def _begun(dialect: str, script: Script) -> Iterator[Arrival]:
    """What is told before a script's end."""
    for one in arrivals(dialect, script):
        if isinstance(one, Frame) and one.code not in ("end", "eof"):
            yield one


def test_every_agent_has_its_provider() -> None:
    agents = {d for d in registry.dialects() if registry.adapter(d).info.tier != "provider"}
    assert agents == set(PROVIDERS)


def sayable() -> Iterator[tuple[str, str]]:
    """Dialects and the scenarios that they have frames for."""
    for dialect in PROVIDERS:
        for scenario in required():
            try:
                list(arrivals(dialect, scenario.script))
            except Unsayable:
                continue
            yield dialect, scenario.id


@pytest.mark.parametrize(("dialect", "name"), [*sayable()])
def test_the_providers_track_beside_it_changes_no_turn(dialect: str, name: str) -> None:
    script = BY_NAME[name].script
    alone = list(fold(played(dialect, script)))
    views = joined(dialect, script)
    if BY_NAME[name].trouble == "failures":  # the provider may tell the cause before the agent does
        views = [replace(one, entries=tuple(_without_health(one))) for one in views]
    assert len(views) == len(alone)
    assert all(equal(one, other) for one, other in zip(views, alone, strict=True))


def _without_health(view: RunView) -> Iterator[Entry]:
    return (entry for entry in view.entries if not isinstance(entry, HealthEntry))


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_retry_that_the_agent_hides_shows_on_its_providers_track(dialect: str) -> None:
    """Where requests name the thread; what cannot be attributed affects no run."""
    (alone,) = fold(played(dialect, BY_NAME["several-tools"].script))
    (view,) = joined(dialect, BY_NAME["several-tools"].script, hidden=(Reject(500),))
    assert view.terminal is not None
    assert alone.terminal is not None
    assert view.terminal.text == alone.terminal.text
    assert alone.health == "healthy"
    assert view.health == ("recovered" if dialect in NAMES_THE_THREAD else "healthy")
