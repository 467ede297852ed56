"""Adapters in other processes: asked in lock step, judged, and told what they did wrong."""

from __future__ import annotations

import json
import re
import sys
import tracemalloc
from pathlib import Path

import pytest

from turnreel.adapters.base import Arrival, Edge, Frame
from turnreel.conformance.answering import answers
from turnreel.conformance.child import AdapterFault, Child, argv_of
from turnreel.conformance.conforming import conform
from turnreel.conformance.errors import ConformanceError
from turnreel.conformance.findings import Result
from turnreel.conformance.lockstep import Begin, Request, Track, arrival_of, encode, request_of
from turnreel.conformance.parts import recorded
from turnreel.conformance.recording import load
from turnreel.lifecycle.signals import CancelRequested, Exited, Receipt
from turnreel.wire.units import (
    BodyFraming,
    JsonUnit,
    LineFraming,
    SseFraming,
    TextUnit,
    TornUnit,
)

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "cassettes" / "library"
DOC = (ROOT / "docs" / "lockstep.md").read_text(encoding="utf-8")
OWN = f"{sys.executable} -m turnreel translate --lockstep"
BEGIN = Begin(session="s", agent="mine", tracks=(Track("agent", "mine"),))
HELLO = Frame("agent", "out", 1, 0, JsonUnit({"type": "hello"}, LineFraming()))

ARRIVALS: list[Arrival] = [
    HELLO,
    Frame("agent", "err", 2, 5, TextUnit("a line", LineFraming())),
    Frame("agent", "out", 3, 5, TornUnit(7, "json", LineFraming())),
    Frame("provider", "data", 4, 6, JsonUnit([1, None], SseFraming("message", "7", 100)), 2),
    Frame("provider", "request", 5, 6, JsonUnit({"path": "/"}, BodyFraming()), 2),
    Edge("host", 6, 7, Exited(code=0)),
    Edge("host", 7, 7, CancelRequested(via="SIGINT")),
    Edge("host", 8, 7, Receipt(run_id="s.1", thread_id="s/0", native_turn="m",
                               outcome="completed", text_digest="d", text="x")),
]  # fmt: skip


@pytest.mark.parametrize("arrival", ARRIVALS, ids=lambda one: getattr(one, "code", "signal"))
def test_an_arrival_survives_the_protocol(arrival: Arrival) -> None:
    line = encode(request_of(arrival))
    assert b"\n" not in line
    from turnreel.conformance.lockstep import decode_request

    assert arrival_of(decode_request(line)) == arrival


@pytest.mark.parametrize("line", ["", "  ", "'unclosed", "/no/such/program x"])
def test_a_command_that_cannot_be_started_is_a_mistake(line: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        Child(argv_of(line))
    assert "\n" not in str(caught.value)


def script(tmp_path: Path, body: str) -> list[str]:
    path = tmp_path / "child.py"
    path.write_text(
        f"import json, sys, time\nfor line in sys.stdin:\n    request = json.loads(line)\n{body}"
    )
    return [sys.executable, str(path)]


def held(argv: list[str], paths: list[Path], patience: float = 30) -> list[Result]:
    """What came of playing these recordings to that child."""
    return list(conform(argv, recorded(paths, ()), patience, lambda done: None))


FINE = "    print(json.dumps({'events': []}), flush=True)\n"
FAULTS = {
    "dies": ("    sys.exit('out of luck')\n", "death", "it said: out of luck"),
    "says nothing": ("    time.sleep(60)\n", "silence", "no answer within 1 s"),
    "answers twice": (FINE + FINE, "noise", '{"events": []}'),
    "greets": ("    print('ready', flush=True)\n" + FINE, "answer", "no JSON object: ready"),
    "answers half a line": (
        "    print('{\"events\"', end='', flush=True)\n    sys.exit()\n", "answer",
        "no JSON object",
    ),
    "says goodbye": (FINE + "print('bye', flush=True)\n", "noise", "than requests: bye"),
    "answers in words": ("    print('hello', flush=True)\n", "answer", "no JSON object: hello"),
    "answers nothing": ("    print('{}', flush=True)\n", "answer", "neither events nor an error"),
    "answers no events": (
        "    print(json.dumps({'events': [{'type': 'final'}]}), flush=True)\n", "answer",
        "no events of turn/1",
    ),
    "answers an array": ("    print('[]', flush=True)\n", "answer", "no events of turn/1"),
    "refuses": (
        "    print(json.dumps({'error': 'not today'}), flush=True)\n", "error", "not today",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "kind", "words"), FAULTS.values(), ids=FAULTS)
def test_a_child_that_breaks_the_protocol(tmp_path: Path, body: str, kind: str, words: str) -> None:
    with Child(script(tmp_path, body), patience=1) as child, pytest.raises(AdapterFault) as caught:
        child.begin(BEGIN)
        child.feed(HELLO)
        child.feed(HELLO)
        child.finish()
    assert caught.value.kind == kind
    assert words in caught.value.message


def test_what_a_child_said_too_much_is_no_finding_of_a_part_it_was_not_asked_of(
    tmp_path: Path,
) -> None:
    parting = script(tmp_path, FINE + "print('bye', flush=True)\n")
    skipped = Result(path="codex-exec/approved", scenario="approved", skipped="no frame for it")
    path = LIBRARY / "codex-exec" / "0.171.0" / "bad-config.cassette.jsonl"
    parts = [skipped, *recorded([path], ()), skipped]
    first, played, last = conform(parting, parts, 30, lambda done: None)
    assert first == last == skipped
    assert played.findings[-1].message.startswith("noise: ")


def test_a_child_that_never_stops_talking_costs_no_memory() -> None:
    """A hundred megabytes that nobody asked for: what shows that is kept, and no more."""
    chatty = [sys.executable, "-c", "for _ in range(100): print(('x' * 1023 + chr(10)) * 1024)"]
    tracemalloc.start()
    try:
        with Child(chatty) as child, pytest.raises(AdapterFault) as caught:
            child.finish()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.kind == "noise"
    assert most < 8 << 20


def test_a_child_that_does_not_read_holds_nothing_up() -> None:
    """A frame larger than a pipe: the answer is due all the same."""
    large = Frame("agent", "out", 1, 0, TextUnit("x" * (4 << 20), LineFraming()))
    deaf = [sys.executable, "-c", "import time; time.sleep(600)"]
    with Child(deaf, patience=0.5) as child, pytest.raises(AdapterFault) as caught:
        child.feed(large)
    assert caught.value.kind == "silence"


def test_what_a_child_does_wrong_is_a_finding_and_hides_no_other_recording(
    tmp_path: Path,
) -> None:
    paths = sorted((LIBRARY / "claude-stream-json" / "2.1.215").glob("*.jsonl"))[:3]
    dying = script(tmp_path, "    sys.exit(3)\n")
    results = held(dying, paths, patience=1)
    assert [[f.message.split(":")[0] for f in one.findings] for one in results] == [["death"]] * 3


def test_a_wrong_turn_is_a_finding_of_its_clause(tmp_path: Path) -> None:
    """A child that is right but for one thing fails in that thing."""
    meddling = tmp_path / "meddling.py"
    meddling.write_text(
        "import sys\n"
        "from turnreel.conformance.answering import answers\n"
        "for answer in answers(sys.stdin.buffer):\n"
        "    sys.stdout.buffer.write(answer.replace(b'\"terminal\":true', b'\"terminal\":false'))\n"
        "    sys.stdout.buffer.flush()\n"
    )
    path = LIBRARY / "claude-stream-json" / "2.1.215" / "multi-tool.cassette.jsonl"
    argv = [sys.executable, str(meddling)]
    (result,) = held(argv, [path])
    assert {finding.clause for finding in result.findings} == {"E1"}


def test_a_child_without_snapshots_is_played_again_for_every_cut(tmp_path: Path) -> None:
    forgetful = tmp_path / "forgetful.py"
    forgetful.write_text(
        "import sys\n"
        "from turnreel.conformance.answering import answers\n"
        "def asked():\n"
        "    for line in sys.stdin.buffer:\n"
        "        yield b'{}' if b'\"snapshot\"' in line[:12] else line\n"
        "for answer in answers(asked()):\n"
        "    sys.stdout.buffer.write(answer)\n"
        "    sys.stdout.buffer.flush()\n"
    )
    path = LIBRARY / "claude-stream-json" / "2.1.215" / "multi-tool.cassette.jsonl"
    argv = [sys.executable, str(forgetful)]
    (result,) = held(argv, [path])
    assert result.ok
    assert result.cases["cut"] >= 24


@pytest.mark.parametrize(
    "line",
    [b"", b"nonsense", b"[]", b'{"frame":3}', b'{"frame":{"track":"agent"}}', b"\xff", b"{}",
     b'{"signal":{"kind":"invented","track":"h","number":1,"at_us":1}}', b'{"restore":9}'],
)  # fmt: skip
def test_our_child_answers_what_is_no_request(line: bytes) -> None:
    begin = encode(Request(begin=BEGIN))
    told = [json.loads(answer) for answer in answers([line, begin, line, begin])]
    assert len(told) == 4
    assert "error" in told[0] and "error" in told[2]
    assert told[1] == told[3] == {"events": []}


def reference(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", DOC, re.S)
    assert found is not None
    return found[1]


def hello(argv: list[str]) -> None:
    """What both reference children can do: one frame, numbered by session and run."""
    with Child(argv, patience=30) as child:
        child.begin(BEGIN)
        assert not child.keeps(1)
        (event,) = child.feed(HELLO)
        assert (event.id, event.run_id) == ("s.1:1", "s.1")
        (event,) = child.feed(HELLO)
        assert event.run_id == "s.2"
        assert child.feed(ARRIVALS[1]) == child.feed(ARRIVALS[5]) == ()


def test_the_python_child_of_the_documentation(tmp_path: Path) -> None:
    path = tmp_path / "child.py"
    path.write_text(reference("python"))
    assert len(reference("python").splitlines()) <= 20
    hello([sys.executable, str(path)])


def test_the_typescript_child_of_the_documentation(node: str, tmp_path: Path) -> None:
    path = tmp_path / "child.mjs"
    path.write_text(reference("ts").replace(": object[]", ""))  # its only type
    hello([node, str(path)])


def test_a_recordings_events_are_the_same_in_process_and_in_lock_step() -> None:
    path = LIBRARY / "codex-exec" / "0.171.0"
    recording = load(sorted(path.glob("*.jsonl"))[0])
    translator = recording.translator()
    here = [event for one in recording.arrivals for event in translator.feed(one)]
    header = recording.header
    begin = Begin(
        session=header.id,
        agent=header.agent.name,
        tracks=tuple(Track(t.id, t.dialect) for t in header.tracks),
    )
    with Child(argv_of(OWN), patience=30) as child:
        child.begin(begin)
        assert [event for one in recording.arrivals for event in child.feed(one)] == here
