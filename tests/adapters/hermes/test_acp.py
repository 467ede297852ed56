"""ACP: usage vouches for an answer, history is no turn, errors after a cancel (C5, C8, R6, T7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.adapters.hearing import Hearing
from turnreel.adapters.hermes_acp import builders as acp
from turnreel.adapters.hermes_acp import commands, titles
from turnreel.adapters.hermes_acp.builders import SESSION
from turnreel.lifecycle.signals import Exited, Unreconciled


@pytest.fixture
def heard() -> Hearing:
    return Hearing("hermes-acp").writes(commands.message("1", SESSION, "Go."))


def test_a_turn_without_usage_had_no_answer(heard: Hearing) -> None:
    heard.prints(acp.chunk("HTTP 400: Invalid"), acp.ended("1", counted=False))
    assert heard.run == ["failed bad_request degraded"]


def test_text_without_usage_is_dropped(heard: Hearing) -> None:
    heard.prints(acp.chunk("Half"), acp.chunk("Half"), acp.ended("1", counted=False))
    assert heard.run == ["failed missing_final degraded"]


@pytest.mark.parametrize(
    ("stop", "told"),
    [
        ("max_tokens", "failed output_truncated healthy"),
        ("max_turn_requests", "failed max_turns healthy"),
        ("refusal", "failed refused healthy"),
        ("cancelled", "failed incomplete degraded"),
        ("new_word", "failed unknown degraded"),
    ],
)
def test_any_other_stop_is_a_failure(heard: Hearing, stop: str, told: str) -> None:
    assert heard.prints(acp.chunk("Hm"), acp.ended("1", stop)).run == [told]


def test_a_refusal_at_once_refused_the_start(heard: Hearing) -> None:
    assert heard.prints(acp.ended("1", "refusal")).run == ["failed startup degraded"]


def test_an_error_after_a_cancel_is_a_cancel_that_was_troubled(heard: Hearing) -> None:
    heard.prints(acp.tool_started("t1", "terminal")).writes(commands.cancel(SESSION))
    heard.prints(acp.failed("1"))
    assert heard.run == [
        "terminal command cancelled",
        "degraded unknown",
        "cancelled degraded",
    ]


def test_history_is_no_turn() -> None:
    heard = Hearing("hermes-acp")
    heard.prints(acp.chunk("Go.", "user_message_chunk"), acp.chunk("Hello."))
    heard.prints(acp.tool_started("t1", "terminal"), acp.tool_ended("t1", "completed"))
    assert heard.events == []
    heard.writes(commands.message("2", SESSION, "And?"))
    heard.prints(acp.chunk("Yes."), acp.ended("2"))
    assert heard.run == ['final "Yes." positional healthy']


def test_thoughts_leave_nothing(heard: Hearing) -> None:
    heard.prints(acp.chunk("secret chain of thought", "agent_thought_chunk"))
    assert heard.prints(acp.chunk("r."), acp.ended("1")).run == ['final "r." positional healthy']


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (commands.choose(0, "allow_session"), "approved"),
        (commands.choose(0, "deny_always"), "declined"),
        (commands.choose(0, "unheard_of"), "withdrawn"),
        (commands.withdraw(0), "withdrawn"),
        ({"jsonrpc": "2.0", "id": 0, "error": {"code": -32601, "message": "no"}}, "withdrawn"),
    ],
)
def test_a_permission_is_answered(heard: Hearing, answer: dict[str, Any], told: str) -> None:
    heard.prints(acp.tool_started("t1", "terminal"), acp.asks(0, "rm -rf x")).writes(answer)
    assert heard.prompts == ["Allow terminal: rm?"]
    assert heard.run[1] == f"gate approval {told}"


def test_a_prompt_while_a_turn_runs_joins_it(heard: Hearing) -> None:
    heard.prints(acp.chunk("Hel")).writes(commands.message("2", SESSION, "And?"))
    heard.prints(acp.ended("2", counted=False), acp.chunk("lo."), acp.ended("1"))
    heard.edge(Exited(code=0), Unreconciled())
    assert heard.runs == [['final "Hello." positional healthy']]


def test_a_plan_is_shown(heard: Hearing) -> None:
    entries = [{"content": "Read", "status": "completed"}, {"content": "Add", "status": "pending"}]
    heard.prints(acp.update("plan", {"entries": [*entries]}))
    assert heard.run == ["plan Read done, Add pending", "open"]


@pytest.mark.parametrize(
    ("title", "kind", "tool"),
    [
        ("Allow terminal: ls?", "execute", "terminal"),
        ("skill view (x)", "read", "skill_view"),
        ("skill create: x", "edit", "skill_manage"),
        ("something new", "fetch", "web_extract"),
        ("something new", "think", ""),
    ],
)
def test_a_title_tells_the_tool(title: str, kind: str, tool: str) -> None:
    assert titles.tool_of(title, kind) == tool
