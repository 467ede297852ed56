"""The outcome of the work and the health of the runtime are two axes (O1-O6): acceptance lines.

Each line says how a turn ended and how its runtime fared; neither may be read off the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from turnreel.adapters.steps import Call, Say
from turnreel.lifecycle.events import Final, Health
from turnreel.lifecycle.receipts import digest_of
from turnreel.lifecycle.signals import (
    CancelRequested,
    Closed,
    Exited,
    Orphaned,
    Receipt,
    Unreconciled,
)

Session = Any
Line = Callable[[Session], None]

DONE = Receipt(
    run_id="s.1",
    thread_id="s/0",
    native_turn="m1",
    outcome="completed",
    text_digest=digest_of("Done."),
)


def receipt(**changes: str) -> Receipt:
    fields = {name: getattr(DONE, name) for name in DONE.__struct_fields__}
    return Receipt(**{**fields, **changes})


def retried(session: Session) -> None:
    session.asked().prints(session.cli.retry(1, 529), session.cli.retry(2, None))
    session.streams("m1", Say("Done.")).succeeds("Done.").exits()


def exit_zero(session: Session) -> None:
    session.asked().streams("m1", Say("Done.")).exits(0)


def exhausted(session: Session) -> None:
    session.asked().prints(*(session.cli.retry(n, 429) for n in range(1, 4)))
    session.prints(session.cli.failure("rate_limit", 429))
    session.prints(session.cli.result("API Error: scripted", is_error=True)).exits(1)


def reconciled(session: Session) -> None:
    session.asked().streams("m1", Say("Done.")).edge(Exited(code=0), DONE, DONE, Unreconciled())


def stale(session: Session) -> None:
    session.asked().streams("m1", Say("Done."), Call("t1", "Read"), stop="tool_use")
    session.prints(session.cli.returned("t1", "x")).streams("m2", Say("More."))
    session.edge(Exited(code=0), DONE, Unreconciled())


def foreign(session: Session) -> None:
    session.asked().streams("m1", Say("Done.")).edge(Exited(code=0))
    session.edge(receipt(run_id="s.2"), receipt(thread_id="s/2"), receipt(native_turn="m9"))
    session.edge(receipt(text_digest=digest_of("Other.")), Unreconciled())


def shut_down(session: Session) -> None:
    session.asked().streams("m1", Say("Done.")).succeeds("Done.")
    session.edge(CancelRequested(via="SIGTERM"), Closed(), Exited(killed_by="SIGTERM"))
    session.edge(Unreconciled(), Orphaned(), receipt(outcome="failed"))


LINES: dict[str, tuple[Line, list[str]]] = {
    "retry-then-success-is-completed-and-recovered": (
        retried,
        ["degraded provider_unavailable", "recovered provider_unavailable",
         'final "Done." recovered'],
    ),
    "exit-0-without-a-terminal-is-incomplete": (exit_zero, ["failed incomplete degraded"]),
    "exhaustion-is-failed-with-its-code": (
        exhausted,
        ["degraded rate_limited", "failed rate_limited degraded"],
    ),
    "a-matching-receipt-reconciles-once": (
        reconciled,
        ["degraded incomplete", 'final "Done." degraded'],
    ),
    "a-stale-receipt-does-not": (
        stale,
        ["said Done.", "Read file_read ok", "failed incomplete degraded"],
    ),
    "a-foreign-receipt-does-not": (foreign, ["failed incomplete degraded"]),
    "shutdown-never-overwrites-completed": (
        shut_down,
        ["degraded unknown", 'final "Done." healthy'],  # T6: the exit came after the terminal
    ),
}  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), LINES.values(), ids=LINES)
def test_two_axes(session: Session, line: Line, expected: list[str]) -> None:
    line(session)
    assert session.run == expected
    assert sum(event.terminal for event in session.events) == 1


def test_a_non_zero_exit_after_a_success_is_health_alone(session: Session) -> None:
    session.asked().streams("m1", Say("Done.")).succeeds("Done.").exits(3)
    terminal, after = session.events[-2:]
    assert isinstance(terminal, Final) and isinstance(after, Health)
    assert (terminal.outcome, terminal.health) == ("completed", "healthy")
    assert (after.state, after.terminal) == ("degraded", False)
