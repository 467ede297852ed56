"""What the recorder itself knows to be private, and the forms in which it may stand in a stream."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Final

import msgspec

from .matches import Known, slug

_UNRESERVED: Final = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)
_SHORTEST_ENCODED: Final = 8


class KnownSecrets(msgspec.Struct, frozen=True, kw_only=True):
    """Private literals of the machine a session is recorded on. None of them is ever written."""

    secrets: tuple[str, ...] = ()
    user: str | None = None
    host: str | None = None
    home: str | None = None

    def literals(self) -> tuple[Known, ...]:
        """Each value in all its forms, with the kind its placeholder is called."""
        named = (("user", self.user), ("host", self.host), ("home", self.home))
        values = [("key", secret) for secret in self.secrets if secret]
        values += [(kind, value) for kind, value in named if value]
        return tuple(
            Known(kind, form, value) for kind, value in values for form in _forms(kind, value)
        )


def _forms(kind: str, value: str) -> tuple[str, ...]:
    match kind:
        case "key" | "home":
            return (value, *_encoded(value))
        case "user" if slug(value) != value:
            return (value, slug(value))
        case _:
            return (value,)


def _encoded(value: str) -> set[str]:
    """The forms other than `value` itself: escaped once and twice, percent, base64, slug."""
    once = json.dumps(value)[1:-1]
    data = value.encode("utf-8", "surrogatepass")
    forms = {once, json.dumps(once)[1:-1], value.replace("/", "\\/"), _percent(data)}
    if value.startswith("/"):
        forms.add(slug(value))
    if len(value) >= _SHORTEST_ENCODED:
        forms.update(_base64(data))
    return {form for form in forms if form != value}


def _percent(data: bytes) -> str:
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)


def _base64(data: bytes) -> list[str]:
    """What is the same in every base64 text that holds `data`, at each of the three alignments."""
    forms: list[str] = []
    for shift in range(3):
        encoded = b64encode(b"\0" * shift + data).decode()
        end = len(encoded) - 4 if (shift + len(data)) % 3 else len(encoded)
        forms.append(encoded[4 if shift else 0 : end])
    return forms
