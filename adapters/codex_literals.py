"""Fixed strings of Codex that refine a code or set health (E5), each with the recording that
proves it.

They begin the runtime's own error sentences, which both streams print. None of them decides an
outcome or a text's role. The sanitizer's policies let them through, wherever in a masked sentence
they stand, or a sanitized stream would translate differently (S6).
"""

from __future__ import annotations

from typing import Final

import msgspec

from turnreel.lifecycle.events import Code

TABLE: Final = 1
"""The version of this table."""

VERSIONS: Final = ("0.171.0",)
"""The versions of Codex whose recordings prove it."""


class Proven(msgspec.Struct, frozen=True):
    """A literal: how a sentence begins, the code it means, and the recording that proves it."""

    head: str
    code: Code
    proof: str


CAUSES: Final = (
    Proven("stream disconnected before completion:", "provider_unavailable", "d1_disc_always"),
    Proven(
        "We\u2019re currently experiencing high demand", "provider_unavailable", "d2_500_always"
    ),
    Proven("Connection failed:", "provider_unavailable", "d5_conn_refused"),
    Proven("exceeded retry limit, last status: 429", "rate_limited", "d3_429_always"),
    Proven("rate limit exceeded:", "rate_limited", "b6_sse_failed_rate_limit_ok"),
    Proven("unexpected status 401", "auth", "e2_401"),
    Proven("unexpected status 403", "auth", "e3_403"),
    Proven("unexpected status 404", "not_found", "w4_ws_always_abrupt"),
    Proven("Missing environment variable:", "auth", "x1_missing_key"),
    Proven(
        "Codex ran out of room in the model's context window",
        "context_exhausted",
        "e5_sse_context_length",
    ),
    Proven(
        "Quota exceeded. Check your plan and billing details.",
        "quota",
        "e6_sse_insufficient_quota",
    ),
    Proven("You\u2019ve hit your usage limit", "quota", "e7_429_usage_limit"),
    Proven(
        "Incomplete response returned, reason: max_output_tokens",
        "output_truncated",
        "c7_response_incomplete",
    ),
)
"""Heads of error sentences, in the order they are tried."""

QUOTED: Final = (Proven('"invalid_request_error"', "bad_request", "e1_400"),)
"""Words of the provider in a body that the runtime quotes as its whole sentence. The quotation
marks belong to them: inside a quoted string they would be escaped.
"""

RETRY: Final = "Reconnecting... "
"""Begins a sentence that says that the runtime asks again; the cause follows in parentheses. It is
the only sign by which ``exec --json`` tells a retry from a failure.
"""
RETRY_PROOF: Final = "d1_disc_always"

FALLBACK: Final = "Falling back from WebSockets to HTTPS transport."
"""Begins the warning that the run goes on over another transport (O2)."""
FALLBACK_PROOF: Final = "w4_ws_always_abrupt"


def cause(sentence: str) -> Code | None:
    """The code that an error sentence of the runtime means, or None for one nobody knows."""
    for literal in CAUSES:
        if sentence.startswith(literal.head):
            return literal.code
    if sentence.lstrip().startswith("{"):
        for literal in QUOTED:
            if literal.head in sentence:
                return literal.code
    return None


def cause_of_retry(sentence: str) -> Code | None:
    """The code of the cause that a sentence beginning with `RETRY` gives in parentheses."""
    _, _, rest = sentence.partition("(")
    return cause(rest)


def heads() -> tuple[str, ...]:
    """All literals, for the policies."""
    return (
        *(literal.head for literal in (*CAUSES, *QUOTED)),
        RETRY,
        FALLBACK,
    )
