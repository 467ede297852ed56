"""The typed view of ``codex exec --json`` and its reading: what the adapter reads, and no more.

Total: unknown types and fields are ignored, a field of the wrong type counts as absent, and a
frame that lacks what its meaning needs is `Unknown`. Nothing here raises.
"""

from __future__ import annotations

from typing import Final

import msgspec

from turnreel.adapters.codex_items import EXEC_ITEMS, state_of
from turnreel.adapters.codex_literals import FALLBACK
from turnreel.adapters.fields import Fields, fields, is_true, items, text
from turnreel.lifecycle.events import ActivityKind, ActivityState, PlanItem
from turnreel.wire.units import Json


class ThreadStarted(msgspec.Struct, frozen=True):
    """``thread.started``: ``thread_id``, by which provider requests name the thread too."""

    thread: str


class TurnStarted(msgspec.Struct, frozen=True):
    """``turn.started``."""


class Said(msgspec.Struct, frozen=True):
    """``item.completed`` of an ``agent_message``: its text, whole. Of what phase it is nobody
    says.
    """

    id: str
    text: str


class Thought(msgspec.Struct, frozen=True):
    """``item.completed`` of a ``reasoning`` (C4)."""

    id: str


class ToolStarted(msgspec.Struct, frozen=True):
    """``item.started`` of an item that is an activity."""

    id: str
    name: str
    kind: ActivityKind


class ToolEnded(msgspec.Struct, frozen=True):
    """``item.completed`` of an item that is an activity."""

    id: str
    state: ActivityState


class Steps(msgspec.Struct, frozen=True):
    """A ``todo_list``: the plan as it stands."""

    items: tuple[PlanItem, ...]


class Fallback(msgspec.Struct, frozen=True):
    """An ``error`` item, or message, that the run goes on over another transport."""


class Error(msgspec.Struct, frozen=True):
    """``error``: whether it is final only its sentence tells."""

    sentence: str


class Completed(msgspec.Struct, frozen=True):
    """``turn.completed``."""


class Failed(msgspec.Struct, frozen=True):
    """``turn.failed``: ``error.message``."""

    sentence: str


class Known(msgspec.Struct, frozen=True):
    """A frame that says nothing of a turn."""


class Unknown(msgspec.Struct, frozen=True):
    """A frame nobody described."""

    what: str


OutFrame = (
    ThreadStarted
    | TurnStarted
    | Said
    | Thought
    | ToolStarted
    | ToolEnded
    | Steps
    | Fallback
    | Error
    | Completed
    | Failed
    | Known
    | Unknown
)

KNOWN: Final = Known()


def read(value: Fields) -> OutFrame:
    """What a JSON object printed by the agent says."""
    match value.get("type"):
        case "turn.started":
            return TurnStarted()
        case "item.started":
            return _item(fields(value, "item"), done=False)
        case "item.completed":
            return _item(fields(value, "item"), done=True)
        case "item.updated":
            return _updated(fields(value, "item"))
        case "error":
            return Error(text(value, "message") or "")
        case "turn.completed":
            return Completed()
        case "turn.failed":
            return Failed(text(fields(value, "error"), "message") or "")
        case "thread.started":
            thread = text(value, "thread_id")
            return ThreadStarted(thread) if thread else KNOWN
        case str(kind):
            return Unknown(f"frame {kind}"[:80])
        case _:
            return Unknown("frame without a type")


def _item(item: Fields, done: bool) -> OutFrame:
    kind, name = text(item, "type"), text(item, "id")
    if kind is None or name is None:
        return Unknown("item without a type or an id")
    match kind:
        case "agent_message":
            return Said(name, text(item, "text") or "") if done else KNOWN
        case "reasoning":
            return Thought(name) if done else KNOWN
        case "todo_list":
            return _steps(item)
        case "error":
            found = (text(item, "message") or "").startswith(FALLBACK)
            return Fallback() if found and done else KNOWN
        case _ if kind in EXEC_ITEMS and done:
            return ToolEnded(name, state_of(item))
        case _ if kind in EXEC_ITEMS:
            return ToolStarted(name, kind, EXEC_ITEMS[kind])
        case _:
            return Unknown(f"item {kind}"[:80])


def _updated(item: Fields) -> OutFrame:
    return _steps(item) if text(item, "type") == "todo_list" else KNOWN


def _steps(item: Json) -> Steps:
    """Steps are done or not; which one is at work the stream does not tell."""
    return Steps(
        tuple(
            PlanItem(step, "done" if is_true(one, "completed") else "pending")
            for one in items(item, "items")
            if (step := text(one, "text"))
        )
    )
