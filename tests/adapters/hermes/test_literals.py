"""Fixed strings: what they mean, and that nothing else means anything (C9, E5)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from turnreel.adapters.hermes.gateway import VERSIONS
from turnreel.adapters.hermes.literals import LITERALS, Proven, after_drop, code_in
from turnreel.adapters.hermes.rendering import NOTICE
from turnreel.cassettes import open_cassette

LIBRARY = Path(__file__).resolve().parents[3] / "cassettes" / "library"


@pytest.mark.parametrize("literal", LITERALS, ids=lambda one: one.means)
def test_a_literal_is_proven_by_a_recording(literal: Proven) -> None:
    assert re.compile(literal.form)
    assert literal.proof
    assert set(literal.versions) <= set(VERSIONS)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("HTTP 400: Invalid value", "bad_request"),
        ("HTTP 401: No", "auth"),
        ("HTTP 404: No", "not_found"),
        ("HTTP 500: The server had an error", "provider_unavailable"),
        ("API call failed after 3 retries: HTTP 429: Rate limit", "rate_limited"),
        ("Error: HTTP 503: Overloaded", "provider_unavailable"),
        ("⚠️ No reply: the maximum tool-iteration limit was reached before", "max_turns"),
        ("Half.\n\n⚠️ No reply: the maximum tool-iteration limit was reached", "max_turns"),
        ("⚠️ No reply: the model returned empty content", None),
        ("I got HTTP 400: what now?", None),
        ("HTTP 400 means bad request", None),
        ("", None),
    ],
)
def test_a_failure_says_its_code(text: str, code: str | None) -> None:
    assert code_in(text) == code


def test_what_follows_the_notice_is_said_again() -> None:
    assert after_drop(NOTICE) == ""
    assert after_drop(f"Calling.{NOTICE}Calling again.") == "Calling again."
    assert after_drop("Connection dropped mid tool-call; reconnecting") is None
    stalled = (
        "Calling.\n\n⚠ Stream stalled mid tool-call (terminal, todo); the action was not executed. "
        "Ask me to retry if you want to continue."
    )
    assert after_drop(f"{stalled}Calling again.") == "Calling again."
    assert after_drop("Calling. Stream stalled mid tool-call (terminal)") is None


def recordings() -> set[str | None]:
    """The captures behind Hermes' part of the library."""
    return {
        open_cassette(path).header.origin.name
        for path in LIBRARY.glob("hermes-*/*/*.cassette.jsonl")
    }


def test_the_library_holds_every_proof() -> None:
    assert {one.proof for one in LITERALS} <= recordings()
