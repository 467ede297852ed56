"""Reads what Claude Code prints: JSON in, the typed view of `frames` out.

Total: unknown types, subtypes and fields are ignored, a field of the wrong type counts as
absent, and a frame that lacks what its meaning needs is `Unknown`. Nothing here raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from turnreel.adapters.fields import Fields, count, fields, is_true, items, text, texts
from turnreel.lifecycle.observations import StopKind
from turnreel.wire.units import Json

from .frames import (
    Acknowledged,
    Asks,
    Assistant,
    Begun,
    Block,
    Called,
    Compacted,
    Delta,
    Denied,
    Elicits,
    FellBack,
    Halted,
    Hidden,
    Joins,
    Known,
    Lifecycle,
    NoFallback,
    OutFrame,
    Progress,
    Result,
    Retry,
    Returned,
    Started,
    Stop,
    TaskEnded,
    TaskStarted,
    Text,
    ToolResult,
    Unknown,
    User,
    Withdrawn,
    Words,
)

KNOWN: Final = Known()
"""One value for all frames that say nothing, so that reading a delta allocates nothing."""

STOPS: Final[dict[str, StopKind]] = {
    "end_turn": "ends",
    "stop_sequence": "ends",
    "tool_use": "continues",
    "max_tokens": "limited",
    "model_context_window_exceeded": "limited",
    "pause_turn": "paused",
    "refusal": "refused",
}
"""Stop reasons of the Messages API; any other word is ``unknown`` (C2)."""

SILENT: Final = frozenset(
    {
        "keep_alive", "tool_use_summary", "auth_status", "prompt_suggestion", "rate_limit_event",
        "files_persisted", "memory_recall", "transcript_mirror", "active_goal",
        "control_request_progress", "conversation_reset", "commands_changed", "plugin_install",
        "local_command_output", "elicitation_complete", "mirror_error", "session_writes_lost",
        "worker_shutting_down",
    }
)  # fmt: skip
"""Types, and subtypes of ``system``, that are known and mean nothing for a turn."""

SILENT_SYSTEM: Final = SILENT | frozenset(
    {
        "thinking_tokens", "session_state_changed", "informational", "notification",
        "compact_boundary", "hook_started", "hook_progress", "hook_response", "task_progress",
        "task_updated", "background_tasks_changed",
    }
)  # fmt: skip


def read_out(value: Fields) -> OutFrame:
    """What a JSON object printed by the agent says."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return Unknown("frame without a type")
    reader = _READERS.get(kind)
    if reader is not None:
        return reader(value)
    return KNOWN if kind in SILENT else Unknown(f"frame {kind}"[:80])


def _stream(value: Fields) -> OutFrame:
    event = value.get("event")
    if not isinstance(event, dict):
        return Unknown("stream_event without an event")
    kind = event.get("type")
    if kind == "content_block_delta":  # by far the most frequent frame
        return KNOWN
    parent = text(value, "parent_tool_use_id")
    message = text(value, "api_message_id")
    if kind == "message_start":
        begun = text(fields(event, "message"), "id") or message
        if begun is None:
            return Unknown("message_start without an id")
        return Started(parent, begun, texts(value, "user_message_uuids"))
    if kind == "message_delta":
        return Delta(parent, message, _stop(fields(event, "delta")))
    if kind == "message_stop":
        lost = fields(value, "abandoned_blocks")
        return Stop(
            parent, message, text(lost, "api_message_id"), count(lost, "from_block_index") or 0
        )
    return KNOWN


def _assistant(value: Fields) -> OutFrame:
    message = fields(value, "message")
    name = text(message, "id")
    if name is None:
        return Unknown("assistant without a message id")
    error = text(value, "error")
    failed = error is not None or is_true(value, "is_api_error_message")
    return Assistant(
        parent=text(value, "parent_tool_use_id"),
        uuid=text(value, "uuid"),
        message=name,
        blocks=tuple(b for b in map(_block, items(message, "content")) if b is not None),
        stop=_stop(message),
        runtime=failed or message.get("model") == "<synthetic>",
        failure=_words(value) if failed else None,
        aborted=is_true(value, "aborted"),
        messages=texts(value, "user_message_uuids"),
        supersedes=texts(value, "supersedes"),
    )


def _block(value: Json) -> Block | None:
    match value:
        case {"type": "text", "text": str(words)}:
            return Text(words)
        case {"type": "thinking" | "redacted_thinking"}:
            return Hidden()
        case {"type": "tool_use" | "server_tool_use" | "mcp_tool_use", "id": str(tool)}:
            return Called(tool, text(value, "name") or "", fields(value, "input"))
        case {"type": str(kind), "tool_use_id": str(tool)} if kind.endswith("_tool_result"):
            error = text(fields(value, "content"), "type") or ""
            return Returned(tool, is_true(value, "is_error") or error.endswith("_error"))
        case _:
            return None


def _user(value: Fields) -> OutFrame:
    message = fields(value, "message")
    meta = {text(entry, "id"): entry for entry in items(value, "tool_result_meta")}
    results: list[ToolResult] = []
    speech = ""
    for block in items(message, "content"):
        match block:
            case {"type": "tool_result", "tool_use_id": str(tool)}:
                results.append(_result_of(tool, block, meta.get(tool)))
            case {"type": "text", "text": str(words)}:
                speech = speech or words
    return User(
        parent=text(value, "parent_tool_use_id"),
        results=tuple(results),
        synthetic=is_true(value, "isSynthetic"),
        refused=text(value, "refused_message_id") if is_true(value, "refusal_retry") else None,
        text=speech,
    )


def _result_of(tool: str, block: Json, meta: Json) -> ToolResult:
    decision = fields(meta, "permission_decision")
    return ToolResult(
        tool,
        is_true(block, "is_error"),
        text(decision, "decision"),
        text(decision, "source"),
        text(meta, "non_execution_kind"),
    )


def _result(value: Fields) -> OutFrame:
    structured = value.get("structured_output")
    named = text(value, "result")
    return Result(
        words=_words(value),
        failed=is_true(value, "is_error") or value.get("subtype") != "success",
        text=named,
        stop=_stop(value),
        turns=count(value, "num_turns"),
        structured=None if structured is None else named or _dumped(structured),
        deferred=text(fields(value, "deferred_tool_use"), "id"),
        local=bool(value.get("local_command")),
        notified=text(fields(value, "origin"), "kind") == "task-notification",
        begun=texts(value, "begun_message_ids"),
        messages=texts(value, "user_message_uuids"),
    )


def _system(value: Fields) -> OutFrame:
    tool = text(value, "tool_use_id")
    task = text(value, "task_id") or ""
    match value.get("subtype"):
        case "init":
            return Begun(text(value, "session_id"), texts(value, "user_message_uuids"))
        case "status":
            names = texts(value, "user_message_uuids")
            return Joins(names) if names else KNOWN
        case "api_retry":
            return Retry(_words(value), count(value, "attempt"), count(value, "max_retries"))
        case "permission_denied" if tool is not None:
            return Denied(tool)
        case "model_fallback":
            return FellBack(False, ())
        case "model_refusal_fallback":
            return FellBack(True, texts(value, "retracted_message_uuids"))
        case "model_refusal_no_fallback":
            return NoFallback()
        case "informational" if is_true(value, "prevent_continuation"):
            return Halted()
        case "compact_boundary" if _trigger(value) == "manual":
            return Compacted()
        case "task_started" if tool is not None:
            agent = value.get("task_type") == "local_agent" or "subagent_type" in value
            return TaskStarted(task, tool, agent)
        case "task_notification" if tool is not None:
            summary = text(value, "summary") or ""
            return TaskEnded(task, tool, text(value, "status") or "", summary)
        case str(subtype):
            return KNOWN if subtype in SILENT_SYSTEM else Unknown(f"system {subtype}"[:80])
        case _:
            return Unknown("system without a subtype")


def _trigger(value: Fields) -> str | None:
    return text(fields(value, "compact_metadata"), "trigger")


def _progress(value: Fields) -> OutFrame:
    tool = text(value, "tool_use_id")
    retry = fields(value, "subagent_retry")
    if retry:
        child = text(value, "parent_tool_use_id") or tool
        words = Words(error=text(retry, "error_category"), status=count(retry, "error_status"))
        return Retry(words, count(retry, "attempt"), count(retry, "max_retries"), child)
    return Progress(tool) if tool is not None else KNOWN


def _lifecycle(value: Fields) -> OutFrame:
    message, state = text(value, "command_uuid"), text(value, "state")
    return Lifecycle(message, state) if message is not None and state is not None else KNOWN


def _asks(value: Fields) -> OutFrame:
    request = text(value, "request_id")
    inner = fields(value, "request")
    if request is None:
        return Unknown("control_request without an id")
    match inner.get("subtype"):
        case "can_use_tool":
            name, tool = text(inner, "tool_name") or "", text(inner, "tool_use_id")
            return Asks(request, name, tool, fields(inner, "input"))
        case "elicitation":
            return Elicits(request, "elicitation", text(inner, "message") or "")
        case "request_user_dialog":
            return Elicits(request, "question", text(inner, "dialog_kind") or "")
        case _:  # hook_callback, mcp_message: the host program is asked, not a person
            return KNOWN


def _withdrawn(value: Fields) -> OutFrame:
    request = text(value, "request_id")
    return Withdrawn(request) if request is not None else KNOWN


def _acknowledged(value: Fields) -> OutFrame:
    inner = fields(fields(value, "response"), "response")
    return Acknowledged(texts(inner, "cancelled")) if "still_queued" in inner else KNOWN


_READERS: Final[dict[str, Callable[[Fields], OutFrame]]] = {
    "stream_event": _stream,
    "assistant": _assistant,
    "user": _user,
    "result": _result,
    "system": _system,
    "tool_progress": _progress,
    "command_lifecycle": _lifecycle,
    "control_request": _asks,
    "control_cancel_request": _withdrawn,
    "control_response": _acknowledged,
}


def _words(value: Fields) -> Words:
    status = count(value, "error_status")
    return Words(
        error=text(value, "error"),
        api_error=text(value, "api_error"),
        status=count(value, "api_error_status") if status is None else status,
        reason=text(value, "terminal_reason"),
        subtype=text(value, "subtype"),
    )


def _stop(value: Fields) -> StopKind | None:
    reason = text(value, "stop_reason")
    return None if reason is None else STOPS.get(reason, "unknown")


def _dumped(value: Json) -> str:
    return msgspec.json.encode(value).decode()
