"""The page that describes the format tells the truth."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from turnreel.cassettes import open_cassette, turnfile
from turnreel.cassettes.records import UNIT_CODES
from turnreel.lifecycle.signals import AnySignal

PAGE = (Path(__file__).parents[2] / "docs" / "cassette-format.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_example_is_a_cassette(tmp_path: Path) -> None:
    (example,) = blocks("json")
    path = tmp_path / "example.cassette.jsonl"
    path.write_text(example, encoding="utf-8")
    seal = open_cassette(path).seal
    assert seal is not None and seal.records == 8


def test_the_turn_is_one() -> None:
    (example,) = blocks("text")
    assert turnfile.render_turns(turnfile.parse_turns(example)) == example


def test_the_reader_without_turnreel_reads(tmp_path: Path) -> None:
    (program,) = blocks("python")
    (example,) = blocks("json")
    path = tmp_path / "name.cassette.jsonl"
    path.write_text(example, encoding="utf-8")
    rows: list[tuple[object, ...]] = []
    code = program.replace("name.cassette.jsonl", str(path))
    exec(compile(code, "page", "exec"), {"print": lambda *row: rows.append(row)})
    assert rows == [(r.number, r.at_us, r.track, r.code, r.data) for r in open_cassette(path)]


def test_every_code_has_its_heading() -> None:
    headings = " ".join(re.findall(r"^### (.*)$", PAGE, re.MULTILINE))
    for code in UNIT_CODES:
        assert f"`{code}`" in headings
    signals = {signal.__struct_config__.tag for signal in get_args(AnySignal)} - {"exited"}
    section = PAGE.partition("### Host records")[2].partition("###")[0]
    for signal in signals:
        assert f"`{signal}`" in section
