"""What this machine's recorder knows to be private before it sees a single byte."""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from turnreel.sanitizers import KnownSecrets

_SECRET_NAME: Final = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE", re.IGNORECASE)
_SHORTEST_SECRET: Final = 8

_NOBODY: Final = frozenset(
    {"root", "user", "admin", "node", "runner", "ubuntu", "debian", "app", "dev", "test", "vscode",
     "localhost"}
)  # fmt: skip
"""Names that many machines share: they tell nothing, and are words of every text."""


def known_secrets(environ: Mapping[str, str], *tokens: str | None) -> KnownSecrets:
    """The credentials in `environ`, by the names of its variables, the names of the person, the
    host and the home, and the `tokens` of our doors.
    """
    found = {
        _as_text(value)
        for name, value in environ.items()
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET
    }
    found.update(token for token in tokens if token is not None)
    home = _as_text(str(Path(environ.get("HOME", "/"))))
    return KnownSecrets(
        secrets=tuple(sorted(found)),
        user=_somebody(_user()),
        host=_somebody(socket.gethostname()),
        home=home if home not in ("/", "/root") else None,
    )


def _as_text(value: str) -> str:
    """A value that is no UTF-8, as whoever prints it as text would."""
    return os.fsencode(value).decode("utf-8", "replace")


def _user() -> str | None:
    with contextlib.suppress(OSError, KeyError):  # a user id without an entry
        return getpass.getuser()
    return None


def _somebody(name: str | None) -> str | None:
    return name if name and len(name) > 2 and name.lower() not in _NOBODY else None
