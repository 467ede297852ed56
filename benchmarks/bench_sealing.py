"""What sealing costs: native bytes of agents and providers to lines that may land.

The mix: every recorded session of the library as the bytes it came as, and, nine tenths of all,
what long sessions are made of (`talk`). Framing, policies, rules, placeholders, the gate and
serializing are all in the figure; writing to a disk is not. Throughput is a core's: CPU time.
"""

from __future__ import annotations

import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import get_args

from detect_secrets.core import scan
from detect_secrets.settings import default_settings

from turnreel.adapters.registry import dialects
from turnreel.cassettes import open_cassette, unit_of
from turnreel.cassettes.records import line_of
from turnreel.sanitizers import Profile, Sanitizer
from turnreel.sanitizers.ruleset import RULES
from turnreel.sanitizers.scanner import Scanner
from turnreel.wire import encode

from .figures import Figure, at_least, median_seconds
from .library import cassettes
from .talk import AGENT, POLICIES, PROVIDER, WORDS, Piece, sealed, talk

SAMPLE = 100_000
"""Bytes of the mix that slow scanners are given."""

UNION = re.compile(
    "|".join(f"(?:{rule.head.replace('(?P<v>', '(?:')})" for rule in RULES), re.ASCII
)
"""All rules as one expression of the standard library; a group's name may stand but once."""


def measure() -> Iterator[Figure]:
    """Throughput in one long session and in many short ones; beside other ways; rules alone."""
    short = [pieces for path in cassettes() if (pieces := recorded(str(path)))]
    recorded_size = sum(len(piece.data) for pieces in short for piece in pieces)
    long = list(talk(9 * recorded_size))
    mix = [*chain.from_iterable(short), *long]
    size = sum(len(piece.data) for piece in mix)
    for profile in get_args(Profile):
        rate = size / cpu_seconds(partial(seal, mix, profile)) / 1e6
        what = f"{size / 1e6:.1f} MB in one session"
        yield Figure(f"sealing the mix, {profile}", rate, "MB/s", at_least(10, 25), what)
    rate = recorded_size / cpu_seconds(lambda: [seal(one, "fixture") for one in short]) / 1e6
    mean = recorded_size / len(short) / 1e3
    what = f"{len(short)} sessions of {mean:.0f} KB"
    yield Figure("sealing the library, a session each", rate, "MB/s", None, what)
    yield from beside(mix)
    yield rules_alone()


def recorded(path: str) -> list[Piece]:
    """The bytes of a cassette's streams whose dialects are those of the mix."""
    cassette = open_cassette(path)
    tracks = {t.id: t.dialect for t in cassette.header.tracks if t.dialect in dialects()}
    if not {POLICIES[AGENT].dialect, POLICIES[PROVIDER].dialect} >= set(tracks.values()):
        return []
    return [
        Piece(record.track, record.code, record.exchange, encode(unit_of(record)))
        for record in cassette
        if record.track in POLICIES and record.code in ("in", "out", "data")
    ]


def seal(pieces: Iterable[Piece], profile: Profile) -> int:
    """The whole pipeline; returns the size of what would be written."""
    sanitizer = Sanitizer(POLICIES, profile)
    landed = chain.from_iterable(sealed(pieces, sanitizer))
    size = sum(len(line_of(clean, 0)) for clean in landed)
    return size + sum(len(line_of(clean, 0)) for clean in sanitizer.flush())


def cpu_seconds(run: Callable[[], object], rounds: int = 7) -> float:
    """The median CPU time of `run` over `rounds` calls, after one that is not counted."""
    run()
    durations = []
    for _ in range(rounds):
        started = time.process_time()
        run()
        durations.append(time.process_time() - started)
    return statistics.median(durations)


def beside(mix: list[Piece]) -> Iterator[Figure]:
    """All of the pipeline on a part of the mix, against scanners that only look for secrets in the
    same bytes, and replace none.
    """
    some = mix[:: max(1, sum(len(piece.data) for piece in mix) // SAMPLE)]
    size = sum(len(piece.data) for piece in some)
    text = b"".join(piece.data for piece in some).decode(errors="replace")
    ours = cpu_seconds(partial(seal, some, "fixture")) / size
    with tempfile.TemporaryDirectory() as folder, default_settings():
        file = Path(folder, "sample.txt")
        file.write_text(text)
        others = {
            "the plain union of the rules": cpu_seconds(
                lambda: sum(1 for _ in UNION.finditer(text)), 3
            ),
            "detect-secrets": cpu_seconds(lambda: sum(1 for _ in scan.scan_file(str(file))), 3),
        }
    for name, seconds in others.items():
        theirs = seconds / size
        note = f"{1e-6 / ours:.1f} of {1e-6 / theirs:.2f} MB/s"
        yield Figure(f"sealing beside {name}", theirs / ours, "x", at_least(1), note)


def rules_alone() -> Figure:
    """Scanning ordinary text with all rules, against one expression that is their union."""
    random = Random(2)
    text = " ".join(random.choices(WORDS, k=40_000))
    sample = text[:20_000]
    base = median_seconds(lambda: sum(1 for _ in UNION.finditer(sample)), 3) / len(sample)
    scanner = Scanner()
    ours = median_seconds(lambda: scanner.spans(text), 5) / len(text)
    return Figure(
        "all rules on ordinary text", base / ours, "x", at_least(10),
        f"the union of their expressions; {1e-6 / ours:.1f} of {1e-6 / base:.2f} MB/s",
    )  # fmt: skip
