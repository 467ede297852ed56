"""What an exchange's end says, sentence by sentence."""

from __future__ import annotations

import pytest

from turnreel.recorder.exchanges import cut_by, decoded, is_delimited_by_close, joined


@pytest.mark.parametrize(
    ("message", "by"),
    [
        ("Client disconnected.", "client"),
        (
            "HTTP/1 protocol error: peer closed connection without sending complete message body"
            " (incomplete chunked read)",
            "upstream",
        ),
        ("HTTP/1 protocol error: illegal chunk header: bytearray(b'zz\\r\\n')", "upstream"),
        ("server closed connection", "upstream"),
        ("[Errno 111] Connect call failed ('127.0.0.1', 9)", "upstream"),
        ("unexpected server response: b'HTTP/1.1 200 OK\\r\\ncont'", "upstream"),
        ("something new", "unknown"),
        ("", "unknown"),
    ],
)
def test_who_broke_it_off(message: str, by: str) -> None:
    assert cut_by(message) == by


@pytest.mark.parametrize(
    ("method", "status", "http", "headers", "by_close"),
    [
        ("POST", 200, "HTTP/1.1", {}, True),
        ("POST", 200, "HTTP/1.0", {"content-type": "text/plain"}, True),
        ("POST", 200, "HTTP/1.1", {"content-length": "3"}, False),
        ("POST", 200, "HTTP/1.1", {"transfer-encoding": "chunked"}, False),
        ("HEAD", 200, "HTTP/1.1", {}, False),
        ("POST", 204, "HTTP/1.1", {}, False),
        ("POST", 304, "HTTP/1.1", {}, False),
        ("POST", 101, "HTTP/1.1", {}, False),
        ("POST", 200, "HTTP/2.0", {}, False),
    ],
)
def test_which_bodies_end_with_the_connection(
    method: str, status: int, http: str, headers: dict[str, str], by_close: bool
) -> None:
    assert is_delimited_by_close(method, status, http, headers) is by_close


def test_header_fields_become_a_map_of_lower_case_names() -> None:
    fields = decoded([(b"Vary", b"a"), (b"X-Id", b"\xe9"), (b"vary", b"b")])
    assert joined(fields) == {"vary": "a, b", "x-id": "\xe9"}
