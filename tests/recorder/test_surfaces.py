"""Which surface of an agent's server a request belongs to."""

from __future__ import annotations

import pytest

from turnreel.adapters import registry
from turnreel.recorder.surfaces import SURFACES, Call, call, dialect


@pytest.mark.parametrize(
    ("method", "path", "found"),
    [
        ("POST", "/api/sessions/s1/chat/stream", Call("session", "stream")),
        ("POST", "/api/sessions/s1/chat/stream?x=1", Call("session", "stream")),
        ("POST", "/p/profile/api/sessions/s1/chat/stream", Call("session", "stream")),
        ("POST", "/api/sessions/s1/chat", Call("session", "other")),
        ("GET", "/api/sessions", Call("session", "other")),
        ("GET", "/api/sessions/s1/messages", Call("session", "other")),
        ("POST", "/v1/runs", Call("runs", "other")),
        ("GET", "/v1/runs/run_1/events", Call("runs", "listen", "run_1")),
        ("GET", "/v1/runs/run_1", Call("runs", "ask", "run_1")),
        ("POST", "/v1/runs/run_1/stop", Call("runs", "stop", "run_1")),
        ("POST", "/v1/runs/run_1/steer", Call("runs", "steer", "run_1")),
        ("POST", "/v1/runs/run_1/approval", Call("runs", "other")),
        ("POST", "/v1/chat/completions", Call("chat", "stream")),
        ("POST", "/v1/responses", Call("responses", "stream")),
        ("GET", "/v1/responses/resp_1", Call("responses", "other")),
        ("GET", "/health", None),
        ("GET", "/v1/models", None),
        ("GET", "/v1/runsome", None),
        ("GET", "", None),
    ],
)
def test_a_request_belongs_to_one_surface_or_none(
    method: str, path: str, found: Call | None
) -> None:
    assert call(method, path) == found
    assert dialect(method, path) == (None if found is None else SURFACES[found.track])


def test_every_surface_speaks_a_dialect_over_http() -> None:
    assert {registry.adapter(one).info.carrier for one in SURFACES.values()} == {"http"}
