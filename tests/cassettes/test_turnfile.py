"""Turn files say the fold, and are read back."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from turnreel.cassettes import CassetteError
from turnreel.cassettes.turnfile import parse_turns, read_turns, render_turns
from turnreel.lifecycle import events
from turnreel.lifecycle.events import PlanItem
from turnreel.lifecycle.fold import (
    ActivityEntry,
    ArtifactEntry,
    CommentaryEntry,
    GateEntry,
    HealthEntry,
    PlanEntry,
    RunView,
    SourceEntry,
    TerminalEntry,
)

TURN = """\
run
  commentary "I'll look at the \\"report\\" — no: first.\\nThen:"
  commentary "Cut he" unfinished
  activity Read file_read ok
  activity "my tool" other unknown
  plan done "Read" active "Sum up"
  gate approval declined
  gate question open
  source "Annual report"
  artifact "sum.csv"
  health recovered rate_limited
  final "The total is 42." positional recovered
  run
    failed max_turns healthy
  run
    open
run
  needs_input "Which quarter?" healthy
run
  cancelled degraded
"""


def view(
    *entries: object, terminal: TerminalEntry | None = None, children: tuple[RunView, ...] = ()
) -> RunView:
    health = terminal.health if terminal else "healthy"
    return RunView("", entries, terminal, health, children)  # type: ignore[arg-type]


VIEWS = (
    view(
        CommentaryEntry('I\'ll look at the "report" — no: first.\nThen:'),
        CommentaryEntry("Cut he", done=False),
        ActivityEntry("Read", "file_read", "ok"),
        ActivityEntry("my tool", "other", "unknown"),
        PlanEntry((PlanItem("Read", "done"), PlanItem("Sum up", "active"))),
        GateEntry("approval", "declined"),
        GateEntry("question", None),
        SourceEntry("Annual report"),
        ArtifactEntry("sum.csv"),
        HealthEntry("recovered", "rate_limited"),
        terminal=TerminalEntry(
            "final", "The total is 42.", "completed", "recovered", confidence="positional"
        ),
        children=(
            view(terminal=TerminalEntry("failed", "", "failed", "healthy", "max_turns")),
            view(),
        ),
    ),
    view(terminal=TerminalEntry("needs_input", "Which quarter?", "blocked", "healthy")),
    view(terminal=TerminalEntry("cancelled", "", "interrupted", "degraded")),
)


def test_the_file_is_the_fold() -> None:
    assert render_turns(VIEWS) == TURN
    assert parse_turns(TURN) == VIEWS


def test_nothing_acts_on_a_terminal_or_hides() -> None:
    text = render_turns([view(CommentaryEntry("a\x1b[2J\x9b\u202eb\u2028\u00a0é😀"))])
    assert text == 'run\n  commentary "a\\u001b[2J\\u009b\\u202eb\\u2028\u00a0é😀"\n  open\n'


def words(alias: object) -> st.SearchStrategy[str]:
    return st.sampled_from(get_args(alias))


texts = st.text(st.characters(exclude_categories=["Cs"]))
entries = st.one_of(
    st.builds(CommentaryEntry, texts, st.booleans()),
    st.builds(ActivityEntry, texts, words(events.ActivityKind), words(events.ActivityState)),
    st.builds(GateEntry, words(events.GateKind), st.none() | words(events.Resolution)),
    st.builds(
        PlanEntry,
        st.lists(st.builds(PlanItem, texts, words(events.PlanState)), max_size=3).map(tuple),
    ),
    st.builds(HealthEntry, words(events.HealthState), words(events.Code)),
    st.builds(SourceEntry, texts),
    st.builds(ArtifactEntry, texts),
)
confidences = st.none() | words(events.Confidence)
terminals = st.none() | st.one_of(
    st.builds(
        TerminalEntry, st.just("final"), texts, st.just("completed"), words(events.HealthState),
        st.none(), confidences,
    ),
    st.builds(
        TerminalEntry, st.just("failed"), st.just(""), st.just("failed"), words(events.HealthState),
        words(events.Code).filter(lambda code: code != "abandoned"), confidences,
    ),
)  # fmt: skip


@st.composite
def views(draw: st.DrawFn, depth: int = 2) -> RunView:
    terminal = draw(terminals)
    children = draw(st.lists(views(depth - 1), max_size=2)) if depth else []
    one = view(*draw(st.lists(entries, max_size=4)), terminal=terminal, children=tuple(children))
    places = st.none() | st.integers(1, 999)
    return replace(one, caused_by=draw(places), continues=draw(places))


@given(runs=st.lists(views(), max_size=3))
def test_what_is_written_is_read(runs: list[RunView]) -> None:
    text = render_turns(runs)
    assert parse_turns(text) == tuple(runs)
    assert render_turns(parse_turns(text)) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("walk\n", 1),
        ("run caused-by\n", 1),
        ("run caused-by 0\n", 1),
        ("run continues 1 caused-by 1\n", 1),
        ("run caused-by 99999999999\n", 1),
        ("runs\n", 1),
        ("run\n  final 42 healthy x y\n", 2),
        ('run\n  final "x" sick\n', 2),
        ('run\n  final "x\n', 2),
        ("run\n  activity Read file_read\n", 2),
        ("run\n  activity Read file_eat ok\n", 2),
        ('run\n    final "x" healthy\n', 2),
        ('run\n  run\n', 2),
        ('run\n  final "x" healthy\n  commentary "late"\n', 3),
        ('run\n  plan done "a" active\n', 2),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(text: str, line: int) -> None:
    with pytest.raises(CassetteError) as told:
        parse_turns(text, "x.turn")
    assert told.value.message.startswith(f"x.turn:{line}: ")
    assert told.value.remedy


def test_a_run_without_end_is_named() -> None:
    with pytest.raises(CassetteError, match=r"x\.turn: ends where"):
        parse_turns('run\n  commentary "a"\n', "x.turn")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "x.turn"
    with pytest.raises(CassetteError, match="no such file"):
        read_turns(path)
    path.write_text(TURN, encoding="utf-8")
    assert read_turns(path) == VIEWS
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CassetteError, match="not UTF-8"):
        read_turns(path)
