"""Signals: what only the edge knows, because it owns the sockets and processes.

The mirror of this file is `observations`: what an adapter saw in native frames. `turn` names
the native turn a signal is about; None means every open run of the session, children included.
Signals are recorded on a cassette's host track under their tag and read back from there.
"""

from __future__ import annotations

from typing import Final

import msgspec

from .events import Code, Outcome, Resolution

CANCELLING: Final = frozenset({"SIGINT", "SIGTERM"})
"""Process signals by which a host cancels; any other one, SIGKILL above all, is none (T4)."""


class Signal(msgspec.Struct, frozen=True, kw_only=True, tag_field="signal", omit_defaults=True):
    """What all signals share."""

    turn: str | None = None


class Message(Signal, frozen=True, kw_only=True, tag="message", omit_defaults=True):
    """The host sent a user message outside the agent's own input: the run starts here (T4, R9).
    `via` says how.
    """

    via: str | None = None


class Closed(Signal, frozen=True, kw_only=True, tag="closed", omit_defaults=True):
    """The agent's stream ended: an open run is now settling (T4). By itself it decides nothing
    (T3).
    """


class Reopened(Signal, frozen=True, kw_only=True, tag="reopened", omit_defaults=True):
    """The edge re-attached: frames go on belonging to the same run (T4)."""


class CancelRequested(
    Signal, frozen=True, kw_only=True, tag="cancel_requested", omit_defaults=True
):
    """The host asked to cancel, or closed or signalled in order to (T4, T7). `request` equals
    the native request id where the dialect writes cancels on its own input.
    """

    request: str | None = None
    via: str | None = None


class Answered(Signal, frozen=True, kw_only=True, tag="answered", omit_defaults=True):
    """The host answered a gate outside the agent's own input."""

    request: str
    resolution: Resolution


class Parked(Signal, frozen=True, kw_only=True, tag="parked", omit_defaults=True):
    """The host parked an open gate: the run ends as needs_input (T5)."""

    request: str | None = None


class Exited(Signal, frozen=True, kw_only=True, tag="exited", omit_defaults=True):
    """The agent's process ended: exit `code`, or the name of the `signal` that killed it (T4)."""

    code: int | None = None
    killed_by: str | None = None


class Receipt(Signal, frozen=True, kw_only=True, tag="receipt", omit_defaults=True):
    """A completion receipt for a run whose transport ended without a terminal (O5). `native_turn`
    is the native turn or the native message that is its answer; `text_digest` is
    `receipts.digest_of` the answer, without white space at its ends, which `text` repeats.
    """

    run_id: str
    thread_id: str
    native_turn: str
    outcome: Outcome
    text_digest: str
    text: str | None = None
    code: Code | None = None


class Unreconciled(Signal, frozen=True, kw_only=True, tag="unreconciled", omit_defaults=True):
    """The edge says that no receipt will come: settling runs take their terminal now (T4)."""


class Orphaned(Signal, frozen=True, kw_only=True, tag="orphaned", omit_defaults=True):
    """The run's owner is gone (O1: abandoned)."""


class Produced(Signal, frozen=True, kw_only=True, tag="artifact", omit_defaults=True):
    """The host saw the run produce something."""

    artifact: str
    name: str
    media_type: str | None = None
    origin: str | None = None


AnySignal = (
    Message
    | Closed
    | Reopened
    | CancelRequested
    | Answered
    | Parked
    | Exited
    | Receipt
    | Unreconciled
    | Orphaned
    | Produced
)
