"""How a text may stand inside another: as it is, escaped, quoted twice, percent, base64, HTML."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from typing import Final


def escaped(text: str) -> str:
    """Every character as a JSON escape."""
    return "".join(f"\\u{ord(char):04x}" for char in text)


def partly_escaped(text: str) -> str:
    """What some serializers escape beyond need."""
    return "".join(f"\\u{ord(char):04X}" if char in "-_/+=<&'" else char for char in text)


def quoted(text: str) -> str:
    """JSON inside a string."""
    return json.dumps({"note": text})


def quoted_twice(text: str) -> str:
    """JSON inside a string of JSON."""
    return json.dumps({"note": json.dumps({"note": text})})


def percent(text: str) -> str:
    """Every byte percent-encoded."""
    return "".join(f"%{byte:02X}" for byte in text.encode())


def percent_usual(text: str) -> str:
    """As a form or a query string has it."""
    usual = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~"
    return "".join(char if char in usual else f"%{ord(char):02x}" for char in text)


def base64_at(shift: int) -> Callable[[str], str]:
    """base64 of a text in which it starts `shift` bytes after a boundary."""

    def encoded(text: str) -> str:
        return b64encode(b"secret is: "[: 9 + shift] + text.encode() + b" and so on").decode()

    return encoded


def base64_for_urls(text: str) -> str:
    """base64 in the alphabet for URLs, without padding."""
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def entities(text: str) -> str:
    """As HTML writes any character."""
    return "".join(f"&#{ord(char)};" for char in text)


def wide(text: str) -> str:
    """In full-width letters."""
    return text.translate({code: code + 0xFEE0 for code in range(33, 127)})


ENCODINGS: Final[Mapping[str, Callable[[str], str]]] = {
    "raw": str,
    "escaped": escaped,
    "partly-escaped": partly_escaped,
    "quoted": quoted,
    "quoted-twice": quoted_twice,
    "percent": percent,
    "percent-usual": percent_usual,
    "base64-0": base64_at(0),
    "base64-1": base64_at(1),
    "base64-2": base64_at(2),
    "base64-url": base64_for_urls,
    "entities": entities,
    "wide": wide,
}
