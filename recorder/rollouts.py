"""Rollouts: what Codex keeps of a thread.

A rollout tells what was done and said in whole items, and how turns ended; not what was streamed,
nor which attempts were given up.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from turnreel.adapters.codex_rollout.policy import KEPT
from turnreel.cassettes import Existing, TrackSpec
from turnreel.sanitizers import OpinionName, Profile

from . import rows
from .messages import Sealed
from .project_policy import ProjectPolicy
from .rows import Form, Row

FORM: Final = Form(
    name="rollout",
    track=TrackSpec(id="rollout", carrier="host", dialect="codex-rollout"),
    agent="codex",
    kept=KEPT,
    version=lambda row: _meta(row).get("cli_version"),
    names_session=lambda row: isinstance(_meta(row).get("id"), str),
    lacks=(
        "turns: a rollout is evidence of how they ended, not their stream",
        "requests, contexts and what else the agent keeps for itself",
        "what was streamed: items are written when they are whole",
        "retries, and attempts that were given up",
    ),
    where="rollouts are under ~/.codex/sessions, one file a thread",
)

_ENDS: Final = frozenset({"item_completed", "task_complete", "turn_aborted"})


def import_rollout(
    path: Path,
    target: Path,
    *,
    profile: Profile = "strict",
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
    opinions: tuple[OpinionName, ...] = (),
) -> Sealed:
    """`rows.import_rows` of a rollout, packed or not."""
    return rows.import_rows(
        FORM, path, target, profile=profile, existing=existing, policy=policy, opinions=opinions
    )


def kept_rows(path: Path, since: float) -> Iterator[bytes]:
    """The lines of `rows.kept_rows`."""
    return map(rows.line, rows.kept_rows(FORM, path, since))


def last_rows(path: Path, since: float) -> Iterator[bytes]:
    """The lines of the rows at the rollout's end that tell how turns ended, and with what, as far
    as they were kept since then. Raises `RecorderError` for a file that cannot be read.
    """
    for row in rows.tail(FORM, path):
        event = row.get("payload")
        kind = event.get("type") if isinstance(event, dict) else None
        if row.get("type") == "event_msg" and kind in _ENDS and rows.is_since(row, since):
            yield rows.line(row)


def _meta(row: Row) -> Row:
    payload = row.get("payload")
    return payload if row.get("type") == "session_meta" and isinstance(payload, dict) else {}
