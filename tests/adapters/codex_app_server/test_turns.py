"""Which turn a frame belongs to: starts, joins, refusals, threads, child agents, late frames."""

from __future__ import annotations

from typing import Any

from turnreel.adapters.codex_app_server import builders, commands
from turnreel.adapters.codex_app_server.builders import Server
from turnreel.lifecycle.events import RunStarted
from turnreel.lifecycle.signals import CancelRequested

Session = Any


def test_turn_started_may_come_before_the_response(session: Session) -> None:
    server = session.server
    session.hears(commands.message(1, server.thread, "Go."))
    server.next_turn()
    session.prints(server.begun(), server.accepted(1))
    session.says("m1", "Done.", "final_answer").completes("m1", "Done.")
    session.shows("""
        run
          final 'Done.' healthy
    """)


def test_a_message_that_the_running_turn_takes_joins_it(session: Session) -> None:
    session.asked().opens("m1", "final_answer", "One, two")
    session.hears(commands.message(9, session.server.thread, "And south?"))
    session.prints(session.server.accepted(9))
    session.says("m2", "Both.", "final_answer").completes("m2", "Both.")
    session.shows("""
        run
          final 'Both.' healthy
    """)


def test_a_start_that_is_refused_has_created_its_run(session: Session) -> None:
    session.hears(commands.message(1, session.server.thread, "Go."))
    session.prints(session.server.refused(1))
    session.shows("""
        run
          failed startup degraded
    """)


def test_a_start_refused_while_a_turn_runs_is_a_run_of_its_own(session: Session) -> None:
    session.asked()
    session.hears(commands.message(9, session.server.thread, "More."))
    session.prints(session.server.refused(9))
    session.says("m1", "Done.", "final_answer").completes("m1", "Done.")
    session.shows("""
        run
          final 'Done.' healthy
        run
          failed startup degraded
    """)


def test_a_refused_steer_creates_none(session: Session) -> None:
    session.asked()
    session.hears(commands.steer(9, session.server.thread, "other", "More."))
    session.prints(session.server.refused(9))
    session.says("m1", "Done.", "final_answer").completes("m1", "Done.")
    assert session.turns.count("run\n") == 1


def test_a_turn_without_a_host_begins_with_its_first_frame(session: Session) -> None:
    session.server.next_turn()
    session.says("m1", "Done.", "final_answer").completes("m1", "Done.")
    assert session.turns == "run\n  final 'Done.' healthy\n"


def test_what_comes_late_opens_no_run_and_moves_nothing(session: Session) -> None:
    session.asked().says("m1", "Done.", "final_answer").completes("m1", "Done.")
    before = session.turns
    session.runs_tool("c1").says("m2", "More.", "final_answer").breaks()
    session.completes("m2", "More.")
    assert session.turns == before
    assert session.noted["late frame"]


def test_a_foreign_turns_end_and_errors_open_none(session: Session) -> None:
    session.server.next_turn()
    session.breaks().completes()
    assert session.turns == ""
    assert session.noted["frame of a foreign turn"]


def test_a_resumed_threads_former_turns_yield_nothing(session: Session) -> None:
    session.hears(commands.resume_thread(1, session.server.thread))
    former = {"id": "old", "status": "interrupted", "items": [builders.message("m0", "Old.", None)]}
    thread = {"id": session.server.thread, "turns": [former]}
    session.prints({"id": 1, "result": {"thread": thread}})
    session.asked().says("m1", "New.", "final_answer").completes("m1", "New.")
    assert session.turns == "run\n  final 'New.' healthy\n"


def test_a_failed_turn_says_nothing_of_the_next_one(session: Session) -> None:
    session.asked().fails("badRequest")
    session.asked().says("m1", "Fine.", "final_answer").completes("m1", "Fine.")
    session.shows("""
        run
          failed bad_request degraded
        run
          final 'Fine.' healthy
    """)


def test_threads_of_one_stream_do_not_touch_each_other(session: Session) -> None:
    session.asked().opens("m1", "commentary", "North")
    first, session.server = session.server, Server("01a20000-0000-7000-8000-000000000002")
    session.asked().breaks().says("n1", "South.", "final_answer").fails("unauthorized")
    session.server = first
    session.prints(first.delta("m1", " is"), first.delta("m1", " 43."))
    session.prints(first.completed(builders.message("m1", "North is 43.", "commentary")))
    session.says("m2", "43.", "final_answer").completes("m2", "43.")
    session.shows("""
        run
          commentary 'North is 43.'
          final '43.' healthy
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          failed auth degraded
    """)


def child_of(session: Session, kind: str, thread: str) -> dict[str, Any]:
    item = {"type": "subAgentActivity", "id": f"call-{kind}", "kind": kind, "agentThreadId": thread}
    return session.server.started(item)


def test_a_child_agent_is_a_run_of_its_own_and_an_activity(session: Session) -> None:
    parent, child = session.server, Server("01a20000-0000-7000-8000-0000000000c1")
    session.asked().says("m1", "Spawning.", "commentary")
    session.prints(child_of(session, "started", child.thread))
    session.server = child
    child.next_turn()
    begun = child.begun()
    begun["params"]["turn"]["rootTurnId"] = parent.turn
    session.prints(begun).says("c1", "Child says 42.", "final_answer")
    session.completes("c1", "Child says 42.")
    session.server = parent
    session.prints(child_of(session, "completed", child.thread))
    session.says("m2", "Parent done.", "final_answer").completes("m2", "Parent done.")
    session.shows("""
        run
          commentary 'Spawning.'
          activity subAgentActivity subagent ok
          final 'Parent done.' healthy
          run
            final 'Child says 42.' healthy
    """)


def test_a_root_turn_alone_makes_a_child(session: Session) -> None:
    parent, child = session.server, Server("01a20000-0000-7000-8000-0000000000c1")
    session.asked().says("m1", "Done.", "final_answer").completes("m1", "Done.")
    child.next_turn()
    begun = child.begun()
    begun["params"]["turn"]["rootTurnId"] = parent.turn
    session.prints(begun, child.ended("failed", error=builders.words("badRequest")))
    session.shows("""
        run
          final 'Done.' healthy
          run
            failed bad_request degraded
    """)


def test_a_childs_failure_fails_its_activity_and_not_its_parent(session: Session) -> None:
    parent, child = session.server, Server("01a20000-0000-7000-8000-0000000000c1")
    session.asked().prints(child_of(session, "started", child.thread))
    session.server = child
    child.next_turn()
    session.prints(child.begun()).fails("serverOverloaded")
    session.server = parent
    session.says("m2", "Without it.", "final_answer").completes("m2", "Without it.")
    session.shows("""
        run
          activity subAgentActivity subagent failed
          final 'Without it.' healthy
          run
            failed provider_unavailable degraded
    """)


def test_a_turn_the_agent_starts_after_its_childs_report_is_caused(session: Session) -> None:
    session.asked().prints(child_of(session, "started", "01a20000-0000-7000-8000-0000000000c1"))
    session.says("m1", "In the background.", "final_answer").completes("m1", "In the background.")
    session.server.next_turn()
    session.prints(session.server.begun()).says("m2", "It is back.", "final_answer")
    session.completes("m2", "It is back.")
    first, second = (e for e in session.events if isinstance(e, RunStarted))
    assert second.caused_by == first.run_id


def test_an_unanswered_start_is_a_run_when_the_process_ends(session: Session) -> None:
    session.asked()
    session.hears(commands.message(9, session.server.thread, "More.")).exits(1)
    session.shows("""
        run
          failed incomplete degraded
        run
          failed startup degraded
    """)


def test_a_signal_of_the_host_cancels(session: Session) -> None:
    session.asked().opens("m1", "commentary", "Look")
    session.edge(CancelRequested(via="SIGTERM")).exits(None, "SIGTERM")
    session.shows("""
        run
          commentary 'Look'
          cancelled healthy
    """)


def test_a_compaction_is_answered_by_the_runtime(session: Session) -> None:
    session.server.next_turn()
    item = {"type": "contextCompaction", "id": "x"}
    session.prints(session.server.begun(), session.server.started(item))
    session.prints(session.server.completed(item)).completes()
    assert session.turns == "run\n  final '' runtime healthy\n"
