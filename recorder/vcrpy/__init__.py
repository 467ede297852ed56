"""vcrpy's cassettes, both ways: read, written, and ours in their place under vcrpy itself.

`use` is the one line with which a suite that records through vcrpy goes on with sanitized
cassettes; `plugin` is the same for pytest-recording. Nothing here patches a client or opens a
socket: vcrpy does. It and PyYAML are imported when they are used, and by nothing else. Never in
here: a constructor that a YAML file chooses, and a way to a file of ours that does not pass the
sanitizer.
"""

from .persister import Persister
from .serializer import Serializer
from .using import use

__all__ = ["Persister", "Serializer", "use"]
