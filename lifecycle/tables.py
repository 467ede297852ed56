"""The lifecycle's rules as tables. The code looks moves up here, and the documentation's diagrams
and tables are generated from here (`docs/turn-protocol.md`).

Rules of this file

- A *machine* is a mapping (phase, cause) -> phase. A pair that is not listed is no move: the
  machine stays where it is, and what came is dropped and counted.
- The four machines know nothing of each other. What happens to one of them means something for
  another only where a row of `COUPLING` says so: no code names such a cause itself.
- What a terminal is called, scores and says stands in the tables of outcomes and codes; no adapter
  decides it.

Theory of operation

An adapter's observation is a cause for one machine; what follows for the others is applied in the
same step. A run takes its terminal from a native end, or, when its stream ended without one, by
settling: the edge brings a receipt or says that there is none (T4). Whatever is still open is
closed before the terminal event (T9), and the run's machine has no move out of ``ended``: that is
the latch (T1, T2).
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from .events import Code, GateKind, Outcome, Resolution

RunPhase = Literal["open", "settling", "ended"]
RunCause = Literal[
    "closed", "reopened", "ended", "refused", "parked", "receipt", "unreconciled", "orphaned"
]

RUN: Final[dict[tuple[RunPhase, RunCause], RunPhase]] = {
    ("open", "closed"): "settling",
    ("open", "ended"): "ended",
    ("open", "refused"): "ended",
    ("open", "parked"): "ended",
    ("open", "orphaned"): "ended",
    ("settling", "reopened"): "open",
    ("settling", "ended"): "ended",
    ("settling", "refused"): "ended",
    ("settling", "parked"): "ended",
    ("settling", "receipt"): "ended",
    ("settling", "unreconciled"): "ended",
    ("settling", "orphaned"): "ended",
}
"""E2, T1-T4, O1, O5."""

MessagePhase = Literal["pending", "segment", "showing", "told", "answer", "void"]
MessageCause = Literal[
    "shown", "finished", "called", "superseded", "continued", "rejected", "kept", "emptied",
    "retracted", "answered", "cut_off",
]  # fmt: skip

MESSAGE: Final[dict[tuple[MessagePhase, MessageCause], MessagePhase]] = {
    ("pending", "shown"): "showing",  # native evidence says commentary while it streams (C1)
    ("pending", "called"): "told",  # an activity started in or after it (C1)
    ("pending", "superseded"): "told",  # a later answer-eligible message replaced it (C1)
    ("pending", "continued"): "segment",  # a limit cut it and the run went on (C6)
    ("pending", "rejected"): "void",  # refused, a notice, a marked answer of a broken attempt
    ("pending", "kept"): "segment",  # the runtime kept it and asked to continue (C6)
    ("pending", "emptied"): "void",  # abandoned before anything of it was complete (R8)
    ("pending", "retracted"): "void",
    ("pending", "answered"): "answer",  # C2
    ("pending", "cut_off"): "void",  # unclassified at the terminal: dropped and counted (C3)
    ("segment", "called"): "told",  # a segment after which an activity starts is none (C6)
    ("segment", "rejected"): "void",
    ("segment", "emptied"): "void",
    ("segment", "retracted"): "void",
    ("segment", "answered"): "answer",
    ("segment", "cut_off"): "void",
    ("showing", "finished"): "told",
    ("showing", "called"): "told",
    ("showing", "superseded"): "told",
    ("showing", "cut_off"): "told",  # closed with the text so far (C7)
    ("showing", "rejected"): "void",  # retracted for readers (C7)
    ("showing", "emptied"): "void",
    ("showing", "retracted"): "void",
    ("told", "retracted"): "void",
}
"""C1-C3, C6, C7, R8."""

ActivityPhase = Literal["started", "ok", "failed", "declined", "cancelled", "unknown"]
ActivityCause = Literal["progress", "ok", "failed", "declined", "cancelled", "unknown"]

ACTIVITY: Final[dict[tuple[ActivityPhase, ActivityCause], ActivityPhase]] = {
    ("started", "progress"): "started",
    ("started", "ok"): "ok",
    ("started", "failed"): "failed",
    ("started", "declined"): "declined",
    ("started", "cancelled"): "cancelled",
    ("started", "unknown"): "unknown",
    ("unknown", "ok"): "ok",  # a later typed record settles it, once (T10)
    ("unknown", "failed"): "failed",
    ("unknown", "declined"): "declined",
    ("unknown", "cancelled"): "cancelled",
}
"""T9, T10."""

GatePhase = Literal["open", "approved", "declined", "answered", "withdrawn", "expired", "parked"]

GATE: Final[dict[tuple[GatePhase, Resolution], GatePhase]] = {
    ("open", "approved"): "approved",
    ("open", "declined"): "declined",
    ("open", "answered"): "answered",
    ("open", "withdrawn"): "withdrawn",
    ("open", "expired"): "expired",
    ("open", "parked"): "parked",
}
"""G5, G7, T9: a gate closes once."""

ANSWERS: Final[dict[GateKind, frozenset[Resolution]]] = {
    "approval": frozenset({"approved", "declined"}),
    "question": frozenset({"answered", "declined"}),
    "elicitation": frozenset({"answered", "declined"}),
}
"""G7: how a person answers each kind; any other answer is none."""

BY_OTHERS: Final[frozenset[Resolution]] = frozenset({"withdrawn", "expired", "parked"})
"""Resolutions that no person gave."""

Coupled = Literal[
    "activity started",
    "later message said",
    "later message said after a limit",
    "later message said after a refusal",
    "activity closed behind an open gate",
    "activity closed behind an open gate while cancelling",
    "activity failed behind a refused gate",
    "activity failed while cancelling",
    "run ends with its answer",
    "run ends beside partial answers",
    "run ends asking",
    "run ends cancelled",
    "run ends otherwise",
]


class Effect(NamedTuple):
    """The cause that a happening is for each machine; None where it is none."""

    message: MessageCause | None = None
    activity: ActivityCause | None = None
    gate: Resolution | None = None


COUPLING: Final[dict[Coupled, Effect]] = {
    "activity started": Effect(message="called"),
    "later message said": Effect(message="superseded"),
    "later message said after a limit": Effect(message="continued"),
    "later message said after a refusal": Effect(message="rejected"),
    "activity closed behind an open gate": Effect(gate="expired"),
    "activity closed behind an open gate while cancelling": Effect(gate="withdrawn"),
    "activity failed behind a refused gate": Effect(activity="declined"),
    "activity failed while cancelling": Effect(activity="cancelled"),
    "run ends with its answer": Effect(message="answered"),
    "run ends beside partial answers": Effect(message="superseded"),
    "run ends asking": Effect(gate="parked"),
    "run ends cancelled": Effect(message="cut_off", activity="cancelled", gate="withdrawn"),
    "run ends otherwise": Effect(message="cut_off", activity="unknown", gate="withdrawn"),
}
"""What a happening means for the machines it did not happen to: C1-C3, C6, G7, T9. A message's
limit or refusal is told apart by its own stop reason."""

OUTCOME_OF: Final[dict[str, Outcome]] = {
    "final": "completed",
    "needs_input": "blocked",
    "cancelled": "interrupted",
    "failed": "failed",
}
"""O1; a failed run whose code is abandoned has the outcome abandoned."""

EXIT_STATUS: Final[dict[Outcome, int]] = {
    "completed": 0,
    "failed": 1,
    "abandoned": 3,
    "interrupted": 130,
    "blocked": 75,
}
"""O7; a failed run whose code is incomplete exits 3."""

LEGACY_WORD: Final[dict[Outcome, str]] = {
    "completed": "completed",
    "failed": "failed",
    "abandoned": "failed",
    "interrupted": "interrupted",
    "blocked": "waiting",
}
"""O7: the single word of older readers, derived and never stored; an open run is ``running``."""

LIMITS: Final[frozenset[Code]] = frozenset(
    {
        "max_turns", "budget", "quota", "context_exhausted", "output_truncated", "policy",
        "refused", "hook_stopped",
    }
)  # fmt: skip
"""O2: codes that end a run without being runtime trouble."""

RETRYABLE: Final[frozenset[Code]] = frozenset(
    {"provider_unavailable", "rate_limited", "incomplete"}
)
"""T8: unless a typed word of the run says otherwise."""

SENTENCE: Final[dict[Code, str]] = {
    "startup": "The agent did not start the turn.",
    "incomplete": "The agent's stream ended before the turn did.",
    "missing_final": "The agent reported success without an answer.",
    "provider_unavailable": "The model provider could not be reached or failed.",
    "rate_limited": "The model provider limited the rate of requests.",
    "auth": "The model provider refused the credentials.",
    "bad_request": "The model provider rejected the request.",
    "not_found": "The model or endpoint was not found.",
    "context_exhausted": "The conversation no longer fits the model's context.",
    "output_truncated": "The answer was cut off by the output limit.",
    "quota": "The account's quota or credit is used up.",
    "budget": "The budget set for this turn is used up.",
    "max_turns": "The limit of steps for this turn was reached.",
    "policy": "A policy stopped the turn.",
    "refused": "The model refused to answer.",
    "hook_stopped": "A hook stopped the turn.",
    "tool_protocol": "The agent and a tool disagreed on the protocol.",
    "abandoned": "The run's owner is gone and nothing completed it.",
    "unknown": "The turn failed without saying why.",
}
"""T5, T8: one sentence a person can act on, the same for every agent and free of native text."""

CANCELLED_SENTENCE: Final = "The turn was cancelled."
WAITING_SENTENCE: Final = "The agent waits."
"""T5: where the native turn ended by asking and no gate says what."""

STATUS_CODES: Final[dict[int, Code]] = {
    401: "auth",
    403: "auth",
    404: "not_found",
    429: "rate_limited",
}


def code_of_status(status: int | None) -> Code:
    """The code of an HTTP status, or of no answer at all (None), unless a typed word says more
    (T8).
    """
    if status is None or status >= 500:
        return "provider_unavailable"
    if status in STATUS_CODES:
        return STATUS_CODES[status]
    return "bad_request" if 400 <= status < 500 else "unknown"


SessionState = Literal[
    "idle", "working", "awaiting_command", "awaiting_operator", "stopped",
    "concluded", "ended", "error",
]  # fmt: skip
ActionKind = Literal["start", "resume", "withdraw", "steer", "queue", "approve", "park"]

SESSION_ENDS: Final[frozenset[SessionState]] = frozenset({"concluded", "ended", "error"})
"""G1: nothing leads out of these."""

LEGACY_END: Final = "given_up"
"""G1: what older sessions wrote for ``ended``; read, never written."""

ROUTES: Final[dict[SessionState, tuple[ActionKind, ...]]] = {
    "idle": ("start",),
    "awaiting_operator": ("resume",),
    "stopped": ("resume",),
    "awaiting_command": ("withdraw", "steer"),
    "working": ("queue",),
    "concluded": (),
    "ended": (),
    "error": (),
}
"""G3: what becomes of a person's message, by where the session stands when it comes."""

RESTS: Final[dict[Outcome, SessionState]] = {
    "completed": "awaiting_operator",
    "blocked": "awaiting_operator",
    "failed": "awaiting_operator",
    "abandoned": "awaiting_operator",
    "interrupted": "stopped",
}
"""G2, G8: where a session rests when its last run has ended; a failed turn ends no session."""
