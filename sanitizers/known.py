"""What the recorder itself knows to be private, so that it can be looked for literally."""

from __future__ import annotations

import msgspec

from .scanner import Known


class KnownSecrets(msgspec.Struct, frozen=True, kw_only=True):
    """Private literals of the machine a session is recorded on. None of them is ever written."""

    secrets: tuple[str, ...] = ()
    user: str | None = None
    host: str | None = None
    home: str | None = None

    def literals(self) -> tuple[Known, ...]:
        """Each with the kind its placeholder is called."""
        named = (("user", self.user), ("host", self.host), ("home", self.home))
        return tuple(
            [Known("key", secret) for secret in self.secrets if secret]
            + [Known(kind, value) for kind, value in named if value]
        )
