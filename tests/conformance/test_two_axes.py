"""How a turn ended and how the runtime fared are two things: the seven lines of acceptance, on both
streams of Codex (O1, O2, O5, O6, T4, T6).
"""

from __future__ import annotations

import pytest

from tests.adapters.hearing import Hearing, Line
from turnreel.adapters.codex_app_server import builders as app
from turnreel.adapters.codex_app_server import commands
from turnreel.adapters.codex_app_server.builders import Server
from turnreel.adapters.codex_exec import builders as exec_builders
from turnreel.lifecycle.fold import RunView, fold
from turnreel.lifecycle.receipts import digest_of
from turnreel.lifecycle.signals import (
    CancelRequested,
    Closed,
    Exited,
    Message,
    Orphaned,
    Receipt,
    Unreconciled,
)

TEXT = "The total is 76."
RATE = {"responseStreamDisconnected": {"httpStatusCode": 429}}
EXHAUSTED = {"responseTooManyFailedAttempts": {"httpStatusCode": 429}}


class App:
    """One turn of the app-server."""

    positional = ""

    def __init__(self) -> None:
        self.heard = Hearing("codex-app-server")
        self.server = Server()

    @property
    def native(self) -> str:
        """What Codex calls the turn by."""
        return self.server.turn

    def begins(self) -> Hearing:
        self.server.next_turn()
        self.heard.writes(commands.message(1, self.server.thread, "Go."))
        return self.heard.prints(self.server.accepted(1), self.server.begun())

    def retries(self) -> None:
        self.heard.prints(self.server.error(app.words(RATE), retries=True))

    def says(self) -> None:
        said = app.message("msg_1", TEXT, "final_answer")
        self.heard.prints(self.server.started(said), self.server.completed(said))

    def completes(self) -> None:
        self.heard.prints(self.server.usage(), self.server.ended("completed"))

    def gives_up(self) -> None:
        error = app.words(EXHAUSTED)
        self.heard.prints(self.server.error(error, retries=False))
        self.heard.prints(self.server.ended("failed", error=error))


class Exec:
    """One turn of ``codex exec --json``."""

    positional = " positional"

    def __init__(self) -> None:
        self.heard = Hearing("codex-exec")
        self.printer = exec_builders.Printer()

    @property
    def native(self) -> str:
        """The stream tells no turn's id: its one turn is the thread's."""
        return exec_builders.THREAD

    def begins(self) -> Hearing:
        self.heard.edge(Message(via="argv"))
        return self.heard.prints(self.printer.thread(), self.printer.begun())

    def retries(self) -> None:
        cause = "exceeded retry limit, last status: 429 Too Many Requests"
        self.heard.prints(self.printer.retry(1, cause))

    def says(self) -> None:
        self.heard.prints(self.printer.said("msg_1", TEXT))

    def completes(self) -> None:
        self.heard.prints(self.printer.ended())

    def gives_up(self) -> None:
        sentence = "exceeded retry limit, last status: 429 Too Many Requests"
        self.heard.prints(self.printer.error(sentence), self.printer.failed(sentence))


STREAMS = {"app-server": App, "exec": Exec}


@pytest.fixture(params=STREAMS.values(), ids=STREAMS)
def codex(request: pytest.FixtureRequest) -> App | Exec:
    made: App | Exec = request.param()
    made.begins()
    return made


def receipt(native: str, **changes: str) -> Receipt:
    """What settles the first run of a session with `TEXT`."""
    fields = {"run_id": "s.1", "thread_id": "s/0", "native_turn": native, "outcome": "completed"}
    text = {"text_digest": digest_of(TEXT), "text": TEXT}
    return Receipt(**{**fields, **text, **changes})  # type: ignore[arg-type]


def ended(heard: Hearing) -> str:
    """The line that closes the only run."""
    return heard.run[-1]


def test_1_a_retry_and_then_success_is_completed_and_recovered(codex: App | Exec) -> None:
    codex.retries()
    codex.says()
    codex.completes()
    assert ended(codex.heard) == f'final "{TEXT}"{codex.positional} recovered'
    (view,) = fold(codex.heard.events)
    assert view.terminal is not None
    assert (view.terminal.outcome, view.health) == ("completed", "recovered")


def test_2_exit_0_without_a_terminal_is_incomplete(codex: App | Exec) -> None:
    codex.says()
    codex.heard.edge(Exited(code=0))
    assert ended(codex.heard) == "open", "the edge has not said yet that no receipt will come"
    codex.heard.edge(Unreconciled())
    assert ended(codex.heard) == "failed incomplete degraded"


def test_3_exhaustion_is_a_failure_with_its_code(codex: App | Exec) -> None:
    codex.retries()
    codex.gives_up()
    codex.heard.edge(Exited(code=1), Unreconciled())
    assert ended(codex.heard) == "failed rate_limited degraded"


def test_4_a_matching_receipt_reconciles_once(codex: App | Exec) -> None:
    codex.says()
    codex.heard.edge(Exited(code=0), receipt(codex.native))
    assert ended(codex.heard).startswith(f'final "{TEXT}"')
    assert ended(codex.heard).endswith("degraded")
    before = list(codex.heard.events)
    again = receipt(codex.native), receipt(codex.native, outcome="failed")
    codex.heard.edge(*again, Unreconciled())
    assert codex.heard.events == before


FOREIGN = {
    "another run": {"run_id": "s.2"},
    "another session's run": {"run_id": "r.1"},
    "another thread": {"thread_id": "s/1"},
    "another native turn": {"native_turn": "00000002-0000-7000-8000-000000000001"},
    "no native turn": {"native_turn": ""},
    "another text": {"text": "The total is 70.", "text_digest": digest_of("The total is 70.")},
    "a digest that is not its text's": {"text_digest": digest_of("The total is 70.")},
}


@pytest.mark.parametrize("changes", FOREIGN.values(), ids=FOREIGN)
def test_5_a_stale_or_foreign_receipt_does_not(codex: App | Exec, changes: dict[str, str]) -> None:
    codex.says()
    codex.heard.edge(Exited(code=0))
    before = list(codex.heard.events)
    codex.heard.edge(receipt(codex.native, **changes))
    assert codex.heard.events == before
    codex.heard.edge(Unreconciled())
    assert ended(codex.heard) == "failed incomplete degraded"


def test_5_a_receipt_of_a_former_turn_settles_no_later_one() -> None:
    codex = App()
    codex.begins()
    codex.says()
    codex.completes()
    former = codex.native
    codex.begins()
    stale = receipt(former), receipt(former, run_id="s.2")
    codex.heard.edge(Exited(code=0), *stale, Unreconciled())
    assert [run[-1] for run in codex.heard.runs] == [
        f'final "{TEXT}" healthy',
        "failed incomplete degraded",
    ]


SHUTDOWNS = {
    "a clean exit": (Exited(code=0),),
    "an exit with an error": (Exited(code=1),),
    "a host that terminates": (CancelRequested(via="SIGTERM"), Exited(killed_by="SIGTERM")),
    "a kill": (Exited(killed_by="SIGKILL"),),
    "a lost owner": (Orphaned(),),
    "a late receipt": (Closed(), receipt("t1", outcome="failed")),
    "an interrupt": (CancelRequested(via="SIGINT"), Closed(), Unreconciled()),
}


@pytest.mark.parametrize("signals", SHUTDOWNS.values(), ids=SHUTDOWNS)
def test_6_shutting_down_never_overwrites_completed(
    codex: App | Exec, signals: tuple[Exited, ...]
) -> None:
    codex.says()
    codex.completes()
    (before,) = fold(codex.heard.events)
    codex.heard.edge(*signals, Unreconciled())
    (after,) = fold(codex.heard.events)
    assert after.terminal == before.terminal
    assert after.terminal is not None
    assert after.terminal.outcome == "completed"


def spawned() -> tuple[Hearing, Server, Server]:
    """A parent whose child agent is at work."""
    parent, child = Server(), Server("01a20000-0000-7000-8000-000000000002")
    parent.next_turn()
    child.next_turn()
    heard = Hearing("codex-app-server")
    heard.writes(commands.message(1, parent.thread, "Go."))
    heard.prints(parent.accepted(1), parent.begun())
    item: Line = {"type": "subAgentActivity", "id": "call_1", "agentThreadId": child.thread}
    heard.prints(parent.started({**item, "kind": "started"}), child.spawned(parent.thread))
    heard.prints(child.begun())
    return heard, parent, child


def _says(heard: Hearing, server: Server, item: str, text: str) -> None:
    said = app.message(item, text, "final_answer")
    heard.prints(server.started(said), server.completed(said))


def seen(heard: Hearing) -> RunView:
    (view,) = fold(heard.events)
    return view


def test_7_a_failed_child_leaves_its_parent_completed_and_healthy() -> None:
    heard, parent, child = spawned()
    heard.prints(child.error(app.words(EXHAUSTED), retries=False))
    heard.prints(child.ended("failed", error=app.words(EXHAUSTED)))
    _says(heard, parent, "msg_1", TEXT)
    heard.prints(parent.ended("completed"))
    view = seen(heard)
    assert heard.run[-1] == f'final "{TEXT}" healthy'
    assert view.children_outcomes == {"failed": 1}
    assert [one.health for one in view.children] == ["degraded"]


def test_7_a_failed_parent_leaves_its_child_completed() -> None:
    heard, parent, child = spawned()
    _says(heard, child, "msg_c", "Counted.")
    heard.prints(child.ended("completed"))
    heard.prints(parent.ended("failed", error=app.words(EXHAUSTED)))
    heard.edge(CancelRequested(via="SIGTERM"), Exited(killed_by="SIGTERM"), Unreconciled())
    view = seen(heard)
    assert heard.run[-1] == "failed rate_limited degraded"
    assert view.children_outcomes == {"completed": 1}
    assert [one.terminal.text for one in view.children if one.terminal] == ["Counted."]


def test_7_cleaning_up_after_a_parent_ends_only_children_that_are_open() -> None:
    heard, parent, child = spawned()
    _says(heard, parent, "msg_1", TEXT)
    heard.prints(parent.ended("completed"))
    heard.edge(Exited(code=0), Unreconciled())
    assert heard.run[-1] == f'final "{TEXT}" healthy'
    assert seen(heard).children_outcomes == {"failed": 1}
    heard.prints(child.ended("completed"))
    assert seen(heard).children_outcomes == {"failed": 1}
