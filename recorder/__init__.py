"""The recorder: what an agent and its provider really said, into cassettes.

Two edges watch a session without touching it, a tee on the agent's standard streams and a proxy
before its provider, and tell one sink on one clock. Where a host starts the agent, a tap stands in
its place. A process of its own frames, sanitizes and
writes; importers take the same way. Never in here: a way to a file that does not pass the
sanitizer, and a change of what passes through. mitmproxy is imported where it is used, never
before.
"""

from .captures import import_capture
from .doors import Door, door
from .errors import RecorderError
from .exits import ExitStatus, leave
from .listen import record_requests
from .messages import Sealed
from .record import Provider, Recording, Wanted, record

__all__ = [
    "Door",
    "ExitStatus",
    "Provider",
    "RecorderError",
    "Recording",
    "Sealed",
    "Wanted",
    "door",
    "import_capture",
    "leave",
    "record",
    "record_requests",
]
