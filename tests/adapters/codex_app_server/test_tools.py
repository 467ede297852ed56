"""Activities, gates and plans of the app-server (T9, T10, G7)."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.codex_app_server import builders, commands
from turnreel.lifecycle.events import InputRequested

Session = Any

QUESTIONS: list[Any] = [
    {
        "id": "which",
        "header": "Which",
        "question": "Which file?",
        "options": [{"label": "north", "description": "x"}, {"label": "south"}],
    }
]


def opened(session: Session, item: str = "c1", kind: str = "commandExecution") -> Session:
    return session.asked().prints(session.server.started(builders.tool(item, kind, "inProgress")))


def gated(session: Session) -> Session:
    """A command waits for its approval."""
    opened(session).prints(session.server.asks_to_run(0, "c1", "rm -rf build"))
    return session


def closed(session: Session, status: str, **fields: Any) -> Session:
    item = builders.tool("c1", "commandExecution", status, **fields)
    return session.prints(session.server.completed(item))


@pytest.mark.parametrize(
    ("kind", "status", "line"),
    [
        ("commandExecution", "completed", "commandExecution command ok"),
        ("commandExecution", "failed", "commandExecution command failed"),
        ("commandExecution", "declined", "commandExecution command declined"),
        ("commandExecution", "brand-new", "commandExecution command unknown"),
        ("fileChange", "completed", "fileChange file_change ok"),
        ("mcpToolCall", "failed", "mcpToolCall mcp failed"),
        ("collabAgentToolCall", "completed", "collabAgentToolCall subagent ok"),
        ("dynamicToolCall", "completed", "dynamicToolCall other ok"),
    ],
)
def test_an_item_is_an_activity(session: Session, kind: str, status: str, line: str) -> None:
    session.asked().runs_tool("c1", status, kind)
    assert f"activity {line}\n" in session.turns


@pytest.mark.parametrize("kind", ["webSearch", "imageView", "sleep"])
def test_an_item_without_a_status_proves_no_success(session: Session, kind: str) -> None:
    item = {"type": kind, "id": "c1"}
    session.asked().prints(session.server.started(item), session.server.completed(item))
    assert " unknown\n" in session.turns


def test_an_approval_shows_the_program_and_nothing_else(session: Session) -> None:
    gated(session)
    (gate,) = (e for e in session.events if isinstance(e, InputRequested))
    assert (gate.kind, gate.blocking) == ("approval", True)
    assert gate.prompt == "Allow commandExecution: rm?"


@pytest.mark.parametrize(
    ("reply", "status", "gate", "activity"),
    [
        (commands.allow(0), "completed", "approved", "ok"),
        (commands.deny(0), "declined", "declined", "declined"),
        (commands.fail(0, "no"), "failed", "withdrawn", "failed"),
        ({"id": 0, "result": {"decision": "acceptForSession"}}, "completed", "approved", "ok"),
        ({"id": 0, "result": {"decision": {"acceptWithExecpolicyAmendment": {}}}}, "completed",
         "approved", "ok"),
        ({"id": 0, "result": {}}, "failed", "withdrawn", "failed"),
        ({"id": 0, "result": None}, "failed", "withdrawn", "failed"),
        ({"id": "0", "result": {"decision": "accept"}}, "completed", "expired", "ok"),
    ],
)  # fmt: skip
def test_an_answer_resolves_the_gate(
    session: Session, reply: Any, status: str, gate: str, activity: str
) -> None:
    gated(session).hears(reply).prints(session.server.resolved(0))
    closed(session, status)
    session.says("m1", "Done.", "final_answer").completes("m1", "Done.")
    session.shows(f"""
        run
          activity commandExecution command {activity}
          gate approval {gate}
          final 'Done.' healthy
    """)


def test_a_decision_to_cancel_declines_and_ends_the_turn(session: Session) -> None:
    gated(session).hears(commands.deny_and_stop(0))
    closed(session, "declined").prints(session.server.ended("interrupted"))
    session.shows("""
        run
          activity commandExecution command declined
          gate approval declined
          cancelled healthy
    """)


def test_an_interrupt_withdraws_the_gate_and_cancels_the_command(session: Session) -> None:
    server = session.server
    gated(session).hears(commands.interrupt(7, server.thread, server.turn))
    session.prints({"id": 7, "result": {}}, server.ended("interrupted"), server.resolved(0))
    session.hears(commands.allow(0))
    session.shows("""
        run
          activity commandExecution command cancelled
          gate approval withdrawn
          cancelled healthy
    """)


@pytest.mark.parametrize(
    ("status", "fields", "gate"),
    [
        ("completed", {"exitCode": 0}, "approved"),
        ("failed", {"exitCode": 2}, "approved"),
        ("failed", {"exitCode": None}, "withdrawn"),
        ("declined", {"exitCode": None}, "declined"),
    ],
)
def test_without_the_hosts_side_the_item_tells_the_answer(
    session: Session, status: str, fields: Any, gate: str
) -> None:
    session.server.next_turn()
    session.prints(
        session.server.started(builders.tool("c1", "commandExecution", "inProgress")),
        session.server.asks_to_run(0, "c1", "ls"),
        session.server.resolved(0),
    )
    closed(session, status, **fields)
    assert f"gate approval {gate}\n" in session.turns


def test_a_question_is_asked_and_answered(session: Session) -> None:
    ask = session.server.asks
    session.asked().prints(
        ask(0, "item/tool/requestUserInput", {"itemId": "c1", "questions": QUESTIONS})
    )
    (gate,) = (e for e in session.events if isinstance(e, InputRequested))
    assert (gate.prompt, gate.options, gate.blocking) == ("Which file?", ("north", "south"), True)
    session.hears(commands.answer(0, {"which": ["south"]}))
    assert "gate question answered\n" in session.turns


@pytest.mark.parametrize(
    ("reply", "resolution"),
    [
        ({"id": 0, "result": {"action": "accept", "content": {}}}, "answered"),
        ({"id": 0, "result": {"action": "decline"}}, "declined"),
        ({"id": 0, "result": {"action": "cancel"}}, "withdrawn"),
        (None, "expired"),
    ],
)
def test_an_elicitation_may_name_no_turn(session: Session, reply: Any, resolution: str) -> None:
    params: dict[str, Any] = {"message": "Your name?", "turnId": None, "serverName": "x"}
    session.asked().prints(session.server.asks(0, "mcpServer/elicitation/request", params))
    if reply is not None:
        session.hears(reply)
    session.prints(session.server.resolved(0))
    assert f"gate elicitation {resolution}\n" in session.turns


def test_the_end_of_stdin_withdraws_what_is_asked(session: Session) -> None:
    gated(session).hangs_up()
    assert "gate approval withdrawn\n" in session.turns


def test_an_open_gate_at_a_clean_end_needs_input(session: Session) -> None:
    gated(session).exits(0)
    session.shows("""
        run
          activity commandExecution command unknown
          gate approval parked
          needs_input 'Allow commandExecution: rm?' healthy
    """)


def test_requests_of_the_older_protocol_are_gates_too(session: Session) -> None:
    params = {"conversationId": session.server.thread, "callId": "c1", "command": ["rm"]}
    opened(session).prints({"method": "execCommandApproval", "id": 5, "params": params})
    session.hears({"id": 5, "result": {"decision": "abort"}})
    closed(session, "declined").prints(session.server.ended("interrupted"))
    assert "gate approval declined\n" in session.turns
    assert session.turns.endswith("cancelled healthy\n")


def test_the_plan_replaces_the_former_one(session: Session) -> None:
    session.asked().prints(
        session.server.plan({"Read": "inProgress", "Sum": "pending"}),
        session.server.plan({"Read": "completed", "Sum": "inProgress", "x": "odd"}),
    )
    session.says("m1", "Done.", "final_answer").completes("m1", "Done.")
    assert session.turns.count("plan ") == 1
    assert "done" in session.turns
    assert "active" in session.turns


def test_requests_that_no_person_answers_are_no_gates(session: Session) -> None:
    session.asked().prints(
        session.server.asks(0, "item/tool/call", {"tool": "x", "arguments": {}}),
        {"method": "attestation/generate", "id": 1, "params": {}},
    )
    assert "gate" not in session.turns
