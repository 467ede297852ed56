"""Characters that are not shown, and those that look like others: what a reader would read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

UNSEEN: Final = (
    "\\x00-\\x08\\x0e-\\x1a\\x1c-\\x1f\\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
)
"""Control, format and filling characters, as the inside of a character class. Those beyond U+FFFF
stand apart: one of them in a class makes searching for it a hundred times as slow.
"""

UNSEEN_FAR: Final = "\U000e0000-\U000e0fff"
"""The same, beyond U+FFFF."""

ENTITIES: Final = {
    "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " ", "lowbar": "_",
    "hyphen": "-", "dash": "-", "period": ".", "colon": ":", "equals": "=", "commat": "@",
    "sol": "/", "bsol": "\\", "plus": "+", "num": "#", "dollar": "$", "percnt": "%", "excl": "!",
    "ast": "*",
}  # fmt: skip
"""HTML's names of the characters that secrets, paths and addresses are made of."""

_TWINS: Final = {
    "-": "\u2010\u2011\u2012\u2212\ufe58",
    '"': "\u201c\u201d\u201e",
    "aceijopsxyhdqw": "\u0430\u0441\u0435\u0456\u0458\u043e\u0440\u0455\u0445\u0443\u04bb\u0501"
    "\u051b\u051d",
    "ABCEHIJKMOPSTXY": "\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405"
    "\u0422\u0425\u0423",
    "ABEZHIKMNOPTYXo": "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4"
    "\u03a5\u03a7\u03bf",
}  # fmt: skip
"""Characters of other scripts that look like these, one for each or all for one."""

_COMPATIBLE: Final = ((0xA0, 0x3001), (0xFE50, 0xFE70), (0xFF01, 0xFF5F), (0x1D400, 0x1D800))
"""Where the characters stand that Unicode itself calls forms of an ASCII character."""


def _folded() -> Iterator[tuple[int, int]]:
    for first, beyond in _COMPATIBLE:
        for code in range(first, beyond):
            plain = unicodedata.normalize("NFKC", chr(code))
            if len(plain) == 1 and plain.isascii() and plain.isprintable():
                yield code, ord(plain)
    for plain, twins in _TWINS.items():
        for number, twin in enumerate(twins):
            yield ord(twin), ord(plain[number % len(plain)])


FOLDED: Final = dict(_folded())
"""What each of them reads as: a table for `str.translate`."""

LOOKALIKES: Final = "".join(chr(code) for code in sorted(FOLDED) if code <= 0xFFFF)
"""All of them but those that stand far off, as the inside of a character class."""

FAR: Final = f"\U0001d400-\U0001d7ff{UNSEEN_FAR}"
"""Where all those stand that are not shown or look like others, beyond U+FFFF."""
