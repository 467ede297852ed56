"""Fixed strings: what they mean, and that nothing else means anything (E5)."""

from __future__ import annotations

import pytest

from turnreel.adapters.claude_stream_json.adapter import INFO
from turnreel.adapters.claude_stream_json.literals import LITERALS, Proven, meaning


@pytest.mark.parametrize("literal", LITERALS, ids=lambda one: one.means)
def test_a_literal_means_what_it_was_proven_to_mean(literal: Proven) -> None:
    assert meaning(literal.head + " and more") == literal.means
    assert meaning(" " + literal.head) is None
    assert literal.proof
    assert set(literal.versions) <= set(INFO.proven)


def test_other_text_means_nothing() -> None:
    assert meaning("Stop hook feedback: go on") is None
    assert meaning("") is None
