"""Who can reach an address, and what is a base URL."""

from __future__ import annotations

import pytest

from turnreel.wire.addresses import base_url, is_loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1", "::1"])
def test_this_machine_alone(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::", "10.0.0.1", "example.com", "localhost.x"])
def test_others_as_well(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    "url", ["http://a", "https://a.b:1/c/d", "http://[::1]:65535", "http://127.0.0.1:1/"]
)
def test_a_base_url(url: str) -> None:
    assert base_url(url) is not None


@pytest.mark.parametrize(
    "url",
    [
        "", "a", "localhost:1", "http://", "ftp://a", "http://a:0", "http://a:65536", "http://a:x",
        "http://[::1", "http://a/?b=c", "http://a/#b", "http://u:p@a", "http://@a", "http://a b/",
        "http://a\n", "http://ä",
    ],
)  # fmt: skip
def test_what_is_no_base_url(url: str) -> None:
    assert base_url(url) is None
