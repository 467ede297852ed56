"""Items that scripted recordings do not have: tools of MCP servers, searches, images, agents that
agents start, plans, reviews. On both streams of Codex, and sanitized.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.adapters.hearing import Hearing, Line
from turnreel.adapters import registry
from turnreel.adapters.codex_app_server import builders as app
from turnreel.adapters.codex_app_server import commands
from turnreel.adapters.codex_app_server.builders import Server
from turnreel.adapters.codex_exec.builders import Printer
from turnreel.lifecycle.signals import Exited, Message, Unreconciled
from turnreel.sanitizers import Raw, Sanitizer
from turnreel.wire.encode import encode
from turnreel.wire.units import JsonUnit, LineFraming

PRIVATE = "Quarterly ledger of Mara Lindqvist"
FOUND = "Looks good: two findings."


@pytest.fixture
def server() -> Server:
    made = Server()
    made.next_turn()
    return made


def heard(server: Server, *lines: Line) -> Hearing:
    """A turn of the app-server in which these lines are printed."""
    told = Hearing("codex-app-server").writes(commands.message(1, server.thread, "Go."))
    return told.prints(server.accepted(1), server.begun(), *lines)


def moved(server: Server, kind: str, status: str = "completed", **fields: object) -> list[Line]:
    """An item that began and completed."""
    opened = app.tool("call_1", kind, "inProgress")
    return [
        server.started(opened),
        server.completed(app.tool("call_1", kind, status, **fields)),  # type: ignore[arg-type]
    ]


CALLS: dict[str, tuple[str, dict[str, object], str]] = {
    "an MCP tool": ("mcpToolCall", {"status": "completed"}, "mcpToolCall mcp ok"),
    "an MCP tool that failed": (
        "mcpToolCall",
        {"status": "failed", "error": {"message": "gone"}},
        "mcpToolCall mcp failed",
    ),
    "an MCP tool whose answer is an error": (
        "mcpToolCall",
        {"status": "completed", "error": {"message": "gone"}},
        "mcpToolCall mcp failed",
    ),
    "a tool of the host": (
        "dynamicToolCall",
        {"status": "completed", "success": True},
        "dynamicToolCall other ok",
    ),
    "a tool of the host that did not work": (
        "dynamicToolCall",
        {"status": "completed", "success": False},
        "dynamicToolCall other failed",
    ),
    "an agent that starts": (
        "collabAgentToolCall",
        {"status": "completed"},
        "collabAgentToolCall subagent ok",
    ),
    "an agent that could not be started": (
        "collabAgentToolCall",
        {"status": "failed"},
        "collabAgentToolCall subagent failed",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_an_activity(server: Server, name: str) -> None:
    kind, fields, line = CALLS[name]
    assert heard(server, *moved(server, kind, **fields)).run == [line, "open"]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [n for n in CALLS if "host" not in n])
def test_exec_tells_the_same_calls(name: str) -> None:
    kind, fields, line = CALLS[name]
    printer = Printer()
    snake = {"mcpToolCall": "mcp_tool_call", "collabAgentToolCall": "collab_tool_call"}[kind]
    told = Hearing("codex-exec").edge(Message(via="argv"))
    told.prints(printer.thread(), printer.begun())
    told.prints(printer.started("c", snake, status="in_progress"))
    told.prints(printer.completed("c", snake, **fields))  # type: ignore[arg-type]
    assert told.run == [line.replace(kind, snake), "open"]


def test_an_mcp_tool_at_work_progresses(server: Server) -> None:
    progress: Line = {
        "method": "item/mcpToolCall/progress",
        "params": {"threadId": server.thread, "turnId": server.turn, "itemId": "call_1"},
    }
    first, last = moved(server, "mcpToolCall")
    assert heard(server, first, progress).run == ["mcpToolCall mcp progress", "open"]
    assert heard(server, first, progress, last).run == ["mcpToolCall mcp ok", "open"]


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (app.search("call_1", "totals"), "webSearch web unknown"),
        (app.image("call_1", "/srv/acme/a.png"), "imageView file_read unknown"),
    ],
    ids=["a web search", "an image"],
)
def test_what_has_no_status_ran_and_no_more_is_known(server: Server, item: Line, line: str) -> None:
    assert heard(server, server.started(item), server.completed(item)).run == [line, "open"]


def test_a_web_search_of_exec_ran_and_no_more_is_known() -> None:
    printer = Printer()
    told = Hearing("codex-exec").edge(Message(via="argv")).prints(printer.begun())
    told.prints(printer.started("c", "web_search", query="totals"))
    told.prints(printer.searched("c", "totals"))
    assert told.run == ["web_search web unknown", "open"]


# Plans


def test_steps_are_the_plan_as_it_stands(server: Server) -> None:
    told = heard(
        server,
        server.plan({"Read": "inProgress", "Sum": "pending"}),
        server.plan({"Read": "completed", "Sum": "inProgress"}),
    )
    assert told.run == ["plan Read done, Sum active", "open"]


def test_steps_of_exec_are_the_plan_as_it_stands() -> None:
    printer = Printer()
    told = Hearing("codex-exec").edge(Message(via="argv")).prints(printer.begun())
    told.prints(printer.todo("p", {"Read": False, "Sum": False}))
    told.prints(printer.todo("p", {"Read": True, "Sum": False}))
    assert told.run == ["plan Read done, Sum pending", "open"]


def test_a_proposed_plan_is_a_plan_of_one_step_and_no_answer(server: Server) -> None:
    item = app.proposal("plan_1", "1. Read\n2. Sum")
    told = heard(server, server.started(app.proposal("plan_1", "")), server.completed(item))
    assert told.run == ["plan 1. Read\n2. Sum pending", "open"]
    told.prints(server.ended("completed"))
    assert told.run[-1] == "failed missing_final degraded"


# Reviews


def reviewed(server: Server) -> list[Line]:
    entered = app.review("turn_1", "current changes", over=False)
    left = app.review("turn_1", FOUND, over=True)
    return [
        server.started(entered),
        server.completed(entered),
        *moved(server, "commandExecution"),
        server.started(app.review("turn_1", "", over=True)),
        server.completed(left),
    ]


def test_what_a_review_found_is_its_answer(server: Server) -> None:
    told = heard(server, *reviewed(server), server.ended("completed"))
    assert told.run == ["commandExecution command ok", f'final "{FOUND}" healthy']


@pytest.mark.parametrize("text", [FOUND, "I have reviewed it."], ids=["the same", "another text"])
def test_a_message_after_the_review_is_the_answer(server: Server, text: str) -> None:
    said = app.message("msg_1", text, None)
    told = heard(server, *reviewed(server), server.completed(said))
    told.prints(server.ended("completed", said))
    assert told.run[-1] == f'final "{text}" healthy'


def test_commentary_after_a_review_is_none(server: Server) -> None:
    said = app.message("msg_1", "Cleaning up.", "commentary")
    told = heard(server, *reviewed(server), server.completed(said), server.ended("completed"))
    assert told.run[-1] == f'final "{FOUND}" healthy'


def test_a_review_that_the_host_starts_begins_a_run(server: Server) -> None:
    told = Hearing("codex-app-server")
    request: Line = {"threadId": server.thread, "target": {"type": "uncommittedChanges"}}
    told.writes({"id": 1, "method": "review/start", "params": request})
    told.prints(server.accepted(1), server.begun(), *reviewed(server), server.ended("completed"))
    assert told.run[-1] == f'final "{FOUND}" healthy'


def test_a_review_whose_turn_fails_answers_nothing(server: Server) -> None:
    told = heard(server, *reviewed(server), server.ended("failed", error=app.words("other")))
    assert told.run[-1] == "failed unknown degraded"


# What of them lands (S1, S4)


def landed(dialect: str, line: Line, profile: str) -> str:
    sanitizer = Sanitizer({"agent": registry.policy(dialect)}, profile)  # type: ignore[arg-type]
    raw = Raw(0, "agent", "out", JsonUnit(line, LineFraming()))
    clean = [*sanitizer.push(raw), *sanitizer.flush()]
    assert not sanitizer.report().unlisted, "a field that no policy line speaks of"
    return "".join(encode(c.body).decode() for c in clean if not isinstance(c.body, dict))


HIDDEN: dict[str, tuple[str, Callable[[Server], Line]]] = {
    "mcpToolCall": (
        "codex-app-server",
        lambda s: s.completed(
            app.tool(
                "c", "mcpToolCall", "failed",
                arguments={"q": PRIVATE}, result={"content": [PRIVATE]},
                error={"message": PRIVATE},
            )
        ),
    ),
    "dynamicToolCall": (
        "codex-app-server",
        lambda s: s.completed(
            app.tool("c", "dynamicToolCall", "completed", arguments=PRIVATE, contentItems=[PRIVATE])
        ),
    ),
    "collabAgentToolCall": (
        "codex-app-server",
        lambda s: s.completed(
            app.tool(
                "c", "collabAgentToolCall", "completed", prompt=PRIVATE,
                agentsStates={s.thread: {"status": "running", "message": PRIVATE}},
            )
        ),
    ),
    "webSearch": ("codex-app-server", lambda s: s.completed(app.search("c", PRIVATE))),
    "imageView": ("codex-app-server", lambda s: s.completed(app.image("c", f"/home/m/{PRIVATE}"))),
    "enteredReviewMode": (
        "codex-app-server",
        lambda s: s.completed(app.review("c", PRIVATE, over=False)),
    ),
    "mcp_tool_call": (
        "codex-exec",
        lambda s: Printer().completed(
            "c", "mcp_tool_call", status="failed", arguments={"q": PRIVATE},
            result={"content": [PRIVATE]}, error={"message": PRIVATE},
        ),
    ),
    "collab_tool_call": (
        "codex-exec",
        lambda s: Printer().completed(
            "c", "collab_tool_call", status="completed", prompt=PRIVATE,
            agents_states={s.thread: {"status": "running", "message": PRIVATE}},
        ),
    ),
    "web_search": ("codex-exec", lambda s: Printer().searched("c", PRIVATE)),
}  # fmt: skip


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("kind", HIDDEN)
def test_what_tools_were_told_and_answered_never_lands(
    server: Server, kind: str, profile: str
) -> None:
    dialect, make = HIDDEN[kind]
    line = landed(dialect, make(server), profile)
    assert PRIVATE not in line
    assert "Mara" not in line
    assert f'"{kind}"' in line


@pytest.mark.parametrize(
    "make",
    [
        lambda s: s.completed(app.proposal("c", FOUND)),
        lambda s: s.completed(app.review("c", FOUND, over=True)),
        lambda s: s.plan({FOUND: "pending"}),
    ],
    ids=["a proposal", "a review", "steps"],
)
def test_plans_and_reviews_are_visible_text(server: Server, make: Callable[[Server], Line]) -> None:
    assert FOUND in landed("codex-app-server", make(server), "fixture")


def test_an_end_without_a_terminal_leaves_what_ran_unknown(server: Server) -> None:
    first, _ = moved(server, "mcpToolCall")
    told = heard(server, first).edge(Exited(code=0), Unreconciled())
    assert told.run == ["mcpToolCall mcp unknown", "failed incomplete degraded"]
