"""Collect what a test with sockets left behind before the next test begins.

On Python 3.11 a server's stream writer is only collected after its loop was closed, and says so
with a warning that would fail whichever test runs then. Later versions close it with the
server; there nothing is hushed.
"""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Iterator


def collected() -> Iterator[None]:
    """The body of a fixture."""
    yield
    if sys.version_info < (3, 12):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()
