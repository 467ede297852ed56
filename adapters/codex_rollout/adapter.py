"""Rows of a rollout to evidence for a completion receipt (O5).

A turn is over where a row says so; it is named by its native id, which the agent's stream has as
well. Its answer is the last message of the model, if that was not said on the way and not beside
the turn. A success without one proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from turnreel.adapters.base import AdapterInfo
from turnreel.adapters.fields import Fields, fields, items, text
from turnreel.adapters.kept import Kept, with_latest
from turnreel.lifecycle.events import Code, Outcome
from turnreel.lifecycle.observations import Receipted

from .codes import code_of

_ANSWERS: Final = frozenset({"final_answer", None})

INFO: Final = AdapterInfo(
    dialect="codex-rollout",
    agent="codex",
    carrier="host",
    tier="kept",
    proven=("0.171.0",),
    limits=("begins no turn",),
)


class Turn(msgspec.Struct, frozen=True):
    """A turn so far: the text of its last message, whether that may be the answer, and how the turn
    ended.
    """

    said: str = ""
    answers: bool = False
    outcome: Outcome | None = None
    code: Code | None = None


class State(msgspec.Struct, frozen=True):
    """The latest turns by their native ids."""

    turns: dict[str, Turn] = {}


def _known(state: State) -> Sequence[Receipted]:
    """How the turns ended that did."""
    return tuple(
        Receipted(
            turn="",
            lineage=name,
            outcome=turn.outcome,
            text=turn.said if turn.outcome == "completed" else None,
            code=turn.code,
        )
        for name, turn in state.turns.items()
        if turn.outcome is not None
    )


def _read(state: State, row: Fields) -> State:
    event = fields(row, "payload")
    name = text(event, "turn_id")
    if text(row, "type") != "event_msg" or name is None:
        return state
    turn = state.turns.get(name) or Turn()
    match text(event, "type"):
        case "item_completed":
            after = _said(turn, fields(event, "item"))
        case "task_complete" if error := fields(event, "error"):
            after = replace(turn, outcome="failed", code=code_of(error))
        case "task_complete" if turn.answers and turn.said.strip():
            after = replace(turn, outcome="completed")
        case "turn_aborted":
            after = replace(turn, outcome="interrupted")
        case _:
            return state
    return state if after == turn else State(with_latest(state.turns, name, after))


def _said(turn: Turn, item: Fields) -> Turn:
    """A message of the model is the last one; anything else that was done makes it a comment."""
    match text(item, "type"):
        case "AgentMessage" if item.get("delivery") is None:
            said = "".join(text(part, "text") or "" for part in items(item, "content"))
            return replace(turn, said=said, answers=_may_answer(item))
        case "AgentMessage" | "Reasoning" | "UserMessage":
            return turn
        case _:
            return replace(turn, answers=False)


def _may_answer(item: Fields) -> bool:
    phase = item.get("phase")
    return phase in _ANSWERS if isinstance(phase, str | None) else False


# Rows of an older form have no number.
ADAPTER: Final = Kept(INFO, State(), read=_read, known=_known, named=lambda row: None)
