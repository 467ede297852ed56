"""The documents say what the tables say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jsonschema
import msgspec
import pytest

from turnreel.lifecycle import tables
from turnreel.lifecycle.describe import SECTIONS, diagram
from turnreel.lifecycle.events import Final, encode_event, event_schema

HOUSE = Path(__file__).resolve().parents[2]


def test_generated_documents_are_up_to_date() -> None:
    checked = subprocess.run(
        [sys.executable, str(HOUSE / "docs" / "build.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.stdout == ""
    assert checked.returncode == 0


def test_every_section_has_its_place_in_the_page() -> None:
    page = (HOUSE / "docs" / "turn-protocol.md").read_text(encoding="utf-8")
    for name in SECTIONS:
        assert f"<!-- generated: {name} -->" in page


def test_a_diagram_shows_every_move_of_its_table() -> None:
    drawn = diagram(tables.MESSAGE, "pending")
    for (before, cause), after in tables.MESSAGE.items():
        arrow = next(line for line in drawn.splitlines() if f"{before} --> {after}:" in line)
        assert cause in arrow


def test_the_schema_accepts_an_event_and_refuses_a_broken_one() -> None:
    final = Final(
        id="s.1:2",
        run_id="s.1",
        seq=2,
        at_ms=5,
        message_id="s.1/m1",
        text="A.",
        outcome="completed",
        health="healthy",
    )
    data = msgspec.json.decode(encode_event(final))
    schema = event_schema()
    jsonschema.validate(data, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "outcome": "splendid"}, schema)
