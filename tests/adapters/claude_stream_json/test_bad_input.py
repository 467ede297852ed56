"""Bytes that are no stream of Claude Code's, or only in part: noted, and the turn is right or
incomplete; never an error.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters import registry
from turnreel.adapters.base import Arrival, Edge, Frame
from turnreel.adapters.claude_stream_json.adapter import ADAPTER
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.adapters.steps import Answer, Call, End, Return, Say, Script
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import fold
from turnreel.lifecycle.signals import Exited, Message, Unreconciled
from turnreel.wire.ndjson import LineFramer

from .conftest import transcript

TURN: Script = (
    Answer((Say("Looking."), Call("tool_1", "Read")), "tool_use"),
    Return("tool_1", "x"),
    Answer((Say("All is well."),)),
    End(),
)
LINES = [json.dumps(line).encode() for side, line in lines(TURN) if side == "out"]
RIGHT = [["said Looking.", "Read file_read ok", 'final "All is well." healthy']]
CUT = [["said Looking.", "Read file_read unknown", "failed incomplete degraded"]]


def played(stream: bytes) -> tuple[list[list[str]], Counter[str]]:
    """The runs that come of the bytes an agent printed, and what was noted."""
    translator = Translator({"agent": ADAPTER}, session="s", agent="claude")
    framer = LineFramer()
    units = [*framer.feed(stream), *framer.close()]
    arrivals: list[Arrival] = [Edge("host", 0, 0, Message(via="argv"))]
    arrivals += [Frame("agent", "out", n, n, unit) for n, unit in enumerate(units, 1)]
    number = len(arrivals)
    arrivals += [
        Edge("agent", number, number, Exited(code=0)),
        Edge("host", number + 1, number, Unreconciled()),
    ]
    events: list[AnyEvent] = []
    for arrival in arrivals:
        events += translator.feed(arrival)
    return [transcript(view) for view in fold(events)], translator.counts


def joined(parts: Sequence[bytes]) -> bytes:
    return b"".join(part + b"\n" for part in parts)


def between(noise: bytes) -> bytes:
    """The noise as a line of its own at every place of the stream."""
    return joined([noise, *(part for line in LINES for part in (line, noise))])


LONG = b"x" * (1 << 20)
NOISE: dict[str, tuple[bytes, str]] = {
    "a log line": (b"[debug] connecting \xe2\x80\xa6", "unreadable line"),
    "a terminal's colours": (b"\x1b[31mwarning\x1b[0m", "unreadable line"),
    "a stack trace": (b"Traceback (most recent call last):", "unreadable line"),
    "NUL bytes": (b"\x00\x00\x00", "unreadable line"),
    "bytes that are no UTF-8": (b"\xff\xfe\x80", "unreadable line"),
    "UTF-16": ('{"type":"result"}'.encode("utf-16"), "unreadable line"),
    "a number": (b"42", "unreadable line"),
    "null": (b"null", "unreadable line"),
    "an empty list": (b"[]", ""),
    "an object of nobody": (b'{"hello":"world"}', "frame without a type"),
    "a type that is none": (b'{"type":["result"]}', "frame without a type"),
    "a type of tomorrow": (b'{"type":"hologram","payload":1}', "frame hologram"),
    "another dialect's frame": (
        b'{"method":"item/completed","params":{"item":{"type":"agentMessage","text":"No."}}}',
        "frame without a type",
    ),
    "another dialect's terminal": (b'{"type":"turn.completed","usage":{}}', "frame turn.completed"),
    "a line of a mebibyte": (LONG, "unreadable line"),
    "a field of a mebibyte": (b'{"type":"note","text":"' + LONG + b'"}', "frame note"),
    "half an object": (LINES[-1][: len(LINES[-1]) // 2], "unreadable line"),
    "two objects": (b'{"type":"a"} {"type":"b"}', "unreadable line"),
    "depth": (b"[" * 20_000, "unreadable line"),
}


@pytest.mark.parametrize(("noise", "noted"), NOISE.values(), ids=NOISE)
def test_noise_between_the_frames_is_noted_and_the_turn_is_right(noise: bytes, noted: str) -> None:
    runs, counts = played(between(noise))
    assert runs == RIGHT
    assert not noted or counts[noted] == len(LINES) + 1


def test_a_mebibyte_of_answer_is_an_answer() -> None:
    script = (Answer((Say("x" * (1 << 20)),)), End())
    stream = joined([json.dumps(line).encode() for side, line in lines(script) if side == "out"])
    runs, _ = played(stream)
    assert runs == [[f'final "{"x" * (1 << 20)}" healthy']]


@pytest.mark.parametrize("place", range(len(LINES)))
def test_two_frames_on_a_line_are_no_frame_and_no_wrong_turn(place: int) -> None:
    glued = b"".join(LINES[place : place + 2])
    runs, counts = played(joined([*LINES[:place], glued, *LINES[place + 2 :]]))
    if place < len(LINES) - 1:
        assert counts["unreadable line"] == 1
    (run,) = runs
    right = run[-1].startswith('final "All is well."')  # a lost stop may have been a cut: recovered
    assert right or run[-1] in ("failed incomplete degraded", "failed missing_final degraded")


@pytest.mark.parametrize("size", range(0, len(LINES[-1]), 37))
def test_half_a_line_at_the_end_ends_nothing(size: int) -> None:
    runs, _ = played(joined(LINES[:-1]) + LINES[-1][:size])
    assert [run[-1] for run in runs] == ["failed incomplete degraded"]


def test_a_last_line_without_its_end_is_a_line() -> None:
    assert played(b"\n".join(LINES))[0] == RIGHT


@pytest.mark.parametrize("ending", [b"\r\n", b"\n\n\n", b" \n"])
def test_line_endings_and_blank_lines_change_nothing(ending: bytes) -> None:
    assert played(b"".join(line + ending for line in LINES))[0] == RIGHT


@pytest.mark.parametrize("version", ["99.0.0", "", "latest", None, 3, ["2.1.332"]])
def test_a_version_nobody_knows_is_read_by_what_it_prints(version: object) -> None:
    frames = [json.loads(line) for line in LINES]
    for frame in frames:
        if "claude_code_version" in frame:
            frame["claude_code_version"] = version
    assert played(joined([json.dumps(frame).encode() for frame in frames]))[0] == RIGHT


@pytest.mark.parametrize("dialect", sorted(registry.FOLDERS))
def test_the_stream_of_another_dialect_is_no_answer(dialect: str) -> None:
    """Claude's frames to every other adapter: noted, and nothing that could be taken for a turn."""
    adapter = registry.adapter(dialect)
    if adapter.info.agent == "claude":
        return
    translator = Translator({"agent": adapter}, session="s", agent="x")
    framer = LineFramer()
    events: list[AnyEvent] = []
    for number, unit in enumerate(framer.feed(joined(LINES))):
        code = "out" if adapter.info.carrier == "stdio" else "data"
        events += translator.feed(Frame("agent", code, number, 0, unit, 1))  # type: ignore[arg-type]
    assert not any(event.terminal for event in events)


@given(st.lists(st.binary(max_size=40) | st.sampled_from(LINES), max_size=20))
def test_whatever_is_printed_there_is_one_terminal_at_most(parts: list[bytes]) -> None:
    runs, _ = played(joined(parts))
    for run in runs:
        assert run[-1] != "open"
