"""Rows of a transcript to evidence for a completion receipt (O5).

A transcript cannot prove that a message was cut: a part that was kept is stored with the stop
reason of what came next. So only a session's very last message counts, and only if the model
stopped by itself. A row without the session's identity proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from turnreel.adapters.base import AdapterInfo
from turnreel.adapters.fields import Fields, fields, is_true, items, text
from turnreel.adapters.kept import Kept, with_latest
from turnreel.adapters.working import without
from turnreel.lifecycle.observations import Receipted

_ENDED: Final = frozenset({"end_turn", "stop_sequence"})

INFO: Final = AdapterInfo(
    dialect="claude-transcript",
    agent="claude",
    carrier="host",
    tier="kept",
    proven=("2.1.332",),
    limits=("begins and ends no turn", "does not tell a message that was cut from one that ended"),
)


class Last(msgspec.Struct, frozen=True):
    """The last message of a session: its id, its texts, and whether the model ended it."""

    message: str
    texts: tuple[str, ...] = ()
    ended: bool = False


class State(msgspec.Struct, frozen=True):
    """The last message of each session; none where something else came after it."""

    last: dict[str, Last] = {}


def _known(state: State) -> Sequence[Receipted]:
    """The answers of the sessions whose last message the model ended."""
    return tuple(
        Receipted(turn="", message=last.message, outcome="completed", text=answer)
        for last in state.last.values()
        if last.ended and (answer := "".join(last.texts)).strip()
    )


def _read(state: State, row: Fields) -> State:
    said = fields(row, "message")
    session = text(row, "sessionId")
    if row.get("type") not in ("user", "assistant") or not said or not session:
        return state
    if is_true(row, "isSidechain"):
        return state
    message = text(said, "id")
    if message is None or not _is_the_models(row, said):
        last = without(state.last, session)
        return state if last is state.last else State(last)
    before = state.last.get(session)
    texts = before.texts if before is not None and before.message == message else ()
    ended = said.get("stop_reason") in _ENDED
    return State(with_latest(state.last, session, Last(message, texts + _texts(said), ended)))


def _is_the_models(row: Fields, said: Fields) -> bool:
    return (
        row.get("type") == "assistant"
        and said.get("model") != "<synthetic>"
        and not is_true(row, "isApiErrorMessage")
        and not is_true(row, "isAbortedMidStream")
    )


def _texts(said: Fields) -> tuple[str, ...]:
    return tuple(
        found
        for block in items(said, "content")
        if text(block, "type") == "text" and (found := text(block, "text")) is not None
    )


ADAPTER: Final = Kept(INFO, State(), read=_read, known=_known, named=lambda row: text(row, "uuid"))
