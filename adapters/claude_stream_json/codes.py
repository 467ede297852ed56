"""Why it failed: Claude Code's typed words to the contract's codes (T8).

A strong word beats the HTTP status, the status beats a weak word, and no word at all is
``unknown``. Error texts are never read (C5).
"""

from __future__ import annotations

from typing import Final

from turnreel.lifecycle.events import Code
from turnreel.lifecycle.tables import code_of_status

from .frames import Words

REASONS: Final[dict[str, Code]] = {
    "max_turns": "max_turns",
    "budget_exhausted": "budget",
    "structured_output_retry_exhausted": "tool_protocol",
    "malformed_tool_use_exhausted": "tool_protocol",
    "prompt_too_long": "context_exhausted",
    "blocking_limit": "context_exhausted",
    "rapid_refill_breaker": "context_exhausted",
    "turn_setup_failed": "startup",
    "hook_stopped": "hook_stopped",
    "stop_hook_prevented": "hook_stopped",
    "background_requested": "incomplete",
}
"""``terminal_reason`` of a result."""

SUBTYPES: Final[dict[str, Code]] = {
    "error_max_turns": "max_turns",
    "error_max_budget_usd": "budget",
    "error_max_structured_output_retries": "tool_protocol",
}
"""``subtype`` of a result; older versions print no ``terminal_reason``."""

STRONG: Final[dict[str, Code]] = {
    "billing_error": "quota",
    "max_output_tokens": "output_truncated",
    "authentication_failed": "auth",
    "oauth_org_not_allowed": "auth",
    "account_on_hold": "auth",
    "verification_required": "auth",
    "cloud_credential_error": "auth",
    "rate_limit": "rate_limited",
    "overloaded": "provider_unavailable",
    "model_not_found": "not_found",
    "connection_failed": "provider_unavailable",
}
"""``error`` and ``api_error`` words that say more than a status."""

WEAK: Final[dict[str, Code]] = {
    "invalid_request": "bad_request",
    "server_error": "provider_unavailable",
}
"""``error`` words that a status makes more exact: ``invalid_request`` with 403 is auth."""


def code_of(words: Words) -> Code | None:
    """The code that typed words give, or None if they name no cause."""
    for table, word in ((REASONS, words.reason), (SUBTYPES, words.subtype)):
        if word is not None and word in table:
            return table[word]
    for word in (words.error, words.api_error):
        if word is not None and word in STRONG:
            return STRONG[word]
    if words.status is not None:
        return code_of_status(words.status)
    return WEAK.get(words.error or "")


def code_of_retry(words: Words) -> Code:
    """The code of a retry; one without a status had no answer at all: the connection failed."""
    return code_of(words) or "provider_unavailable"
