"""Scanning takes time in proportion to the text, however it is made up."""

from __future__ import annotations

import time

import pytest

from turnreel.sanitizers.forms import expand
from turnreel.sanitizers.scanner import Scanner

SIZE = 30_000
PIECES = [
    "md-",
    "nuget oy2f2xg2t78odv7\\",
    '"miro_ApiKey":\\',
    "POSTMARK_API_KEY=1",
    "password ",
    "a@",
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
]


def seconds(text: str) -> float:
    """The least of three runs' CPU time."""
    scanner, durations = Scanner(), []
    for _ in range(3):
        started = time.process_time()
        scanner.spans(text)
        durations.append(time.process_time() - started)
    return min(durations)


@pytest.mark.parametrize("piece", PIECES)
def test_four_times_the_text_takes_four_times_as_long(piece: str) -> None:
    """Sixteen times as long would take what looks at all of it from everywhere."""
    text = piece * (4 * SIZE // len(piece))
    assert seconds(text) < 8 * max(seconds(text[:SIZE]), 0.002)
