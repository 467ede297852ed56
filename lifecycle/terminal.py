"""Terminals: what ends a run and what it says (C2, C5, C6, T1-T9).

Exactly one terminal leaves `conclude`, after everything open was closed (T9); the run's machine
has no move out of ``ended``, so there is never a second (T1, T2).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from . import activities, gates, health, messages, prompts
from .events import Cancelled, Code, Confidence, Failed, Final, NeedsInput
from .observations import Ended, Refused
from .state import GateState, MessageState, NamedText, RunState
from .step import Step
from .tables import (
    CANCELLED_SENTENCE,
    LIMITS,
    OUTCOME_OF,
    RETRYABLE,
    RUN,
    SENTENCE,
    WAITING_SENTENCE,
    RunCause,
    RunPhase,
)


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the evidence decided, before anything is closed."""

    type: Literal["final", "needs_input", "failed", "cancelled"]
    text: str = ""
    code: Code | None = None
    retryable: bool | None = None
    confidence: Confidence | None = None
    answer: tuple[MessageState, ...] = ()
    gate: GateState | None = None
    doubtful: bool = False


def ended(step: Step, seen: Ended) -> None:
    """The native terminal. After a cancel request any end without success is cancelled; a vendor
    error then only adds health (T7)."""
    match seen.ending:
        case "completed":
            verdict = answered(step, seen)
        case _ if step.run.cancelling:
            if seen.code is not None and seen.code not in LIMITS:
                health.degrade(step, seen.code)
            verdict = Verdict(type="cancelled")
        case "asked":
            verdict = _asking(step, seen)
        case "interrupted":
            verdict = Verdict(type="cancelled")
        case "failed":
            verdict = failure(seen.code or "unknown", seen.retryable)
    conclude(step, verdict, "ended")


def refused(step: Step, seen: Refused) -> None:
    """The agent refused the start: startup, unless a typed cause says more (T8, R9); cancelled if
    the host had asked to cancel it (T7)."""
    verdict = failure(seen.code or "startup")
    conclude(step, Verdict(type="cancelled") if step.run.cancelling else verdict, "refused")


def parked(step: Step, request: str | None) -> None:
    """The host parked an open gate: the native turn is over for the host (T5). `request` names it;
    None means the one the run waits for. A run whose cancel was asked for is cancelled (T7)."""
    named = [gate for gate in step.run.gates if gate.native == request]
    gate = named[0] if named else gates.prompting(step) if request is None else None
    if gate is None:
        step.drop("parked without an open gate")
    else:
        verdict = Verdict(type="cancelled") if step.run.cancelling else needs(gate)
        conclude(step, verdict, "parked")


def unreconciled(step: Step) -> None:
    """No receipt will come: T4 speaks."""
    run = step.run
    gate = gates.prompting(step)
    if run.cancelling:
        verdict = Verdict(type="cancelled")
    elif not run.awake:
        verdict = failure("startup")
    elif gate is not None and not run.crashed:
        verdict = needs(gate)
    else:
        verdict = failure("incomplete")
    conclude(step, verdict, "unreconciled")


def orphaned(step: Step) -> None:
    """The owner is gone (O1)."""
    conclude(step, failure("abandoned"), "orphaned")


def conclude(step: Step, verdict: Verdict, cause: RunCause) -> None:
    """Close what is open, then tell the one terminal. A cause without a move is dropped (T2)."""
    phase = RUN.get((step.run.phase, cause))
    if phase is None:
        step.drop(f"run {cause} while {step.run.phase}")
        return
    if verdict.gate is not None:
        gates.happen(step, verdict.gate, "run ends asking")
        step.set(parked=verdict.gate)
    for message in step.run.messages:
        if verdict.type == "final" and message.role == "partial_answer":
            messages.happen(step, message, "run ends beside partial answers")  # C3
        elif message in verdict.answer:
            messages.happen(step, message, "run ends with its answer")
    cancelled = verdict.type == "cancelled"
    activities.couple(step, "run ends cancelled" if cancelled else "run ends otherwise")
    _tell(step, verdict)
    _forget(step, phase)


def _forget(step: Step, phase: RunPhase) -> None:
    """An ended run only counts what comes late: nothing it was made of is kept."""
    run = step.run
    step.run = RunState(
        turn=run.turn,
        run_id=run.run_id,
        thread_id=run.thread_id,
        began_us=run.began_us,
        parent=run.parent,
        dialect=run.dialect,
        seq=run.seq,
        phase=phase,
        health=run.health,
        ending=run.ending,
        parked=run.parked,
    )


def _tell(step: Step, verdict: Verdict) -> None:
    state = step.run.health.state
    if verdict.type == "final":
        state = "degraded" if verdict.doubtful else health.at_success(step)
    elif verdict.type == "failed":
        state = health.at_failure(step, verdict.code or "unknown")
    number = (verdict.answer[-1].number if verdict.answer else 0) or step.name("m")[0]
    common = {
        "message_id": step.id_of("m", number),
        "text": verdict.text,
        "outcome": "abandoned" if verdict.code == "abandoned" else OUTCOME_OF[verdict.type],
        "health": state,
        "confidence": verdict.confidence,
    }
    step.set(ending=verdict.type)
    match verdict.type:
        case "final":
            step.emit(Final, **common)
        case "needs_input":
            request = verdict.gate.request_id if verdict.gate else None
            step.emit(NeedsInput, request_id=request, **common)
        case "cancelled":
            step.emit(Cancelled, **{**common, "text": CANCELLED_SENTENCE})
        case "failed":
            code = verdict.code or "unknown"
            retryable = code in RETRYABLE if verdict.retryable is None else verdict.retryable
            step.emit(Failed, code=code, retryable=retryable, **{**common, "text": SENTENCE[code]})


def answered(step: Step, seen: Ended) -> Verdict:
    """C2, C5, C6: the authoritative text of a native success, or missing_final."""
    named = step.run.named
    answer = messages.chain(step, named.message if named is not None else None)
    text = "".join(m.raw for m in answer).strip()
    confidence = seen.confidence
    doubtful = False
    if named is not None and named.alone and confidence == "runtime":
        text, answer = named.text.strip(), ()  # the record that completes it carries its text (C5)
    elif named is not None and answer and named.message not in (None, answer[-1].native):
        step.drop("named message at odds with the answer")  # the mark is stronger (C2)
    elif named is not None and answer:
        text, agree, doubtful = _cross_check(text, named)
        if not agree:
            step.drop("named text at odds")
            return failure("missing_final")
    elif named is not None and named.alone:
        text = named.text.strip()
    elif named is not None and named.text.strip():
        step.drop("named text without a message")
    terms = step.run.terms
    if terms.marker and text.startswith(terms.marker):
        return _marked(text.removeprefix(terms.marker), answer)
    if text or step.run.artifacts or confidence == "runtime" or terms.empty_finals:
        return Verdict(
            type="final", text=text, confidence=confidence, answer=answer, doubtful=doubtful
        )
    return failure("missing_final")


def _marked(rest: str, answer: tuple[MessageState, ...]) -> Verdict:
    """T5: the agent put the host's marker before its final: it asks."""
    text = rest.strip() or WAITING_SENTENCE
    return Verdict(type="needs_input", text=text, confidence="marker", answer=answer)


def _cross_check(text: str, named: NamedText) -> tuple[str, bool, bool]:
    """C6: the text that wins, whether the two agree, and whether one was shorter than the other."""
    other = named.text.strip()
    if named.extent == "tail":
        return text, text.endswith(other), False
    if text == other:
        return text, True, False
    if text in other or other in text:
        return max(text, other, key=len), True, True
    return text, False, False


def _asking(step: Step, seen: Ended) -> Verdict:
    """T5, T9: the native turn ended by asking; a deferred tool is a gate, opened and parked."""
    if seen.deferred is not None:
        tool = activities.find(step, seen.deferred)
        prompt = prompts.approval(tool.name if tool is not None else "")
        return needs(gates.open_gate(step, seen.deferred, "approval", prompt, None))
    gate = gates.find(step, seen.request) if seen.request is not None else gates.prompting(step)
    return asking() if gate is None else needs(gate)


def needs(gate: GateState) -> Verdict:
    """The run waits for this gate (T5)."""
    return Verdict(type="needs_input", text=gate.prompt, gate=gate)


def asking() -> Verdict:
    """The run waits, and no gate says for what (T5)."""
    return Verdict(type="needs_input", text=WAITING_SENTENCE)


def failure(code: Code, retryable: bool | None = None) -> Verdict:
    """The run failed (T8)."""
    return Verdict(type="failed", code=code, retryable=retryable)
