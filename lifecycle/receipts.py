"""Completion receipts: what settles a run whose transport ended without a terminal (O5).

A receipt tells what the stream did not. It is believed only for a run that is settling, and only
where it agrees with what the stream had shown until then; whatever does not is ignored and
counted. It supplies the text, the ordinary rules of terminals decide what comes of it.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from . import gates, health, messages, standing, terminal
from .events import Code, Outcome
from .observations import Ended, Receipted, Troubled
from .state import NamedText
from .step import Step
from .tables import RUN


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What a receipt says of the run that it names. `message` is the native message that the answer
    is, None where it names the native turn alone; `text` is the answer, None where its `digest`
    alone is told.
    """

    outcome: Outcome
    message: str | None = None
    text: str | None = None
    digest: str | None = None
    code: Code | None = None


def digest_of(text: str) -> str:
    """The digest by which a receipt names an answer: SHA-256 over the UTF-8 of its text, without
    white space at its ends, in hexadecimal.
    """
    return sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()


def of(seen: Receipted) -> Proof:
    """What an adapter read where the agent keeps it."""
    return Proof(outcome=seen.outcome, message=seen.message, text=seen.text, code=seen.code)


def settle(step: Step, proof: Proof) -> None:
    """End a settling run as its receipt says. Ignored and counted: a receipt for a run that is not
    settling, one for a message that others came after, one whose text or digest is at odds with
    what the stream showed. The stream stays incomplete: health is degraded (O2).
    """
    if (step.run.phase, "receipt") not in RUN:
        step.drop(f"receipt while {step.run.phase}")
        return
    if proof.outcome != "completed":
        terminal.conclude(step, _unsuccessful(step, proof), "receipt")
        return
    if proof.message is not None and proof.message != step.run.attempt_message:
        step.drop("stale receipt")
        return
    shown = _shown(step, proof.message)
    text = proof.text if proof.text is not None else shown
    if not _agree(text.strip(), shown.strip(), proof.digest):
        step.drop("receipt at odds")
        return
    health.troubled(step, Troubled(turn=step.run.turn, code="incomplete", lasting=True))
    if proof.message is not None:
        messages.completed(step, proof.message, max(text, shown, key=len))
    else:
        step.set(named=NamedText(text, "whole", alone=True))
    success = Ended(turn=step.run.turn, ending="completed")
    terminal.conclude(step, terminal.answered(step, success), "receipt")


def _unsuccessful(step: Step, proof: Proof) -> terminal.Verdict:
    """As T7 has it: nothing but a success outlives a cancel request, and an interruption that
    nobody asked for is none.
    """
    gate = gates.prompting(step)
    if step.run.cancelling:
        return terminal.Verdict(type="cancelled")
    match proof.outcome:
        case "interrupted":
            return terminal.failure("incomplete")
        case "abandoned":
            return terminal.failure("abandoned")
        case "blocked" if gate is not None:
            return terminal.needs(gate)
        case "blocked":
            return terminal.asking()
        case _:
            return terminal.failure(proof.code or "unknown")


def _shown(step: Step, message: str | None) -> str:
    """What the stream has shown of the answer, unfinished text included."""
    if message is None:
        return "".join(one.raw for one in messages.chain(step))
    series = standing.open_series(step.run, message)
    return series.raw if series is not None else ""


def _agree(told: str, shown: str, digest: str | None) -> bool:
    if digest is not None and digest != digest_of(told):
        return False
    return told in shown or shown in told
