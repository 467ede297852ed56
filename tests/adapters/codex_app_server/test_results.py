"""How turns end: interruptions, failures and their codes, ends without a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.adapters.codex_app_server import commands
from turnreel.adapters.codex_app_server.codes import CARRIERS, INFOS, code_of
from turnreel.adapters.codex_app_server.frames import Words

Session = Any


@pytest.mark.parametrize(
    ("info", "sentence", "ending"),
    [
        ("contextWindowExceeded", "x", "failed context_exhausted healthy"),
        ("usageLimitExceeded", "x", "failed quota healthy"),
        ("internalServerError", "x", "failed provider_unavailable degraded"),
        ("cyberPolicy", "x", "failed policy healthy"),
        ({"httpConnectionFailed": {"httpStatusCode": 401}}, "x", "failed auth degraded"),
        ({"responseTooManyFailedAttempts": {"httpStatusCode": 429}}, "x",
         "failed rate_limited degraded"),
        ({"responseStreamDisconnected": {"httpStatusCode": None}}, "x",
         "failed provider_unavailable degraded"),
        ("other", "stream disconnected before completion: x",
         "failed provider_unavailable degraded"),
        ("other", '{"error": {"type": "invalid_request_error"}}', "failed bad_request degraded"),
        ("other", '{"error": {"message": "bad", "type": "server_error"}}',
         "failed unknown degraded"),
        ("other", "Invalid prompt: flagged", "failed unknown degraded"),
        ("brandNewWord", "x", "failed unknown degraded"),
        (None, "x", "failed unknown degraded"),
        ({}, "x", "failed unknown degraded"),
        (7, "x", "failed unknown degraded"),
    ],
)  # fmt: skip
def test_a_failure_has_the_code_of_its_words(
    session: Session, info: Any, sentence: str, ending: str
) -> None:
    session.asked().fails(info, sentence)
    assert session.turns == f"run\n  {ending}\n"


def test_every_typed_word_has_a_code() -> None:
    assert all(code_of(Words(info)) == code for info, code in INFOS.items())
    assert all(code_of(Words(info)) == "provider_unavailable" for info in CARRIERS)


def test_a_failure_without_an_error_has_the_cause_told_before(session: Session) -> None:
    session.asked().prints(
        session.server.error({"codexErrorInfo": "unauthorized"}, retries=False),
        session.server.ended("failed"),
    )
    assert session.turns == "run\n  failed auth degraded\n"


def test_an_error_alone_ends_nothing(session: Session) -> None:
    error: dict[str, Any] = {"codexErrorInfo": "unauthorized"}
    session.asked().prints(session.server.error(error, retries=False))
    assert session.turns == "run\n  open\n"


def test_a_retry_until_the_stream_just_ends_is_incomplete(session: Session) -> None:
    session.asked().breaks().breaks().exits(0)
    session.shows("""
        run
          health degraded provider_unavailable
          failed incomplete degraded
    """)


def test_an_interrupted_turn_that_the_host_cancelled(session: Session) -> None:
    server = session.server
    session.asked().says("m1", "Quick.", "final_answer")
    session.hears(commands.interrupt(7, server.thread, server.turn))
    session.prints({"id": 7, "result": {}}, server.ended("interrupted"))
    assert session.turns == "run\n  cancelled healthy\n"


def test_an_interruption_that_nobody_asked_for_is_a_failure(session: Session) -> None:
    session.asked().prints(session.server.ended("interrupted"))
    assert session.turns == "run\n  failed incomplete degraded\n"


def test_an_interruption_is_the_hosts_where_its_side_is_not_recorded(session: Session) -> None:
    session.server.next_turn()
    session.prints(session.server.begun(), session.server.ended("interrupted"))
    assert session.turns == "run\n  cancelled healthy\n"


def test_trouble_pending_at_a_cancel_degrades(session: Session) -> None:
    server = session.server
    session.asked().breaks().hears(commands.interrupt(7, server.thread, server.turn))
    session.prints(server.ended("interrupted"))
    assert session.turns.endswith("cancelled degraded\n")


def test_a_cancel_after_success_changes_nothing(session: Session) -> None:
    server = session.server
    session.asked().says("m1", "Done.", "final_answer").completes("m1", "Done.")
    before = session.turns
    session.hears(commands.interrupt(7, server.thread, server.turn)).prints(server.refused(7))
    assert session.turns == before


def test_a_closed_stdin_is_no_cancel(session: Session) -> None:
    session.asked().says("m1", "Looking.", "commentary").hangs_up().exits(0)
    session.shows("""
        run
          commentary 'Looking.'
          failed incomplete degraded
    """)


def test_a_second_terminal_and_a_status_nobody_knows_move_nothing(session: Session) -> None:
    session.asked().says("m1", "Done.", "final_answer")
    session.prints(session.server.ended("inProgress"))
    session.completes("m1", "Done.").prints(session.server.ended("failed"))
    assert session.turns == "run\n  final 'Done.' healthy\n"
    assert session.noted["turn status inProgress"] == 1


def test_the_sequence_that_killed_good_runs(session: Session) -> None:
    """A founding defect: error, will_retry, completed was counted as a failure."""
    session.asked().breaks().says("m1", "Done.", "final_answer").completes("m1", "Done.").exits(0)
    session.shows("""
        run
          health degraded provider_unavailable
          health recovered provider_unavailable
          final 'Done.' recovered
    """)
