"""Reads what a host writes to the app-server: JSON in, the typed view of `frames` out.

Total, as `grammar` is. `commands` writes the same frames.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters.fields import Fields, fields, items, text
from turnreel.wire.units import Json

from .frames import Answer, InFrame, Interrupt, Start, Steer, Unknown
from .grammar import KNOWN, key

_APPROVED: Final = frozenset(
    {
        "accept", "acceptForSession", "acceptWithExecpolicyAmendment",
        "applyNetworkPolicyAmendment", "approved", "approved_for_session",
        "approved_execpolicy_amendment", "network_policy_amendment",
    }
)  # fmt: skip
_STOPS: Final = frozenset({"cancel", "abort"})
"""Decisions that decline and end the turn."""


def read_in(value: Fields) -> InFrame:
    """What a JSON object written by the host says."""
    request, method = key(value.get("id")), value.get("method")
    if not isinstance(method, str):
        return _answer(request, value) if request is not None else Unknown("host frame")
    params = fields(value, "params")
    thread = text(params, "threadId")
    if request is None or thread is None:
        return KNOWN
    match method:
        case "turn/start" if items(params, "input"):
            return Start(request, thread)
        case "review/start":
            return Start(request, thread)
        case "turn/steer":
            return Steer(request, thread)
        case "turn/interrupt":
            return Interrupt(thread, text(params, "turnId"))
        case _:
            return KNOWN


def _answer(request: str, value: Fields) -> InFrame:
    result = value.get("result")
    if not isinstance(result, dict):  # an error, or nothing readable: nobody answered (G7)
        return Answer(request, "withdrawn")
    if "decision" in result:
        return _decision(request, result["decision"])
    match result:
        case {"answers": dict(answers)}:
            return Answer(request, "accepted" if answers else "declined")
        case {"action": str(action)}:
            if action == "cancel":
                return Answer(request, "withdrawn")
            return Answer(request, "accepted" if action == "accept" else "declined")
        case {"permissions": dict(granted)}:
            return Answer(request, "accepted" if any(granted.values()) else "declined")
        case _:
            return Answer(request, "withdrawn")


def _decision(request: str, decision: Json) -> Answer:
    word = (
        decision
        if isinstance(decision, str)
        else next(iter(decision), None)
        if isinstance(decision, dict)
        else None
    )
    if word in _APPROVED:
        refusal = isinstance(decision, dict) and _denies(decision)
        return Answer(request, "declined" if refusal else "accepted")
    return Answer(request, "declined", stops=word in _STOPS)


def _denies(decision: Fields) -> bool:
    """A rule for the network may also be one that denies."""
    rule = fields(fields(decision, "applyNetworkPolicyAmendment"), "network_policy_amendment")
    return text(rule, "action") == "deny"
