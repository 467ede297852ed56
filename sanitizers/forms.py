"""The published form of a secret, written so that no text of the repository looks like one.

``gsk_<52 alnum>`` stands for every token of that vendor: a place ``<n alphabet>`` is filled with
`n` characters of the alphabet, ``<uuid>`` with a uuid. Tests, canaries and examples are made from
forms, never written down.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

CLASSES: Final = {
    "alnum": "A-Za-z0-9",
    "word": r"A-Za-z0-9_\-",
    "hex": "a-f0-9",
    "anyhex": "A-Fa-f0-9",
    "upper": "A-Z0-9",
    "lower": "a-z0-9",
    "letter": "a-z",
    "digit": "0-9",
    "base32": "A-Z2-7",
    "base32lower": "a-z2-7",
    "base58": "1-9A-HJ-NP-Za-km-z",
    "base64": "A-Za-z0-9+/",
}
"""The alphabets of tokens, by name, as the inside of a character class."""

UUID_CLASS: Final = "[A-Fa-f0-9]{8}-(?:[A-Fa-f0-9]{4}-){3}[A-Fa-f0-9]{12}"

_EVERY: Final = tuple(map(chr, range(33, 127)))
_ALPHABETS: Final = {
    name: "".join(char for char in _EVERY if re.match(f"[{inside}]", char))
    for name, inside in CLASSES.items()
}
_PLACE: Final = re.compile(r"<(?:([0-9]{1,3}) ([a-z0-9]+)|uuid)>")


def expand(form: str, seed: int = 0) -> str:
    """A text of `form`; another seed fills its places with other characters."""
    contents = iter(filled(form, seed))
    return _PLACE.sub(lambda _: next(contents), form)


def filled(form: str, seed: int = 0) -> list[str]:
    """What `expand` puts into the places of `form`, in order."""
    return [
        _filled(place, f"{seed}/{number}/{form}")
        for number, place in enumerate(_PLACE.finditer(form))
    ]


def _filled(place: re.Match[str], seed: str) -> str:
    if place[1] is None:
        digits = _characters("0123456789abcdef", 32, seed)
        return "-".join((digits[:8], digits[8:12], "4" + digits[13:16], "8" + digits[17:20],
                         digits[20:]))  # fmt: skip
    return _characters(_ALPHABETS[place[2]], int(place[1]), seed)


def _characters(alphabet: str, count: int, seed: str) -> str:
    drawn: list[str] = []
    block = 0
    while len(drawn) < count:
        digest = blake2b(f"{seed}#{block}".encode()).digest()
        drawn += [alphabet[byte % len(alphabet)] for byte in digest]
        block += 1
    return "".join(drawn[:count])
