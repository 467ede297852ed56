"""What stands inside a run that may be base64: decoded at each of the four alignments."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from typing import Final

from .matches import Span
from .opaque import reads

LEAST: Final = 16
"""Shorter runs hold no secret that counts: it would have less than 12 characters."""

MOST: Final = 1 << 16
"""Of a longer run no more than this is decoded; it is opaque anyway."""

BASE64: Final = re.compile(rf"[A-Za-z0-9+/_\-]{{{LEAST},}}={{0,2}}")
"""What may be base64, of either alphabet."""

_STANDARD: Final = str.maketrans("-_", "+/")
_READABLE: Final = re.compile(rb"[\x20-\x7e]{8}")


def hidden(run: str, find: Callable[[str], list[Span]]) -> str | None:
    """The value that `run` encodes if that is something that `find` finds: the secret if it is all
    that was encoded, else `run` itself. None if nothing is found in it, or it reads like words.
    """
    if reads(run):
        return None
    source = run[:MOST].rstrip("=").translate(_STANDARD)
    for offset in range(4):
        part = source[offset:]
        if len(part) % 4 == 1:
            part = part[:-1]
        data = b64decode(part + "=" * (-len(part) % 4))
        if not _READABLE.search(data):
            continue
        text = data.decode("utf-8", "replace")
        spans = find(text)
        if spans:
            first = spans[0]
            value = first.value or text[first.start : first.end]
            return value if len(spans) == 1 and value == text.strip() else run
    return None
