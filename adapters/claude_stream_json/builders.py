"""Whole native frames as Claude Code prints them, for scripts, faults and tests.

A `Printer` is one session of the CLI: its frames get the session's id and fresh uuids in order,
so that the same calls give the same frames. Frames of a child agent take the id of the tool call
that started it as `parent`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from turnreel.adapters.anthropic_messages import builders as provider
from turnreel.adapters.steps import Block
from turnreel.wire.units import Json

Line = dict[str, Json]

VERSION: Final = "2.1.332"
AGENT: Final = "general-purpose"
NOW: Final = "2000-01-01T00:00:00.000Z"
INIT_FIELDS: Final[Line] = {
    "cwd": "/srv/acme",
    "tools": [],
    "mcp_servers": [],
    "model": provider.MODEL,
    "permissionMode": "default",
    "slash_commands": [],
    "apiKeySource": "none",
    "claude_code_version": VERSION,
    "output_style": "default",
    "agents": [],
    "skills": [],
    "plugins": [],
    "capabilities": [],
    "analytics_disabled": True,
    "product_feedback_disabled": True,
    "memory_paths": {"auto": "/srv/acme"},
    "fast_mode_state": "off",
}
"""What the first frame of a turn holds beside its type and ids."""
RESULT_FIELDS: Final[Line] = {
    "duration_ms": 1,
    "duration_api_ms": 1,
    "total_cost_usd": 0,
    "usage": {
        "input_tokens": 1,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 1,
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
        "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
        "inference_geo": "",
        "iterations": [],
        "speed": "standard",
    },
    "modelUsage": {},
    "permission_denials": [],
    "fast_mode_state": "off",
}
"""What a result counts."""
NOTIFIED: Final[Line] = {
    "kind": "task-notification",
    "producer": "session-task",
    "runId": "scripted",
}
"""``origin`` of the result of a turn that background work caused."""
RETRY_WORDS: Final[dict[int | None, str]] = {
    401: "authentication_failed",
    404: "model_not_found",
    429: "rate_limit",
    500: "server_error",
    529: "overloaded",
}
"""``error`` of a retry by status; any other status, and a lost connection, is ``unknown``."""


class Printer:
    """Builds the frames of one session, in the order they are printed."""

    def __init__(self, session: str = "5e550000-0000-4000-8000-000000000001") -> None:
        self.session = session
        self._frames = 0

    def init(self, *prompts: str) -> Line:
        """A turn begins, for the user messages with these uuids."""
        return self._frame("system", {"subtype": "init", **INIT_FIELDS}, prompts)

    def requesting(self, *prompts: str) -> Line:
        """The model is asked."""
        return self._frame("system", {"subtype": "status", "status": "requesting"}, prompts)

    def system(self, subtype: str, fields: Mapping[str, Json]) -> Line:
        """Any other ``system`` frame."""
        return self._frame("system", {"subtype": subtype, **fields})

    def event(self, message: str, event: Line, parent: str | None = None) -> Line:
        """A provider's event, passed on (``--include-partial-messages``)."""
        fields: Line = {"event": event, "parent_tool_use_id": parent, "api_message_id": message}
        if event.get("type") == "message_start":
            fields["ttft_ms"] = 1
        return self._frame("stream_event", fields)

    def stop_abandoned(self, message: str, from_block: int) -> Line:
        """The runtime closes a message that was cut: void from `from_block` on."""
        lost: Line = {"api_message_id": message, "from_block_index": from_block}
        return {**self.event(message, provider.message_stop()), "abandoned_blocks": lost}

    def block(self, message: str, block: Block, parent: str | None = None) -> Line:
        """A completed block of a message; its stop reason is not known yet."""
        return self.assistant(message, [provider.whole_block(block)], {}, parent)

    def aborted(self, message: str, block: Block) -> Line:
        """A block that the host's cancel cut."""
        return self.assistant(message, [provider.whole_block(block)], {"aborted": True})

    def assistant(
        self,
        message: str,
        content: list[Json],
        fields: Mapping[str, Json],
        parent: str | None = None,
    ) -> Line:
        """An ``assistant`` frame; `fields` stand beside the message."""
        shell = {**provider.whole_message(message, ()), "content": content, "stop_reason": None}
        shell["context_management"] = None
        told: Line = {"message": shell, "parent_tool_use_id": parent, "timestamp": NOW}
        return self._frame("assistant", {**told, **fields})

    def failure(self, error: str, status: int | None) -> Line:
        """The runtime's own error text where an answer stands."""
        shell: Line = {
            **provider.whole_message(f"synthetic-{self._frames}", ()),
            "model": "<synthetic>",
            "content": [{"type": "text", "text": "API Error: scripted"}],
            "stop_reason": "stop_sequence",
            "context_management": None,
        }
        fields: Line = {"message": shell, "parent_tool_use_id": None, "timestamp": NOW}
        fields["error"] = error
        if status is not None:
            fields["api_error_status"] = status
        return self._frame("assistant", {**fields, "is_api_error_message": True})

    def returned(
        self,
        tool: str,
        text: str,
        outcome: Literal["ok", "failed", "declined", "unanswered", "interrupted"] = "ok",
        parent: str | None = None,
    ) -> Line:
        """A tool's result, with the permission decision beside it."""
        result: Line = {"type": "tool_result", "tool_use_id": tool, "content": text}
        meta: Line = {"id": tool}
        if outcome != "ok":
            result["is_error"] = True
        match outcome:
            case "declined":
                meta["permission_decision"] = {"decision": "reject", "source": "user_reject"}
            case "unanswered":
                pass
            case "interrupted":
                meta["non_execution_kind"] = "user-rejected"
            case _:
                meta["permission_decision"] = {"decision": "accept", "source": "config"}
        fields: Line = {
            "message": {"role": "user", "content": [result]},
            "parent_tool_use_id": parent,
            "timestamp": NOW,
            "tool_result_meta": [meta],
        }
        return self._frame("user", fields)

    def told(self, text: str, **fields: Json) -> Line:
        """The runtime speaks to the model."""
        content: list[Json] = [{"type": "text", "text": text}]
        shell: Line = {"role": "user", "content": content}
        return self._frame(
            "user",
            {
                "message": shell,
                "parent_tool_use_id": None,
                "isSynthetic": True,
                "timestamp": NOW,
                **fields,
            },
        )

    def repeated(self, prompt: str, message: str) -> Line:
        """The host's message with this uuid, taken in and told back."""
        shell: Line = {"role": "user", "content": prompt}
        told: Line = {"message": shell, "parent_tool_use_id": None, "timestamp": NOW}
        return {**self._frame("user", {**told, "isReplay": True}), "uuid": message}

    def task_started(self, task: str, tool: str, *, background: bool) -> Line:
        """A child agent begins to work for this tool call."""
        fields: Line = {
            "task_id": task,
            "tool_use_id": tool,
            "description": "scripted",
            "subagent_type": AGENT,
            "is_backgrounded": background,
            "spawn_depth": 1,
            "task_type": "local_agent",
            "prompt": "Go.",
        }
        return self.system("task_started", fields)

    def task_ended(self, task: str, tool: str, status: str, summary: str) -> Line:
        """A child agent ended; the summary is its report."""
        fields: Line = {
            "task_id": task,
            "tool_use_id": tool,
            "status": status,
            "output_file": "/srv/acme/scripted.output",
            "summary": summary,
            "usage": {"total_tokens": 1, "tool_uses": 0, "duration_ms": 1},
        }
        return self.system("task_notification", fields)

    def retry(self, attempt: int, status: int | None) -> Line:
        """The runtime will ask again after an error status, or a lost connection."""
        fields: Line = {
            "attempt": attempt,
            "max_retries": 10,
            "retry_delay_ms": 500,
            "error_status": status,
            "error": RETRY_WORDS.get(status, "unknown"),
        }
        return self.system("api_retry", fields)

    def asks(self, request: str, name: str, tool: str, arguments: Mapping[str, Json]) -> Line:
        """The person is asked before a tool runs."""
        inner: Line = {
            "subtype": "can_use_tool",
            "tool_name": name,
            "display_name": name,
            "input": dict(arguments),
            "tool_use_id": tool,
        }
        return {"type": "control_request", "request_id": request, "request": inner}

    def withdraws(self, request: str) -> Line:
        """The agent takes its question back."""
        return {"type": "control_cancel_request", "request_id": request}

    def acknowledges(self, request: str, cancelled: tuple[str, ...] = ()) -> Line:
        """An interrupt was taken in; `cancelled` are the uuids of messages that waited."""
        inner: Line = {"still_queued": [], "cancelled": list[Json](cancelled)}
        response: Line = {"subtype": "success", "request_id": request, "response": inner}
        return {"type": "control_response", "response": response}

    def queue(self, message: str, state: str) -> Line:
        """A user message with this uuid moved through the agent's queue."""
        return self._frame("command_lifecycle", {"command_uuid": message, "state": state})

    def result(self, text: str, **fields: Json) -> Line:
        """The turn succeeded; `text` repeats the end of the answer."""
        told: Line = {
            "subtype": "success",
            "is_error": False,
            "num_turns": 1,
            "result": text,
            "stop_reason": "end_turn",
            "terminal_reason": "completed",
        }
        return self._frame("result", {**told, **RESULT_FIELDS, **fields})

    def refused(self, status: int) -> Line:
        """The turn failed on an error status; the sentence stands where the answer would."""
        told: Line = {"is_error": True, "terminal_reason": "api_error", "api_error_status": status}
        return self.result("API Error: scripted", **told)

    def error(self, subtype: str, **fields: Json) -> Line:
        """The turn failed, was interrupted, or hit a limit."""
        told: Line = {"subtype": subtype, "is_error": True, "num_turns": 1, "errors": ["scripted"]}
        shell: Line = {**told, "stop_reason": None, **RESULT_FIELDS}
        return self._frame("result", {**shell, **fields})

    def _frame(self, kind: str, fields: Mapping[str, Json], prompts: tuple[str, ...] = ()) -> Line:
        self._frames += 1
        line: Line = {"type": kind, **fields, "session_id": self.session}
        if prompts:
            line["user_message_uuids"] = list[Json](prompts)
        return {**line, "uuid": f"{self.session[:8]}-0000-4000-8000-{self._frames:012d}"}
