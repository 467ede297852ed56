"""What sealing costs: native bytes of agents and providers to lines that may land.

The mix: every recorded session of the library as the bytes it came as, and, nine tenths of all,
what long sessions are made of: answers in deltas of 4 to 60 characters, tool calls whose arguments
come in pieces, completed messages, results of 6 KB, with a secret or a home in every tenth answer.
That is some 270 bytes a record. Framing, policies, rules, placeholders, the gate and serializing
are all in the figure; writing to a disk is not. Throughput is a core's: CPU time.
"""

from __future__ import annotations

import json
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, cycle, islice
from random import Random
from typing import NamedTuple, get_args

from turnreel.adapters.registry import dialects, policy
from turnreel.cassettes import open_cassette, unit_of
from turnreel.cassettes.records import line_of
from turnreel.sanitizers import Profile, Raw, Sanitizer
from turnreel.sanitizers.ruleset import RULES
from turnreel.sanitizers.scanner import Scanner
from turnreel.wire import Framer, LineFramer, SseFramer, encode

from .figures import Figure, at_least, at_most, median_seconds
from .library import cassettes

MIB = 1 << 20
AGENT, PROVIDER = "agent", "provider"
POLICIES = {AGENT: policy("claude-stream-json"), PROVIDER: policy("anthropic-messages")}
TALK = """
the total of all rows in `src/report/table_v2.py` was 1,204 and it was checked against the sum in
the header; see https://example.com/docs/tables for the format, or run `make test`.
"""
WORDS = TALK.split()
LONG = 128 * MIB


class Piece(NamedTuple):
    """Bytes of one stream, with nothing cut off at either end."""

    track: str
    code: str
    exchange: int | None
    data: bytes


def measure() -> Iterator[Figure]:
    """Throughput in one long session and in many short ones, rules alone, memory, hold-back."""
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
    yield rules_alone()
    yield from long_stream()


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


def talk(size: int) -> Iterator[Piece]:
    """About `size` bytes of long session: the provider's stream and what the agent makes of it."""
    random = Random(1)
    secret = "sk-ant-" + "api03-" + "aB3dE5fG7hJ9kL1mN2pQ" * 2
    told = 0
    for number in range(1_000_000):
        words = random.choices(WORDS, k=160)
        if number % 10 == 0:
            words[80] = random.choice([secret, json.dumps(f"-{secret}"), "/home/" + "jane/x"])
        text = " ".join(words)
        for piece in (*answer(number, text, random), *tool(number, text, random)):
            told += len(piece.data)
            yield piece
        if told >= size:
            return


def answer(number: int, text: str, random: Random) -> Iterator[Piece]:
    """A streamed text block on the provider's track, and the agent's completed message."""
    block = {"type": "text", "text": ""}
    yield event(number, {"type": "content_block_start", "index": 0, "content_block": block})
    for part in parts(text, random):
        delta = {"type": "text_delta", "text": part}
        yield event(number, {"type": "content_block_delta", "index": 0, "delta": delta})
    yield event(number, {"type": "content_block_stop", "index": 0})
    yield line(number, "assistant", [{"type": "text", "text": text}])


def tool(number: int, text: str, random: Random) -> Iterator[Piece]:
    """A tool call whose arguments are streamed, and its result on the agent's track."""
    call = {"type": "tool_use", "id": f"toolu_01{number:022d}", "name": "Edit", "input": {}}
    yield event(number, {"type": "content_block_start", "index": 1, "content_block": call})
    source = json.dumps({"file_path": "/srv/app/main.py", "new_string": text + "\n"})
    for part in parts(source, random):
        delta = {"type": "input_json_delta", "partial_json": part}
        yield event(number, {"type": "content_block_delta", "index": 1, "delta": delta})
    yield event(number, {"type": "content_block_stop", "index": 1})
    yield line(number, "assistant", [{**call, "input": json.loads(source)}])
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": text * 6}
    yield line(number, "user", [result])


def parts(text: str, random: Random) -> Iterator[str]:
    """`text` in pieces of 4 to 60 characters."""
    at = 0
    while at < len(text):
        length = random.randint(4, 60)
        yield text[at : at + length]
        at += length


def event(number: int, value: dict[str, object]) -> Piece:
    """A server-sent event of exchange `number`."""
    data = json.dumps(value, separators=(",", ":"))
    return Piece(PROVIDER, "data", number, f"event: {value['type']}\ndata: {data}\n\n".encode())


def line(number: int, role: str, content: list[dict[str, object]]) -> Piece:
    """A frame of the agent's stdout."""
    frame = {
        "type": role,
        "message": {"role": role, "content": content},
        "parent_tool_use_id": None,
        "session_id": "3a5b5bb9-9aaf-45b8-98ad-a969bacbb37e",
        "uuid": f"3a5b5bb9-9aaf-45b8-98ad-{number:012x}",
    }
    return Piece(AGENT, "out", None, json.dumps(frame, separators=(",", ":")).encode() + b"\n")


def seal(pieces: Iterable[Piece], profile: Profile) -> int:
    """The whole pipeline; returns the size of what would be written."""
    framers: dict[tuple[str, str, int | None], Framer] = {}
    sanitizer = Sanitizer(POLICIES, profile)
    size = 0
    for track, code, exchange, data in pieces:
        key = track, code, exchange
        framer = framers.get(key)
        if framer is None:
            framer = framers[key] = SseFramer() if code == "data" else LineFramer()
        for unit in framer.feed(data):
            for clean in sanitizer.push(Raw(0, track, code, unit, exchange)):
                size += len(line_of(clean, 0))
    for clean in sanitizer.flush():
        size += len(line_of(clean, 0))
    return size


def cpu_seconds(run: Callable[[], object]) -> float:
    """The median CPU time of `run` over seven calls, after one that is not counted."""
    run()
    durations = []
    for _ in range(7):
        started = time.process_time()
        run()
        durations.append(time.process_time() - started)
    return statistics.median(durations)


def rules_alone() -> Figure:
    """Scanning ordinary text with all rules, against one expression that is their union."""
    random = Random(2)
    text = " ".join(random.choices(WORDS, k=40_000))
    union = re.compile("|".join(f"(?:{plain(rule.head)})" for rule in RULES), re.ASCII)
    sample = text[:20_000]
    base = median_seconds(lambda: sum(1 for _ in union.finditer(sample)), 3) / len(sample)
    scanner = Scanner()
    ours = median_seconds(lambda: scanner.spans(text), 5) / len(text)
    return Figure(
        "all rules on ordinary text", base / ours, "x", at_least(10),
        f"the union of their expressions; {1e-6 / ours:.1f} of {1e-6 / base:.2f} MB/s",
    )  # fmt: skip


def plain(head: str) -> str:
    """A head without the name of its group, which only one rule of a union may have."""
    return head.replace("(?P<v>", "(?:")


def long_stream() -> Iterator[Figure]:
    """A session of `LONG` bytes: what it adds to the memory of a short one, and what waits."""
    once = list(talk(4 * MIB))
    seal(once, "fixture")
    before = peak_bytes()
    size = sum(len(piece.data) for piece in once)
    seal(islice(cycle(once), len(once) * LONG // size), "fixture")
    yield Figure(
        f"memory over {LONG // MIB} MiB", (peak_bytes() - before) / MIB, "MiB", at_most(32, 16)
    )
    yield Figure("text held back, at most", held_back(once), "characters", at_most(4096))


def held_back(pieces: Iterable[Piece]) -> float:
    """The most characters of one block's deltas that wait at once, unfinished tokens included."""
    sanitizer = Sanitizer(POLICIES, "fixture")
    framer = SseFramer()
    waiting = most = 0
    sizes: list[int] = []
    landed = 0
    for track, code, exchange, data in pieces:
        if track != PROVIDER:
            continue
        for unit in framer.feed(data):
            text = text_of(unit)
            sizes.append(text)
            waiting += text
            for _ in sanitizer.push(Raw(0, track, code, unit, exchange)):
                waiting -= sizes[landed]
                landed += 1
            most = max(most, waiting)
    return most


def text_of(unit: object) -> int:
    """How many characters a text delta holds."""
    match getattr(unit, "value", None):
        case {"delta": {"text": str(text)}}:
            return len(text)
        case _:
            return 0


def peak_bytes() -> int:
    """This process's largest memory so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
