"""How the time to scan a text grows with the text, however it is made up to be slow."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from turnreel.sanitizers.forms import expand
from turnreel.sanitizers.scanner import Scanner

from .figures import Figure, at_most

SIZE: Final = 30_000
PIECES: Final = (
    "md-",
    "nuget oy2f2xg2t78odv7\\",
    '"miro_ApiKey":\\',
    "POSTMARK_API_KEY=1",
    "password ",
    "a@",
    "@b.c",
    "-macbook",
    "%41",
    "\\u0041",
    "&#45;",
    "67 68 ",
    "1.2.3.4 key-1 ",
    "http://a:",
    "ssh a b ",
    "-----BEGIN PRIVATE KEY-----",
    "<think>a\n",
    expand("<76 base64>") + "\n",
    expand("<20 alnum>") + ".",
    "\uff47\uff48",
    "\x1b]8;;",
)
"""What a text is made of that begins a secret, an encoding or a placeholder again and again."""


def measure() -> Iterator[Figure]:
    """The worst of them: four times the text over the text. In proportion it is 4; what looks at
    all of the text from everywhere makes it 16.
    """
    worst = max(PIECES, key=growth)
    against = f"the same at {SIZE // 1000} kB; {worst[:24]!r} is the worst"
    yield Figure("scanning 4x an adversarial text", growth(worst), "x", at_most(8, 5), against)


def growth(piece: str) -> float:
    """How much longer four times the text takes."""
    text = piece * (4 * SIZE // len(piece))
    return seconds(text) / max(seconds(text[:SIZE]), 0.002)


def seconds(text: str) -> float:
    """The least of three runs' CPU time."""
    scanner, durations = Scanner(), []
    for _ in range(3):
        started = time.process_time()
        scanner.spans(text)
        durations.append(time.process_time() - started)
    return min(durations)
