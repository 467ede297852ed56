"""Which turn a frame belongs to: user messages, queues, agent-started turns, children (R9, T4)."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.claude_stream_json import commands
from turnreel.adapters.claude_stream_json.builders import Printer
from turnreel.adapters.steps import Call, Say
from turnreel.lifecycle.events import RunStarted

Session = Any

ONE, TWO = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


def test_two_messages_two_turns(session: Session) -> None:
    for text in ("First.", "Second."):
        session.hears(commands.message("go")).prints(session.cli.init())
        session.says(f"m {text}", Say(text)).succeeds(text)
    assert session.runs == [['final "First." healthy'], ['final "Second." healthy']]


def test_a_message_taken_in_while_the_turn_runs_joins_it(session: Session) -> None:
    session.hears(commands.message("one", ONE)).prints(session.cli.init(ONE))
    session.hears(commands.message("two", TWO))
    session.says("m1", Say("Slowly."), Call("toolu_1", "Read"))
    session.prints(session.cli.returned("toolu_1", "x"), session.cli.queue(TWO, "started"))
    session.prints(session.cli.requesting(ONE, TWO))
    session.says("m2", Say("Both.")).succeeds("Both.", user_message_uuids=[ONE, TWO])
    session.exits()
    assert [run[-1] for run in session.runs] == ['final "Both." healthy']


def test_an_older_version_shows_a_joined_message_by_its_queue_alone(session: Session) -> None:
    session.hears(commands.message("one", ONE)).prints(session.cli.init())
    session.hears(commands.message("two", TWO)).prints(session.cli.queue(TWO, "queued"))
    session.says("m1", Say("Slowly."), Call("toolu_1", "Read"))
    session.prints(session.cli.returned("toolu_1", "x"), session.cli.queue(TWO, "started"))
    session.says("m2", Say("Both.")).succeeds("Both.").exits()
    assert len(session.runs) == 1


def test_a_message_still_queued_at_the_end_of_the_turn_opens_the_next(session: Session) -> None:
    session.hears(commands.message("one", ONE), commands.message("two", TWO))
    session.prints(session.cli.init(ONE)).says("m1", Say("First."))
    session.succeeds("First.", user_message_uuids=[ONE])
    session.prints(session.cli.queue(TWO, "started"), session.cli.init(TWO))
    session.says("m2", Say("Second.")).succeeds("Second.", user_message_uuids=[TWO])
    assert session.runs == [['final "First." healthy'], ['final "Second." healthy']]


@pytest.mark.parametrize("how", ["queue", "acknowledgement"])
def test_a_message_cancelled_while_queued_opens_none(session: Session, how: str) -> None:
    session.hears(commands.message("one", ONE)).prints(session.cli.init(ONE))
    session.hears(commands.message("two", TWO), commands.interrupt_all("int-1"))
    if how == "queue":
        session.prints(session.cli.queue(TWO, "cancelled"), session.cli.acknowledges("int-1"))
    else:
        session.prints(session.cli.acknowledges("int-1", (TWO,)))
    session.prints(session.cli.error("error_during_execution", terminal_reason="aborted_streaming"))
    session.exits(1)
    assert session.runs == [["cancelled healthy"]]


def test_a_message_sent_and_never_begun_is_a_failed_start(session: Session) -> None:
    session.hears(commands.message("one", ONE), commands.message("two", TWO))
    session.prints(session.cli.init(ONE)).says("m1", Say("First.")).succeeds("First.")
    session.exits(None, "SIGKILL")
    assert [run[-1] for run in session.runs] == [
        'final "First." healthy',
        "failed startup degraded",
    ]


def test_the_same_message_sent_again_is_the_same_message(session: Session) -> None:
    session.hears(commands.message("one", ONE)).prints(session.cli.init(ONE))
    session.says("m1", Say("First.")).succeeds("First.")
    session.hears(commands.message("one", ONE)).exits()
    assert [run[-1] for run in session.runs] == ['final "First." healthy']


def test_background_work_reports_back_in_a_turn_of_its_own_before_the_first_has_ended(
    session: Session,
) -> None:
    session.asked().streams("m1", Say("Delegating."), Call("toolu_1", "Task"), stop="tool_use")
    session.prints(started(session.cli), session.cli.returned("toolu_1", "launched"))
    session.streams("m2", Say("Main final."))
    session.prints(session.cli.block("c2", Say("Child done."), parent="toolu_1"))
    session.prints(notified(session.cli, "Child done."), session.cli.init())
    session.streams("m3", Say("After notification."))
    session.succeeds("Main final.", begun_message_ids=["m1", "m2"])
    session.succeeds(
        "After notification.",
        begun_message_ids=["m3"],
        origin={"kind": "task-notification"},
    )
    session.exits()
    first, second = session.runs
    assert second == ['final "After notification." healthy']
    assert first[:2] == ["said Delegating.", "Task subagent ok"]
    assert '  final "Child done." runtime healthy' in first
    starts = [event for event in session.events if isinstance(event, RunStarted)]
    assert [start.caused_by for start in starts] == [None, None, starts[0].run_id]


def test_a_child_that_the_turn_waits_for_begins_no_turn(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "Task"), stop="tool_use")
    session.prints(started(session.cli))
    session.prints(session.cli.block("c1", Call("toolu_c", "Read"), parent="toolu_1"))
    session.prints(session.cli.returned("toolu_c", "x", parent="toolu_1"))
    session.prints(notified(session.cli, "Two rows."), session.cli.returned("toolu_1", "Two rows."))
    session.streams("m2", Say("Main.")).succeeds("Main.")
    session.hears(commands.message("next")).prints(session.cli.init())
    session.says("m3", Say("Next.")).succeeds("Next.")
    assert session.runs == [
        [
            "Task subagent ok",
            "  Read file_read ok",
            '  final "Two rows." runtime healthy',
            'final "Main." healthy',
        ],
        ['final "Next." healthy'],
    ]
    starts = [event for event in session.events if isinstance(event, RunStarted)]
    assert [start.caused_by for start in starts] == [None, None, None]


def test_background_work_that_a_person_stopped_begins_no_turn(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "Task"), stop="tool_use")
    session.prints(started(session.cli), session.cli.returned("toolu_1", "launched"))
    session.streams("m2", Say("Main.")).succeeds("Main.")
    session.hears(commands.stop_task("stop-1", "task-1"))
    session.prints(notified(session.cli, "", "stopped"), session.cli.init())
    session.says("m3", Say("Next.")).succeeds("Next.")
    starts = [event for event in session.events if isinstance(event, RunStarted)]
    assert [start.caused_by for start in starts] == [None, None, None]
    assert session.runs[0][-2:] == ["  cancelled healthy", 'final "Main." healthy']


def test_trouble_of_a_child_is_its_own(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "Task"), stop="tool_use")
    session.prints(started(session.cli))
    retry = {"attempt": 1, "error_status": 529, "error_category": "overloaded"}
    session.prints(
        {
            "type": "tool_progress",
            "tool_use_id": "agent_1",
            "parent_tool_use_id": "toolu_1",
            "subagent_retry": retry,
        }
    )
    session.prints(session.cli.block("c1", Say("Fine now."), parent="toolu_1"))
    session.prints(notified(session.cli, "Fine now."), session.cli.returned("toolu_1", "ok"))
    session.streams("m2", Say("Main.")).succeeds("Main.")
    assert session.run[-1] == 'final "Main." healthy'
    assert '  final "Fine now." runtime recovered' in session.run


@pytest.mark.parametrize(
    ("status", "end"),
    [("failed", "  failed unknown degraded"), ("stopped", "  cancelled healthy")],
)
def test_a_child_that_did_not_complete(session: Session, status: str, end: str) -> None:
    session.asked().streams("m1", Call("toolu_1", "Task"), stop="tool_use")
    session.prints(started(session.cli), notified(session.cli, "", status))
    session.prints(session.cli.returned("toolu_1", "no", "failed"))
    session.streams("m2", Say("Main.")).succeeds("Main.")
    assert end in session.run
    assert session.run[-1] == 'final "Main." healthy'


def test_what_comes_after_the_turn_moves_nothing(session: Session) -> None:
    session.asked().streams("m1", Say("Done.")).succeeds("Done.", begun_message_ids=["m1"])
    session.streams("m9", Say("Late.")).succeeds("Other.", begun_message_ids=["m9"])
    session.prints(session.cli.error("error_max_turns")).exits()
    assert session.run == ['final "Done." healthy']
    assert session.noted["late or foreign result"] == 2


def test_a_result_of_an_earlier_turn_does_not_end_the_next(session: Session) -> None:
    session.asked().streams("m1", Say("One.")).succeeds("One.", begun_message_ids=["m1"])
    session.hears(commands.message("two")).prints(session.cli.init())
    session.streams("m2", Say("Two."))
    session.prints(session.cli.error("error_during_execution", begun_message_ids=["m1"]))
    session.succeeds("Two.", begun_message_ids=["m2"])
    assert session.runs == [['final "One." healthy'], ['final "Two." healthy']]


def test_frames_of_another_session_move_nothing(session: Session) -> None:
    other = Printer("0e550000-0000-4000-8000-000000000002")
    session.asked().says("m1", Say("Mine."))
    session.prints(other.block("x1", Say("Foreign.")), other.result("Foreign."))
    session.succeeds("Mine.")
    assert session.run == ['final "Mine." healthy']
    assert session.noted["frame of another session"] == 2


def test_a_turn_without_any_recorded_start_begins_with_its_first_frame(session: Session) -> None:
    session.prints(session.cli.init()).says("m1", Say("Hi.")).succeeds("Hi.")
    assert session.run == ['final "Hi." healthy']


def test_a_handshake_begins_no_turn(session: Session) -> None:
    session.hears(commands.initialize("init-1")).prints(
        {"type": "control_response", "response": {"subtype": "success", "request_id": "init-1"}},
        session.cli.system("session_state_changed", {"state": "idle"}),
    )
    assert session.exits().runs == []


def test_nothing_printed_for_the_turn_is_a_failed_start(session: Session) -> None:
    session.hears(commands.message("go")).exits(1)
    assert session.run == ["failed startup degraded"]


def test_a_start_the_agent_refuses_is_a_failed_start(session: Session) -> None:
    session.hears(commands.message("go"))
    session.prints(session.cli.error("error_during_execution", num_turns=0)).exits(1)
    assert session.run == ["failed startup degraded"]


def test_a_killed_process_leaves_an_incomplete_turn_and_the_next_one_is_new(
    session: Session,
) -> None:
    session.asked().says("m1", Say("Running."), Call("toolu_1", "Bash")).exits(None, "SIGKILL")
    session.asked().says("m2", Say("Continuing.")).succeeds("Continuing.").exits()
    assert session.runs == [
        ["said Running.", "Bash command unknown", "failed incomplete degraded"],
        ['final "Continuing." healthy'],
    ]


def test_an_interrupt_while_idle_changes_nothing(session: Session) -> None:
    session.asked().says("m1", Say("One.")).succeeds("One.")
    session.hears(commands.interrupt("int-1")).prints(session.cli.acknowledges("int-1"))
    session.hears(commands.message("two")).prints(session.cli.init())
    session.says("m2", Say("Two.")).succeeds("Two.")
    assert session.runs == [['final "One." healthy'], ['final "Two." healthy']]


def test_without_the_hosts_side_the_acknowledgement_shows_the_cancel(session: Session) -> None:
    session.prints(session.cli.init()).says("m1", Say("Running."), Call("toolu_1", "Bash"))
    session.prints(session.cli.acknowledges("int-1"))
    assert session.exits().run == ["said Running.", "Bash command cancelled", "cancelled healthy"]


def started(cli: Printer) -> dict[str, Any]:
    return cli.system(
        "task_started",
        {"task_id": "task-1", "tool_use_id": "toolu_1", "task_type": "local_agent"},
    )


def notified(cli: Printer, summary: str, status: str = "completed") -> dict[str, Any]:
    fields = {"task_id": "task-1", "tool_use_id": "toolu_1", "status": status, "summary": summary}
    return cli.system("task_notification", fields)


def test_an_interrupt_cancels_the_child_that_the_turn_waits_for(session: Session) -> None:
    session.hears(commands.message("go")).prints(session.cli.init())
    session.streams("m1", Call("toolu_1", "Task"), stop="tool_use").prints(started(session.cli))
    session.hears(commands.interrupt("int-1")).exits()
    assert session.run == ["Task subagent cancelled", "  cancelled healthy", "cancelled healthy"]


def test_an_interrupt_leaves_a_child_in_the_background_alone(session: Session) -> None:
    session.hears(commands.message("go")).prints(session.cli.init())
    session.streams("m1", Call("toolu_1", "Task"), stop="tool_use")
    session.prints(started(session.cli), session.cli.returned("toolu_1", "launched"))
    session.hears(commands.interrupt("int-1")).prints(notified(session.cli, "Done."))
    assert session.run[1] == '  final "Done." runtime healthy'


def test_a_child_is_known_by_its_frames_alone(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "Task"), stop="tool_use")
    session.prints(session.cli.block("c1", Call("toolu_c", "Read"), parent="toolu_1"))
    assert session.run == ["Task subagent started", "  Read file_read started", "  open", "open"]


def test_children_of_children_are_theirs(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "Task"), stop="tool_use")
    session.prints(session.cli.block("c1", Call("toolu_2", "Task"), parent="toolu_1"))
    session.prints(session.cli.block("d1", Call("toolu_3", "Read"), parent="toolu_2"))
    assert session.run[2:4] == ["    Read file_read started", "    open"]


def test_frames_of_nobodys_child_move_nothing(session: Session) -> None:
    session.asked().prints(
        session.cli.block("c1", Say("Who?"), parent="toolu_9"),
        notified(session.cli, "Who?"),
        started(session.cli),
    )
    session.says("m1", Say("Hi.")).succeeds("Hi.")
    assert session.run == ['final "Hi." healthy']


def test_an_unnamed_message_that_was_not_taken_in_opens_the_next_turn(session: Session) -> None:
    session.hears(commands.message("one")).prints(session.cli.init())
    session.says("m1", Say("One.")).hears(commands.message("two")).succeeds("One.")
    session.prints(session.cli.init()).says("m2", Say("Two.")).succeeds("Two.").exits()
    assert session.runs == [['final "One." healthy'], ['final "Two." healthy']]


def test_an_unnamed_message_is_not_mistaken_for_a_named_one(session: Session) -> None:
    session.hears(commands.message("one", ONE)).prints(session.cli.init(ONE))
    session.says("m1", Say("One."))
    session.hears(commands.message("two", TWO), commands.message("three"))
    session.succeeds("One.").prints(session.cli.init())
    session.says("m3", Say("Three.")).succeeds("Three.")
    session.prints(session.cli.init(TWO)).says("m2", Say("Two."))
    session.succeeds("Two.", user_message_uuids=[TWO]).exits()
    assert [run[-1] for run in session.runs] == [
        'final "One." healthy',
        'final "Three." healthy',
        'final "Two." healthy',
    ]


def test_the_same_init_again_is_the_same_turn(session: Session) -> None:
    session.hears(commands.message("one", ONE))
    session.prints(session.cli.init(ONE), session.cli.init(ONE))
    session.says("m1", Say("One.")).succeeds("One.")
    assert session.runs == [['final "One." healthy']]


def test_a_report_folded_into_the_running_turn_begins_none(session: Session) -> None:
    session.asked().streams("m1", Call("toolu_1", "Bash"), stop="tool_use")
    session.prints(started(session.cli), session.cli.returned("toolu_1", "in the background"))
    session.streams("m2", Call("toolu_2", "Read"), stop="tool_use")
    session.prints(notified(session.cli, "x"), session.cli.returned("toolu_2", "1"))
    session.streams("m3", Say("Done.")).succeeds("Done.")
    session.prints(session.cli.init()).says("m4", Say("Next.")).succeeds("Next.")
    starts = [event for event in session.events if isinstance(event, RunStarted)]
    assert {start.caused_by for start in starts} == {None}
