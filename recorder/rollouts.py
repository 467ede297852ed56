"""Rollouts: what Codex keeps of a thread.

A rollout tells what was done and said in whole items, and how turns ended; not what was streamed,
nor which attempts were given up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from turnreel.adapters.codex_rollout.policy import KEPT
from turnreel.cassettes import TrackSpec

from .rows import Form, Row, import_rows

_ENDS: Final = frozenset({"item_completed", "task_complete", "turn_aborted"})


def _meta(row: Row) -> Row:
    payload = row.get("payload")
    return payload if row.get("type") == "session_meta" and isinstance(payload, dict) else {}


def _ending(rows: Iterator[Row]) -> Iterator[Row]:
    """The rows that tell how turns ended, and with what."""
    for row in rows:
        event = row.get("payload")
        kind = event.get("type") if isinstance(event, dict) else None
        if row.get("type") == "event_msg" and kind in _ENDS:
            yield row


FORM: Final = Form(
    name="rollout",
    track=TrackSpec(id="rollout", carrier="host", dialect="codex-rollout"),
    agent="codex",
    kept=KEPT,
    version=lambda row: _meta(row).get("cli_version"),
    names_session=lambda row: isinstance(_meta(row).get("id"), str),
    ending=_ending,
    lacks=(
        "turns: a rollout is evidence of how they ended, not their stream",
        "requests, contexts and what else the agent keeps for itself",
        "what was streamed: items are written when they are whole",
        "retries, and attempts that were given up",
    ),
    where="rollouts are under ~/.codex/sessions, one file a thread",
)

import_rollout: Final = partial(import_rows, FORM)
"""`rows.import_rows` of a rollout."""
