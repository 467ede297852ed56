"""Reads what the app-server prints: JSON in, the typed view of `frames` out.

Total: unknown methods, items and fields are ignored, a field of the wrong type counts as absent,
and a frame that lacks what its meaning needs is `Unknown`. Nothing here raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.adapters.codex_items import ITEMS, PLAN_STATES, state_of
from turnreel.adapters.codex_literals import FALLBACK
from turnreel.adapters.fields import Fields, count, fields, is_true, items, text, texts
from turnreel.lifecycle.events import PlanItem
from turnreel.lifecycle.observations import Role
from turnreel.wire.units import Json

from . import asking
from .frames import (
    Answered,
    AnyItem,
    Child,
    Compaction,
    Error,
    Fallback,
    ItemMoved,
    Known,
    Message,
    Other,
    OutFrame,
    Piece,
    Progress,
    Prompt,
    Proposal,
    Reply,
    Review,
    Settled,
    Steps,
    Thinking,
    ThreadKnown,
    Tool,
    TurnEnded,
    TurnStarted,
    Unknown,
    Words,
)

KNOWN: Final = Known()
"""One value for all frames that say nothing."""

ROLES: Final[dict[str | None, Role]] = {
    "commentary": "commentary",
    "final_answer": "answer",
    "partial_answer": "partial_answer",
}
"""``phase`` of a message; none, or a word nobody knows, says nothing (C1)."""

ASYNC: Final = "async"
"""``delivery`` of a message that stands beside the turn: a notice or a question, never an answer
in spite of its phase.
"""

SILENT: Final = frozenset(
    {
        "thread/status/changed", "thread/readState/changed", "thread/archived", "thread/deleted",
        "thread/unarchived", "thread/closed", "thread/reverted", "skills/changed",
        "thread/name/updated", "thread/section/changed", "thread/attachment/updated",
        "thread/goal/updated", "thread/prediction/updated", "thread/goal/cleared",
        "thread/queue/changed", "project/changed", "thread/project/updated",
        "thread/environment/connected", "thread/environment/disconnected",
        "thread/settings/updated", "hook/started", "hook/completed", "turn/diff/updated",
        "item/autoApprovalReview/started", "item/autoApprovalReview/completed",
        "autoApprovalReview/strictReviewRequired", "item/plan/delta", "command/exec/outputDelta",
        "process/outputDelta", "thread/search/partial", "process/exited",
        "item/commandExecution/outputDelta", "item/commandExecution/terminalInteraction",
        "item/fileChange/outputDelta", "item/fileChange/patchUpdated",
        "mcpServer/oauthLogin/completed", "mcpServer/startupStatus/updated",
        "mcpServer/event/stream/notification", "account/updated",
        "account/gatewayOAuth/changed", "account/rateLimits/updated", "app/list/updated",
        "remoteControl/status/changed", "externalAgentConfig/import/progress",
        "externalAgentConfig/import/completed", "fs/changed",
        "item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded",
        "item/reasoning/textDelta", "thread/compacted", "model/verification",
        "modelProvider/authRecoveryStarted", "modelProvider/authRecoveryCompleted",
        "turn/moderationMetadata", "model/safetyBuffering/updated", "guardianWarning",
        "deprecationNotice", "configWarning", "rawResponseItem/completed",
        "rawResponse/completed", "account/login/completed", "windows/worldWritableWarning",
        "windowsSandbox/setupCompleted", "item/tool/call", "account/chatgptAuthTokens/refresh",
        "attestation/generate",
    }
)  # fmt: skip
"""Methods that are known and mean nothing for a turn."""


def key(value: Json) -> str | None:
    """A JSON-RPC id as a key; numbers and strings never meet. None for what is no id."""
    match value:
        case bool():
            return None
        case str():
            return f"s{value}"
        case int():
            return f"i{value}"
        case _:
            return None


def read_out(value: Fields) -> OutFrame:
    """What a JSON object printed by the agent says."""
    method = value.get("method")
    if not isinstance(method, str):
        return _reply(value)
    params = fields(value, "params")
    if (request := key(value.get("id"))) is not None and method in asking.READERS:
        return asking.READERS[method](request, params) or Unknown(f"{method} without a thread")
    reader = _READERS.get(method)
    if reader is not None:
        return reader(params) or Unknown(f"{method} without its ids")
    return KNOWN if method in SILENT else Unknown(f"method {method}"[:80])


def words(value: Json) -> Words:
    """The ``error`` of a notification or of a turn."""
    if not isinstance(value, dict):
        return Words()
    sentence, details = text(value, "message") or "", text(value, "additionalDetails") or ""
    if (info := text(value, "codexErrorInfo")) is not None:
        return Words(info, None, sentence, details)
    for word, inner in fields(value, "codexErrorInfo").items():
        return Words(word, count(inner, "httpStatusCode"), sentence, details)
    return Words(None, None, sentence, details)


def item(value: Json) -> AnyItem | None:
    """A thread item; None where it has no type or id."""
    kind, name = text(value, "type"), text(value, "id")
    if kind is None or name is None:
        return None
    match kind:
        case "agentMessage":
            return _message(value, name)
        case "reasoning":
            return Thinking(name)
        case "subAgentActivity":
            thread, moved = text(value, "agentThreadId"), text(value, "kind")
            return Child(thread, moved) if thread and moved else Other()
        case "contextCompaction":
            return Compaction()
        case "userMessage":
            return Prompt()
        case "plan":
            return Proposal(text(value, "text") or "")
        case "exitedReviewMode":
            return Review(text(value, "review") or "")
        case _ if kind in ITEMS:
            ran = count(value, "exitCode") is not None
            state = state_of(value)
            children = texts(value, "receiverThreadIds")
            return Tool(name, kind, ITEMS[kind], state, ran, children)
        case _:
            return Other()


def _message(value: Json, name: str) -> Message:
    said = text(value, "text") or ""
    if text(value, "delivery") != ASYNC:
        return Message(name, said, ROLES.get(text(value, "phase"), "unclear"))
    prompt, options = asking.questions(items(value, "questions"), "title")
    return Message(name, said, "commentary", prompt, options)


def _reply(value: Fields) -> OutFrame:
    request = key(value.get("id"))
    if request is None or not ("result" in value or "error" in value):
        return Unknown("frame without a method")
    turn = text(fields(fields(value, "result"), "turn"), "id")
    return Reply(request, turn, refused="error" in value)


def _thread(params: Fields) -> OutFrame | None:
    thread = fields(params, "thread")
    name = text(thread, "id")
    spawn = fields(fields(fields(thread, "source"), "subAgent"), "thread_spawn")
    parent = text(thread, "parentThreadId") or text(spawn, "parent_thread_id")
    return ThreadKnown(name, parent) if name is not None else None


def _turn_started(params: Fields) -> OutFrame | None:
    turn = fields(params, "turn")
    thread, name = text(params, "threadId"), text(turn, "id")
    if not thread or not name:
        return None
    return TurnStarted(thread, name, text(turn, "rootTurnId") or name)


def _turn_completed(params: Fields) -> OutFrame | None:
    turn = fields(params, "turn")
    thread, name, status = text(params, "threadId"), text(turn, "id"), text(turn, "status")
    if not thread or not name or status is None:
        return None
    error = turn.get("error")
    named = None
    if text(turn, "itemsView") != "notLoaded":
        messages = [m for i in items(turn, "items") if isinstance(m := item(i), Message)]
        named = messages[-1] if messages else None
    return TurnEnded(thread, name, status, words(error) if error is not None else None, named)


def _moved(done: bool) -> Callable[[Fields], OutFrame | None]:
    def read(params: Fields) -> OutFrame | None:
        thread, turn = text(params, "threadId"), text(params, "turnId")
        found = item(params.get("item"))
        return ItemMoved(thread, turn, done, found) if thread and turn and found else None

    return read


def _piece(params: Fields) -> OutFrame | None:
    thread, turn = text(params, "threadId"), text(params, "turnId")
    name, delta = text(params, "itemId"), text(params, "delta")
    if not thread or not turn or not name or delta is None:
        return None
    return Piece(thread, turn, name, delta)


def _progress(params: Fields) -> OutFrame | None:
    thread, turn, name = text(params, "threadId"), text(params, "turnId"), text(params, "itemId")
    return Progress(thread, turn, name) if thread and turn and name else None


def _usage(params: Fields) -> OutFrame | None:
    thread, turn = text(params, "threadId"), text(params, "turnId")
    return Answered(thread, turn) if thread and turn else None


def _error(params: Fields) -> OutFrame | None:
    thread, turn = text(params, "threadId"), text(params, "turnId")
    if not thread or not turn:
        return None
    return Error(thread, turn, words(params.get("error")), is_true(params, "willRetry"))


def _steps(params: Fields) -> OutFrame | None:
    thread, turn = text(params, "threadId"), text(params, "turnId")
    plan = tuple(
        PlanItem(step, PLAN_STATES[status])
        for one in items(params, "plan")
        if (step := text(one, "step")) and (status := text(one, "status")) in PLAN_STATES
    )
    return Steps(thread, turn, plan) if thread and turn else None


def _warning(params: Fields) -> OutFrame | None:
    thread = text(params, "threadId")
    if thread is None or not (text(params, "message") or "").startswith(FALLBACK):
        return KNOWN
    return Fallback(thread, None, by_policy=False)


def _rerouted(params: Fields) -> OutFrame | None:
    thread, turn = text(params, "threadId"), text(params, "turnId")
    return Fallback(thread, turn, by_policy=True) if thread and turn else None


def _settled(params: Fields) -> OutFrame | None:
    request = key(params.get("requestId"))
    return Settled(request) if request is not None else None


_READERS: Final[dict[str, Callable[[Fields], OutFrame | None]]] = {
    "thread/started": _thread,
    "turn/started": _turn_started,
    "turn/completed": _turn_completed,
    "item/started": _moved(done=False),
    "item/completed": _moved(done=True),
    "item/agentMessage/delta": _piece,
    "item/mcpToolCall/progress": _progress,
    "thread/tokenUsage/updated": _usage,
    "error": _error,
    "turn/plan/updated": _steps,
    "warning": _warning,
    "model/rerouted": _rerouted,
    "serverRequest/resolved": _settled,
}

METHODS: Final = SILENT.union(_READERS)
"""All methods the app-server is known to print, but for its requests to the host (`asking`)."""
