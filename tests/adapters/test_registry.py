"""What the registry finds for a dialect, and what stands in for one it does not know."""

from __future__ import annotations

import pytest

from turnreel.adapters import registry
from turnreel.adapters.provider import PLAIN
from turnreel.wire.encode import encode


@pytest.mark.parametrize("dialect", registry.dialects())
def test_a_dialect_is_whole(dialect: str) -> None:
    """Its folder has an adapter of its name and a policy; a provider's also its own words."""
    info = registry.adapter(dialect).info
    assert info.dialect == dialect == registry.policy(dialect).dialect
    assert (registry.provider(dialect) is PLAIN) == (info.tier != "provider")


def test_an_unknown_dialect_is_named_with_the_known_ones() -> None:
    with pytest.raises(registry.UnknownDialect, match=r"invented.*claude-stream-json"):
        registry.adapter("invented")


def test_a_dialect_nobody_knows_speaks_plain_json() -> None:
    plain = registry.provider("invented")
    assert encode(plain.error(500, "m")) == b'{"error":{"message":"m"}}'
    assert plain.features("POST", "/", b"{}") is None
    assert plain.whole([]) is None
    assert plain.probe("GET", "/") is None
    assert plain.probe("HEAD", "/") is not None
