"""Why it failed: the typed words of ``codexErrorInfo`` to the contract's codes (T8).

A word of its own beats the HTTP status it may carry; a word that names only the transport takes
the code of its status; ``other`` and unknown words are refined by the literals of the runtime's
sentence (E5), else there is no cause.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters import codex_literals
from turnreel.lifecycle.events import Code
from turnreel.lifecycle.tables import code_of_status

from .frames import Words

INFOS: Final[dict[str, Code]] = {
    "contextWindowExceeded": "context_exhausted",
    "sessionBudgetExceeded": "budget",
    "usageLimitExceeded": "quota",
    "rateLimitExceeded": "rate_limited",
    "flexUnavailable": "provider_unavailable",
    "serverOverloaded": "provider_unavailable",
    "policyCapacityUnavailable": "provider_unavailable",
    "internalServerError": "provider_unavailable",
    "modelNotFound": "not_found",
    "unauthorized": "auth",
    "badRequest": "bad_request",
    "cyberPolicy": "policy",
    "bioPolicy": "policy",
    "misalignmentPolicyViolation": "policy",
    "inferenceHookDenied": "policy",
    "tooManyDenials": "policy",
}
"""``codexErrorInfo`` words that name a cause."""

CARRIERS: Final = frozenset(
    {
        "httpConnectionFailed",
        "responseStreamConnectionFailed",
        "responseStreamDisconnected",
        "responseTooManyFailedAttempts",
    }
)
"""``codexErrorInfo`` words that name what broke; the status, if any, says more."""


def code_of(words: Words) -> Code | None:
    """The code that typed words and literals give, or None if they name no cause."""
    if words.info in INFOS:
        return INFOS[words.info]
    if words.info in CARRIERS and words.status is not None:
        return code_of_status(words.status)
    refined = codex_literals.cause(words.details) or codex_literals.cause(words.sentence)
    if refined is None and words.info in CARRIERS:
        return "provider_unavailable"
    return refined
