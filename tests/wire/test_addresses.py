"""Who can reach an address."""

from __future__ import annotations

import pytest

from turnreel.wire.addresses import is_loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1", "::1"])
def test_this_machine_alone(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::", "10.0.0.1", "example.com", "localhost.x"])
def test_others_as_well(host: str) -> None:
    assert not is_loopback(host)
