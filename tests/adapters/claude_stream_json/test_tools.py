"""Tools, the questions in front of them, and plans (T9, T10, G5, G7)."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.claude_stream_json import catalogue, commands
from turnreel.adapters.steps import Call, Say
from turnreel.lifecycle.events import InputRequested, RunStarted
from turnreel.lifecycle.signals import Parked

Session = Any

QUESTIONS: list[Any] = [
    {"question": "Which format?", "options": [{"label": "CSV"}, {"label": "JSON"}]}
]


def asking(session: Session, name: str = "Write", arguments: Any = None) -> Session:
    """A turn in which the person is asked whether a tool may run."""
    arguments = arguments or {"file_path": "/x", "content": "hello"}
    session.hears(commands.message("go")).prints(session.cli.init())
    session.says("m1", Say("I'll do it."), Call("toolu_1", name, arguments))
    return session.prints(session.cli.asks("ask-1", name, "toolu_1", arguments))


def over(session: Session) -> list[str]:
    session.says("m2", Say("Done.")).succeeds("Done.").exits()
    run: list[str] = session.run
    assert (run[0], run[-1]) == ("said I'll do it.", 'final "Done." healthy')
    return run[1:-1]


def test_an_approved_tool_runs(session: Session) -> None:
    asking(session).hears(commands.allow("ask-1", {}))
    session.prints(session.cli.returned("toolu_1", "ok"))
    assert over(session) == ["Write file_change ok", "gate approval approved"]


def test_a_denied_tool_is_declined(session: Session) -> None:
    asking(session).hears(commands.deny("ask-1", "no"))
    session.prints(session.cli.returned("toolu_1", "no", "failed"))
    assert over(session) == ["Write file_change declined", "gate approval declined"]


def test_a_second_answer_is_ignored(session: Session) -> None:
    asking(session).hears(commands.deny("ask-1", "no"), commands.allow("ask-1", {}))
    session.prints(session.cli.returned("toolu_1", "no", "declined"))
    assert over(session) == ["Write file_change declined", "gate approval declined"]


def test_a_question_is_asked_with_its_options_and_answered(session: Session) -> None:
    asking(session, "AskUserQuestion", {"questions": QUESTIONS})
    session.hears(commands.answer("ask-1", QUESTIONS, {"Which format?": "CSV"}))
    session.prints(session.cli.returned("toolu_1", "CSV"))
    assert over(session) == ["AskUserQuestion question ok", "gate question answered"]
    (request,) = [e for e in session.events if isinstance(e, InputRequested)]
    assert (request.prompt, request.options) == ("Which format?", ("CSV", "JSON"))


@pytest.mark.parametrize(
    ("name", "arguments", "prompt"),
    [
        ("Write", {"file_path": "/secret/x"}, "Allow Write?"),
        ("Bash", {"command": "rm -rf /secret"}, "Allow Bash: rm?"),
        ("Bash", {"command": "TOKEN=abc /usr/bin/curl https://x"}, "Allow Bash: curl?"),
        ("Bash", {"command": "   "}, "Allow Bash?"),
        ("mcp__mine__do", {"command": "x"}, "Allow mcp?"),
        ("ExitPlanMode", {"plan": "the plan"}, "Allow ExitPlanMode?"),
    ],
)
def test_an_approval_shows_the_tool_and_the_program_and_nothing_else(
    session: Session, name: str, arguments: Any, prompt: str
) -> None:
    asking(session, name, arguments)
    (request,) = [e for e in session.events if isinstance(e, InputRequested)]
    assert (request.kind, request.prompt) == ("approval", prompt)


def test_a_question_the_agent_takes_back_is_withdrawn_and_its_tool_cancelled(
    session: Session,
) -> None:
    asking(session).hears(commands.interrupt("int-1"))
    session.prints(
        session.cli.withdraws("ask-1"),
        session.cli.acknowledges("int-1"),
        session.cli.returned("toolu_1", "stop", "interrupted"),
        session.cli.error("error_during_execution", terminal_reason="aborted_tools"),
    )
    assert session.run[1:] == [
        "Write file_change cancelled",
        "gate approval withdrawn",
        "cancelled healthy",
    ]


@pytest.mark.parametrize("outcome", ["declined", "interrupted", "failed"])
def test_a_denial_that_stops_the_turn_cancels_it(session: Session, outcome: Any) -> None:
    asking(session).hears(commands.deny_and_stop("ask-1", "no"))
    session.prints(
        session.cli.returned("toolu_1", "no", outcome),
        session.cli.error("error_during_execution", terminal_reason="aborted_tools"),
    )
    assert session.run[1:] == [
        "Write file_change declined",
        "gate approval declined",
        "cancelled healthy",
    ]


def test_a_question_whose_host_hung_up_is_withdrawn_and_nobody_cancelled(
    session: Session,
) -> None:
    asking(session).hangs_up().prints(session.cli.returned("toolu_1", "failed", "declined"))
    assert over(session) == ["Write file_change declined", "gate approval withdrawn"]


def test_a_question_answered_with_a_protocol_error_is_withdrawn(session: Session) -> None:
    asking(session).hears(commands.fail("ask-1", "no surface"))
    session.prints(session.cli.returned("toolu_1", "failed", "declined"))
    assert over(session) == ["Write file_change declined", "gate approval withdrawn"]


def test_a_question_nobody_answered_expires_with_its_tool(session: Session) -> None:
    asking(session).prints(bare(session, failed=True))
    assert over(session) == ["Write file_change declined", "gate approval expired"]


@pytest.mark.parametrize(
    ("outcome", "activity", "gate"),
    [("ok", "ok", "approved"), ("declined", "declined", "declined")],
)
def test_without_the_hosts_side_the_permission_decision_tells_the_answer(
    session: Session, outcome: Any, activity: str, gate: str
) -> None:
    session.prints(session.cli.init())
    session.says("m1", Say("I'll do it."), Call("toolu_1", "Write"))
    session.prints(
        session.cli.asks("ask-1", "Write", "toolu_1", {}),
        session.cli.returned("toolu_1", "", outcome),
    )
    assert over(session) == [f"Write file_change {activity}", f"gate approval {gate}"]


@pytest.mark.parametrize(
    ("failed", "activity", "gate"),
    [(False, "ok", "approved"), (True, "declined", "declined")],
)
def test_without_host_and_decision_the_result_itself_tells(
    session: Session, failed: bool, activity: str, gate: str
) -> None:
    session.prints(session.cli.init())
    session.says("m1", Say("I'll do it."), Call("toolu_1", "Write"))
    session.prints(session.cli.asks("ask-1", "Write", "toolu_1", {}), bare(session, failed=failed))
    assert over(session) == [f"Write file_change {activity}", f"gate approval {gate}"]


def test_a_tool_the_runtime_blocks_by_itself_has_no_gate(session: Session) -> None:
    session.asked().says("m1", Say("I'll do it."), Call("toolu_1", "Write"))
    session.prints(
        session.cli.system("permission_denied", {"tool_name": "Write", "tool_use_id": "toolu_1"}),
        bare(session, failed=True),
    )
    assert over(session) == ["Write file_change declined"]


def test_a_failed_tool_is_no_trouble(session: Session) -> None:
    session.asked().says("m1", Say("I'll do it."), Call("toolu_1", "NoSuchTool"))
    session.prints(bare(session, failed=True))
    assert over(session) == ["other other failed"]


def test_tools_of_an_mcp_server_are_shown_by_kind(session: Session) -> None:
    session.asked().says("m1", Say("I'll do it."), Call("toolu_1", "mcp__acme__secret_name"))
    session.prints(session.cli.returned("toolu_1", ""))
    assert over(session) == ["mcp mcp ok"]


@pytest.mark.parametrize(
    ("content", "state"),
    [([{"type": "web_search_result"}], "ok"), ({"type": "web_search_tool_result_error"}, "failed")],
)
def test_a_server_tool_answers_inside_the_message(
    session: Session, content: Any, state: str
) -> None:
    session.asked().says("m1", Say("I'll do it."))
    session.prints(
        session.cli.assistant(
            "m1",
            [
                {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}},
                {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": content},
            ],
            {},
        )
    )
    assert over(session) == [f"web_search web {state}"]


def test_an_open_server_tool_of_a_failed_turn_is_unknown(session: Session) -> None:
    session.asked()
    block = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}}
    session.says("m1", Say("Searching.")).prints(session.cli.assistant("m1", [block], {}))
    session.prints(session.cli.error("error_during_execution", terminal_reason="completed"))
    assert session.run == ["said Searching.", "web_search web unknown", "failed unknown degraded"]


def test_progress_leaves_one_row(session: Session) -> None:
    session.asked().says("m1", Say("I'll do it."), Call("toolu_1", "Bash"))
    tick = {"type": "tool_progress", "tool_use_id": "toolu_1", "parent_tool_use_id": None}
    session.prints(tick, tick, session.cli.returned("toolu_1", "ok"), tick)
    assert over(session) == ["Bash command ok"]


def test_results_of_unknown_tools_move_nothing(session: Session) -> None:
    session.asked().prints(session.cli.returned("toolu_9", "x"))
    session.says("m1", Say("Done.")).succeeds("Done.")
    assert session.run == ['final "Done." healthy']
    assert session.noted["orphan tool result"] == 1


def test_todos_are_the_plan(session: Session) -> None:
    todos = [
        {"content": "Read", "status": "completed"},
        {"content": "Write", "status": "in_progress"},
        {"content": 7, "status": "pending"},
    ]
    session.asked().says("m1", Say("I'll do it."), Call("toolu_1", "TodoWrite", {"todos": todos}))
    session.prints(session.cli.returned("toolu_1", ""))
    assert over(session) == ["TodoWrite other ok", "plan Read done, Write active"]


def test_todos_of_a_failed_call_are_no_plan(session: Session) -> None:
    todos = [{"content": "Read", "status": "pending"}]
    session.asked().says("m1", Say("I'll do it."), Call("toolu_1", "TodoWrite", {"todos": todos}))
    session.prints(bare(session, failed=True))
    assert over(session) == ["TodoWrite other failed"]


def test_a_dialog_and_an_elicitation_are_gates(session: Session) -> None:
    session.hears(commands.message("go")).prints(session.cli.init())
    session.says("m1", Say("I'll do it."))
    for request, inner in (
        ("ask-1", {"subtype": "elicitation", "message": "Which account?"}),
        ("ask-2", {"subtype": "request_user_dialog", "dialog_kind": "trust"}),
        ("ask-3", {"subtype": "hook_callback", "callback_id": "1"}),
    ):
        session.prints({"type": "control_request", "request_id": request, "request": inner})
    answer = {"subtype": "success", "request_id": "ask-1", "response": {"action": "accept"}}
    session.hears({"type": "control_response", "response": answer})
    session.prints(session.cli.withdraws("ask-2"))
    session.succeeds("I'll do it.")
    assert session.run[:2] == ["gate elicitation answered", "gate question withdrawn"]


def bare(session: Session, *, failed: bool) -> Any:
    """A tool result of an older version: no permission decision beside it."""
    line = session.cli.returned("toolu_1", "x", "failed" if failed else "ok")
    del line["tool_result_meta"]
    return line


def test_every_tool_name_has_a_kind() -> None:
    assert catalogue.kind_of("Read") == "file_read"
    assert catalogue.kind_of("mcp__a__b") == "mcp"
    assert catalogue.kind_of("Unheard") == "other"
    assert catalogue.shown("Unheard") == "other"


def test_a_gate_the_runtime_rejected_itself_is_withdrawn(session: Session) -> None:
    session.prints(session.cli.init())
    session.says("m1", Say("I'll do it."), Call("toolu_1", "Write"))
    line = session.cli.returned("toolu_1", "", "declined")
    line["tool_result_meta"][0]["permission_decision"]["source"] = "config"
    session.prints(session.cli.asks("ask-1", "Write", "toolu_1", {}), line)
    assert over(session) == ["Write file_change declined", "gate approval withdrawn"]


@pytest.mark.parametrize("questions", [None, [7], [{"question": "Sure?"}], [{"options": []}]])
def test_any_question_can_be_asked(session: Session, questions: Any) -> None:
    asking(session, "AskUserQuestion", {"questions": questions})
    (request,) = [e for e in session.events if isinstance(e, InputRequested)]
    assert (request.kind, request.options) == ("question", ())
    assert request.prompt


def test_the_answer_to_a_parked_question_continues_in_a_run_of_its_own(session: Session) -> None:
    asking(session, "Write", {"file_path": "x"})
    session.edge(Parked())
    session.hears(commands.allow("ask-1", {"file_path": "x"}))
    session.prints(session.cli.returned("toolu_1", "written"))
    session.streams("m2", Say("Written.")).succeeds("Written.")
    first, second = session.runs
    assert first[-1] == 'needs_input "Allow Write?" healthy'
    assert second == ['final "Written." healthy']
    began = [event for event in session.events if isinstance(event, RunStarted)]
    asked = next(event for event in session.events if isinstance(event, InputRequested))
    assert (began[1].continues, began[1].request_id) == (began[0].run_id, asked.request_id)


def test_a_parked_question_that_nobody_answers_ends_the_turn_for_good(session: Session) -> None:
    asking(session, "Write", {"file_path": "x"})
    session.edge(Parked()).streams("m2", Say("Late.")).succeeds("Late.").exits()
    assert [run[-1] for run in session.runs] == ['needs_input "Allow Write?" healthy']
