"""Matches that no fixed text tells: addresses of machines, bytes written out, the last line of
wrapped base64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from .matches import Candidate
from .opaque import is_opaque, reads
from .places import Place, over

_ADDRESSES: Final = (
    ("ipv4", re.compile(r"\.(?<=[0-9]\.)[0-9]{1,3}\.[0-9]"),
     re.compile(r"(?<![0-9A-Za-z.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![0-9A-Za-z]|\.[0-9])")),
    ("ipv6", re.compile(r":(?<=[0-9A-Fa-f]:)[0-9A-Fa-f]{1,4}:"),
     re.compile(
        r"(?<![0-9A-Za-z:.])(?=[0-9A-Fa-f:]{0,12}[0-9])"
        r"(?:[0-9A-Fa-f]{1,4}:){3,7}(?::|[0-9A-Fa-f]{1,4})[0-9A-Fa-f:]{0,30}(?![0-9A-Za-z:])")),
    ("ipv6", re.compile("::"),
     re.compile(
        r"(?<![0-9A-Za-z:.])(?=[0-9A-Fa-f]{0,3}[0-9])[0-9A-Fa-f]{4}(?::[0-9A-Fa-f]{1,4}){0,6}::"
        r"(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})?(?![0-9A-Za-z:])")),
)  # fmt: skip
"""Name, what is found fast in every one (its first character is what is searched for), and the
whole.
"""


_PUBLIC_ADDRESS: Final = re.compile(
    r"127\.|[0-9]+\.[0-9]+\.0+\.0+\Z|255\.|.*[3-9][0-9]{2}|.*2[6-9][0-9]|.*25[6-9]"
)
"""Loopback and masks, a network (so is the shape of an address, whatever tells it apart from
another), and what is no address at all.
"""

_OCTETS: Final = (
    re.compile(r" (?<=[0-9A-Fa-f]{2} )[0-9A-Fa-f]{2} [0-9A-Fa-f]{2} "),
    re.compile(r":(?<=[0-9A-Fa-f]{2}:)[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:"),
    re.compile(r"-(?<=[0-9A-Fa-f]{2}-)[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-"),
)
_OCTET_FORMS: Final = (
    ("mac", "ip",
     re.compile(r"(?<![0-9A-Za-z:\-])(?:[0-9A-Fa-f]{2}([:\-]))(?:[0-9A-Fa-f]{2}\1){4}"
                r"[0-9A-Fa-f]{2}(?![0-9A-Za-z:\-])")),
    ("octets", "key",
     re.compile(r"(?<![0-9A-Za-z])(?=[0-9 :\-]{0,44}[A-Fa-f])(?:[0-9A-Fa-f]{2}([ :\-]))"
                r"(?:[0-9A-Fa-f]{2}\1){14,}[0-9A-Fa-f]{2}(?![0-9A-Za-z])")),
)  # fmt: skip
"""A network card's address, and 16 or more bytes: a fingerprint, or a secret in a dump."""

_WRAPPED: Final = re.compile(
    r"(?:(?<=\n)|(?<![\s\S]))[ \t>]{0,12}([A-Za-z0-9+/_\-]{60,76})"
    r"\r?\n[ \t>]{0,12}([A-Za-z0-9+/_\-]{1,75}={0,2})(?=[\s\"'`\\<]|\Z)"
)
"""A line of wrapped base64 and the one behind it, which may be too short to be told alone."""

_WRAPS: Final = re.compile(r"\n(?<=[A-Za-z0-9+/_\-]{59}[A-Za-z0-9+/_\-\r]\n)")


def unanchored(text: str, start: int, markers: Sequence[Place]) -> Iterator[Candidate]:
    """What is found in `text` from `start` on, between the markers."""
    for one in (*_addresses(text, start), *_octets(text, start), *_last_lines(text, start)):
        if not any(over(markers, one.value, one.end)):
            yield one


def _addresses(text: str, start: int) -> Iterator[Candidate]:
    for name, core, pattern in _ADDRESSES:
        if not core.search(text, start):
            continue
        for match in pattern.finditer(text, start):
            low, high = match.span()
            if name != "ipv4" or not _PUBLIC_ADDRESS.match(match[0]):
                yield Candidate(low, high, low, high, False, "ip", name)


def _octets(text: str, start: int) -> Iterator[Candidate]:
    if not any(core.search(text, start) for core in _OCTETS):
        return
    for name, kind, pattern in _OCTET_FORMS:
        for match in pattern.finditer(text, start):
            low, high = match.span()
            yield Candidate(low, high, low, high, False, kind, name)


def _last_lines(text: str, start: int) -> Iterator[Candidate]:
    if not _WRAPS.search(text, start):
        return
    at = start
    while match := _WRAPPED.search(text, at):
        at = match.end(1)
        if is_opaque(match[1]) and ("=" in match[2] or not reads(match[2])):
            low, high = match.span(2)
            yield Candidate(low, high, match.start(1), min(high + 1, len(text)), False, "key",
                            "wrapped")  # fmt: skip
