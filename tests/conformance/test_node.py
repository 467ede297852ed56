"""An adapter in JavaScript that qualifies, and the same with one defect: found, and named by its
clause alone.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from turnreel.adapters.base import Arrival, Edge, Frame
from turnreel.conformance.child import Child
from turnreel.conformance.conforming import CUTS, conform
from turnreel.conformance.describe import demand
from turnreel.conformance.discovery import cassettes_under
from turnreel.conformance.findings import Result
from turnreel.conformance.lockstep import Begin, Track
from turnreel.conformance.parts import recorded, scripted
from turnreel.conformance.recording import SPACING, Recording, load
from turnreel.lifecycle.events import Commentary
from turnreel.lifecycle.receipts import digest_of
from turnreel.lifecycle.signals import (
    CancelRequested,
    Closed,
    Exited,
    Message,
    Receipt,
    Reopened,
)
from turnreel.wire.units import JsonUnit, LineFraming, TextUnit, TornUnit

ROOT = Path(__file__).parents[2]
RECORDINGS = cassettes_under([ROOT / "cassettes" / "library" / "codex-exec"])
NODE = Path(__file__).with_name("node")
DIALECT = "codex-exec"

DEFECTS = {
    "gapped-numbers": "E2",
    "second-terminal": "T1",
    "late-revival": "T2",
    "unstable-ids": "R5",
    "ids-of-no-session": "R4",
    "exit-as-success": "T4",
    "error-as-answer": "C5",
    "commentary-in-final": "C2",
    "trouble-forgotten": "O2",
    "cancel-as-failure": "T7",
}


def held(argv: list[str], folder: Path) -> list[Result]:
    """What came of every recording and every scenario."""
    parts = [*recorded(RECORDINGS, [DIALECT]), *scripted([DIALECT], [], folder)]
    return list(conform(argv, parts, 30, lambda done: None))


def test_it_qualifies(node: str, tmp_path: Path) -> None:
    results = held([node, str(NODE / "child.mjs")], tmp_path)
    assert [(one.path, one.findings) for one in results if not one.ok] == []
    standing = Counter("-" if one.skipped else one.scenario and "ok" for one in results)
    assert standing == {"": len(RECORDINGS), "ok": 25, "-": 12}
    limited = {one.scenario: one.limits for one in results if one.limits and not one.skipped}
    assert limited == {"subagent": ("children",), "subagent-failed": ("children",)}
    tried = [one.cases for one in results if not one.skipped]
    assert all(cases["contract"] == cases["prefix"] == cases["duplicate"] == 1 for cases in tried)
    assert max(cases["cut"] for cases in tried) >= CUTS


@pytest.mark.parametrize(("defect", "clause"), DEFECTS.items())
def test_one_defect_is_found_as_what_it_is(
    node: str, tmp_path: Path, defect: str, clause: str
) -> None:
    results = held([node, str(NODE / "broken.mjs"), defect], tmp_path)
    findings = [finding for one in results for finding in one.findings]
    assert {finding.clause for finding in findings} == {clause}
    assert demand(clause), "a person reads what it demands"
    assert all(one.message and (one.frames or one.actual) for one in findings)


def test_every_defect_is_tried(node: str) -> None:
    """The list in JavaScript and the one here are the same."""
    asked = subprocess.run([node, str(NODE / "broken.mjs")], capture_output=True, text=True)
    assert asked.returncode == 2
    assert asked.stderr.strip().partition("one of: ")[2].split(", ") == list(DEFECTS)


def test_every_defect_is_documented() -> None:
    page = (ROOT / "docs" / "lockstep.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| [^|]+ \| ([A-Z]\d+) \|$", page, re.M)
    assert dict(rows) == DEFECTS


def test_it_tells_what_our_own_adapter_tells(node: str) -> None:
    """To the letter, ids, evidence and times included: of recordings as they are, and of storms."""
    storm = random.Random(7)
    with Child([node, str(NODE / "child.mjs")], patience=30) as child:
        for recording in map(load, RECORDINGS):
            for arrivals in (recording.arrivals, *_storms(recording, storm)):
                translator = recording.translator()
                here = [tuple(translator.feed(one)) for one in arrivals]
                assert _told(child, recording, arrivals) == here, recording.path.name


def test_a_line_separator_inside_a_text_ends_no_line(node: str) -> None:
    text = "one\u2028two\u2029three\x85four"
    said = {"type": "item.completed", "item": {"type": "agent_message", "id": "i", "text": text}}
    called = {"type": "item.started", "item": {"type": "file_change", "id": "j"}}
    arrivals = [
        Frame("agent", "out", n, 0, JsonUnit(value, LineFraming()))
        for n, value in enumerate((said, called))
    ]
    with Child([node, str(NODE / "child.mjs")], patience=30) as child:
        told = _told(child, load(RECORDINGS[0]), arrivals)
    assert [e.text for one in told for e in one if isinstance(e, Commentary)] == [text]


def _told(child: Child, recording: Recording, arrivals: list[Arrival]) -> list[tuple[object, ...]]:
    header = recording.header
    tracks = tuple(Track(one.id, one.dialect) for one in header.tracks)
    child.begin(Begin(session=header.id, agent=header.agent.name, tracks=tracks))
    return [child.feed(one) for one in arrivals]


def _storms(recording: Recording, storm: random.Random) -> Iterator[list[Arrival]]:
    """The recording with records lost, doubled, strange, and now and then in no order."""
    receipt = Receipt(
        run_id=f"{recording.header.id}.1",
        thread_id=f"{recording.header.id}/0",
        native_turn="t1",
        outcome="completed",
        text_digest=digest_of("A"),
        text="A",
    )
    strange = [*STRANGE, Edge("host", 0, 0, receipt)]
    for _ in range(12):
        drawn = [one for one in recording.arrivals for _ in range(storm.choice((0, 1, 1, 1, 1, 2)))]
        for _ in range(len(drawn) // 4):
            drawn.insert(storm.randrange(len(drawn)), storm.choice(strange))
        if storm.random() < 0.25:
            storm.shuffle(drawn)
        yield [
            replace(one, number=(place + storm.choice((0, 1, 1, 1))) * SPACING, at_us=place * 1000)
            for place, one in enumerate(drawn)
        ]


def _printed(value: object) -> Frame:
    return Frame("agent", "out", 0, 0, JsonUnit(value, LineFraming()))


def _item(kind: str, item: dict[str, object]) -> Frame:
    return _printed({"type": kind, "item": item})


STRANGE: list[Arrival] = [
    Edge("host", 0, 0, CancelRequested()),
    Edge("host", 0, 0, Closed()),
    Edge("host", 0, 0, Exited(code=1)),
    Edge("host", 0, 0, Message()),
    Edge("host", 0, 0, Reopened()),
    Frame("agent", "out", 0, 0, TornUnit(5, "json", LineFraming())),
    Frame("agent", "out", 0, 0, TextUnit("{", LineFraming())),
    _printed([1]),
    _printed({"type": "constructor"}),
    _printed({"type": "turn.completed"}),
    _printed({"type": "turn.failed", "error": None}),
    _printed({"type": "error", "message": "Reconnecting... 1/5 (rate limit exceeded: x)"}),
    _printed({"type": "error", "message": "Quota exceeded. Check your plan and billing details."}),
    _item("item.completed", {"type": "agent_message", "id": "item_0", "text": " A "}),
    _item("item.completed", {"type": "agent_message", "id": "item_0", "text": " "}),
    _item("item.completed", {"type": "agent_message", "id": "item_9", "text": "A"}),
    _item("item.started", {"type": "web_search", "id": "item_2"}),
    _item("item.completed", {"type": "web_search", "id": "item_2"}),
    _item(
        "item.completed", {"type": "mcp_tool_call", "status": "completed", "error": {}, "id": "x"}
    ),
    _item("item.completed", {"type": "toString", "id": "item_1"}),
    _item("item.completed", {"type": "web_search", "id": "item_2", "status": "constructor"}),
    _item("item.updated", {"type": "todo_list", "items": [{"text": "x", "completed": True}, 3]}),
]
"""What a stream may hold and these recordings do not, or not there."""
