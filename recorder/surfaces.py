"""An agent behind HTTP: which surface of its API server a request belongs to, and what it does.

Hermes is such an agent. Each surface speaks a dialect of its own and is a track of its own; what a
host does beside a stream (stop, steer, ask how a run stands) is a request to the same surface.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

from turnreel.cassettes import TrackSpec

Does = Literal["stream", "listen", "ask", "stop", "steer", "other"]
"""What a request does: ``stream``, start a turn and be answered with its events; ``listen`` to a
run; ``ask`` how one stands; ``stop`` it; ``steer`` it with a message; ``other``.
"""

AGENT: Final = "hermes"

SURFACES: Final[dict[str, str]] = {
    "session": "hermes-session",
    "runs": "hermes-runs",
    "chat": "hermes-chat",
    "responses": "hermes-responses",
}
"""Track to dialect."""


class Call(msgspec.Struct, frozen=True):
    """A request to `track`. `run` is the native run that its path names."""

    track: str
    does: Does
    run: str | None = None


_RUN: Final = r"/v1/runs/(?P<run>[^/]+)"
_ENDPOINTS: Final[tuple[tuple[str, str, str, Does], ...]] = (
    ("POST", r"/api/sessions/[^/]+/chat/stream", "session", "stream"),
    ("*", r"/api/sessions(?:/.*)?", "session", "other"),
    ("GET", rf"{_RUN}/events", "runs", "listen"),
    ("GET", rf"{_RUN}", "runs", "ask"),
    ("POST", rf"{_RUN}/stop", "runs", "stop"),
    ("POST", rf"{_RUN}/steer", "runs", "steer"),
    ("*", r"/v1/runs(?:/.*)?", "runs", "other"),
    ("POST", r"/v1/chat/completions", "chat", "stream"),
    ("POST", r"/v1/responses", "responses", "stream"),
    ("*", r"/v1/responses/.+", "responses", "other"),
)
"""Method, path, surface and what the request does; the first that fits counts."""

_COMPILED: Final = tuple(
    (method, re.compile(rf"(?:/p/[^/]+)?{path}/?"), track, does)
    for method, path, track, does in _ENDPOINTS
)  # one server may serve several profiles, each under a prefix


def call(method: str, path: str) -> Call | None:
    """What a request is; None where it belongs to no surface (health, lists of models). `path` may
    have a query.
    """
    bare = path.partition("?")[0]
    for wanted, pattern, track, does in _COMPILED:
        if wanted in ("*", method) and (found := pattern.fullmatch(bare)) is not None:
            return Call(track, does, found.groupdict().get("run"))
    return None


def dialect(method: str, path: str) -> str | None:
    """The dialect in which a request is answered."""
    found = call(method, path)
    return None if found is None else SURFACES[found.track]


def surface_tracks() -> tuple[TrackSpec, ...]:
    """A track for each surface: which of them are used, nobody knows before."""
    return tuple(
        TrackSpec(id=track, carrier="http", dialect=dialect) for track, dialect in SURFACES.items()
    )
