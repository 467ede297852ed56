"""What translating costs: bytes of an agent's stdout to events, lifecycle included, against
decoding the same lines as JSON and doing nothing with them.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnreel.adapters.base import Frame
from turnreel.adapters.registry import adapter
from turnreel.adapters.translator import Translator
from turnreel.cassettes import open_cassette, unit_of
from turnreel.wire import LineFramer, encode

from .figures import Figure, at_least, median_seconds
from .library import cassettes

DIALECT = "claude-stream-json"


def measure() -> Iterator[Figure]:
    """Translations of all recorded sessions of the dialect over bare decodings."""
    sessions = [lines for path in cassettes(DIALECT) if (lines := printed(str(path)))]
    decode = msgspec.json.Decoder().decode

    def bare() -> None:
        for lines in sessions:
            for line in lines:
                decode(line)

    def ours() -> None:
        for lines in sessions:
            translate(lines)

    size = sum(len(line) for lines in sessions for line in lines)
    base, seconds = median_seconds(bare, 25), median_seconds(ours, 25)
    yield Figure(
        "translating an agent's output, lifecycle included",
        base / seconds,
        "x",
        at_least(0.05, 0.15),
        f"msgspec decoding alone; {size / seconds / 1e6:.0f} of {size / base / 1e6:.0f} MB/s",
    )


def printed(path: str) -> list[bytes]:
    """The lines that the agent printed, as bytes."""
    return [encode(unit_of(record)) for record in open_cassette(path) if record.code == "out"]


def translate(lines: list[bytes]) -> int:
    """The number of events that the lines cause."""
    framer, translator = LineFramer(), Translator({"a": adapter(DIALECT)}, session="s", agent="a")
    number = told = 0
    for line in lines:
        for unit in framer.feed(line):
            number += 1
            told += len(translator.feed(Frame("a", "out", number, number, unit)))
    return told
