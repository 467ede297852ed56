"""Importing Codex' captures: the flat lines of a scripted Responses API, http and WebSocket."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnreel.cassettes import open_cassette
from turnreel.recorder import import_capture
from turnreel.replayer import refeed

CREATED = {"type": "response.created", "response": {"id": "resp_1"}}
COMPLETED = {"type": "response.completed", "response": {"id": "resp_1"}}
SAID = {"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": "Hi."}}


def imported(folder: Path, name: str, *lines: dict[str, Any]) -> Any:
    argv = ["codex", "exec", "--json", "Go."] if "exec" in name else ["codex", "app-server"]
    head = {"capture": name, "agent": "codex", "version": "0.171.0", "argv": argv, "exit": 0}
    source = folder / f"{name}.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in (head, *lines)))
    sealed = import_capture(source, folder / f"{name}.cassette.jsonl")
    assert sealed.path is not None
    return open_cassette(Path(sealed.path))


def provider(t_ms: float, **fields: Any) -> dict[str, Any]:
    return {"t_ms": t_ms, "dir": "provider", **fields}


def out(t_ms: float, frame: dict[str, Any]) -> dict[str, Any]:
    return {"t_ms": t_ms, "dir": "out", "text": json.dumps(frame)}


def told(cassette: Any) -> list[tuple[str, Any, int | None]]:
    return [(r.code, r.data, r.exchange) for r in cassette if r.track == "provider"]


def test_exchanges_over_http(tmp_path: Path) -> None:
    cassette = imported(
        tmp_path,
        "a_exec",
        provider(1, request={"i": 0, "method": "POST", "path": "/v1/responses"}),
        provider(2, i=0, status=500, headers={"Retry-After": "1"}, body={"error": {"type": "x"}}),
        provider(3, request={"i": 1, "method": "POST", "path": "/v1/responses"}),
        provider(4, i=1, status=200, headers=None),
        provider(5, i=1, event=CREATED),
        provider(6, i=1, event=COMPLETED),
        provider(7, i=1, end="clean"),
        provider(8, i=1, client_gone="BrokenPipeError"),
    )
    codes = [(code, n) for code, _, n in told(cassette)]
    assert codes == [
        ("request", 1), ("response", 1), ("data", 1), ("end", 1),
        ("request", 2), ("response", 2), ("data", 2), ("data", 2), ("end", 2),
    ]  # fmt: skip
    assert told(cassette)[1][1] == {
        "status": 500,
        "headers": {"content-type": "application/json", "retry-after": "1"},
    }


@pytest.mark.parametrize(
    ("ending", "by"),
    [
        ({"end": "abrupt"}, "upstream"),
        ({"end": "rst"}, "upstream"),
        ({"end": "hang"}, "client"),
        ({"client_gone": "BrokenPipeError"}, "client"),
    ],
)
def test_a_stream_that_breaks_is_cut(tmp_path: Path, ending: dict[str, str], by: str) -> None:
    cassette = imported(
        tmp_path,
        "c_exec",
        provider(1, request={"i": 0, "method": "POST", "path": "/v1/responses"}),
        provider(2, i=0, status=200),
        provider(3, i=0, event=CREATED),
        provider(4, i=0, **ending),
    )
    code, data, _ = told(cassette)[-1]
    assert (code, data["by"]) == ("cut", by)


def test_messages_of_websockets(tmp_path: Path) -> None:
    cassette = imported(
        tmp_path,
        "w_exec",
        provider(1, request={}),
        provider(2, conn=0, status=101),
        provider(3, request={"i": 0}),
        provider(4, conn=0, i=0, event=CREATED),
        provider(5, conn=0, i=0, event=COMPLETED),
        provider(6, conn=0, close=1011),
        provider(7, conn=1, status=404),
        provider(8, conn=2, status=101),
        provider(9, conn=2, abrupt=True),
    )
    assert {t.carrier for t in cassette.header.tracks if t.id == "provider"} == {"websocket"}
    records = told(cassette)
    assert [(code, n) for code, _, n in records] == [
        ("open", 1), ("receive", 1), ("receive", 1), ("close", 1),
        ("request", 2), ("response", 2), ("end", 2),
        ("open", 3), ("cut", 3),
    ]  # fmt: skip
    assert records[3][1] == {"code": 1011, "by": "upstream"}
    assert records[1][1]["type"] == "response.created"


def test_the_prompt_begins_the_run_and_the_turn_comes_out(tmp_path: Path) -> None:
    cassette = imported(
        tmp_path,
        "a_exec",
        out(1, {"type": "thread.started", "thread_id": "t"}),
        out(2, {"type": "turn.started"}),
        out(3, SAID),
        out(4, {"type": "turn.completed", "usage": {}}),
        {"t_ms": 5, "dir": "exit", "code": 0},
    )
    assert cassette.header.agent.version == "0.171.0"
    final = refeed.events(cassette)[-1]
    assert (final.terminal, getattr(final, "text", None)) == (True, "Hi.")


def test_an_app_server_is_told_by_its_name(tmp_path: Path) -> None:
    cassette = imported(tmp_path, "h2_resume_app_1", out(1, {"method": "x"}))
    assert cassette.header.tracks[0].dialect == "codex-app-server"
