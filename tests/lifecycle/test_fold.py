"""What a person sees: entries in place, duplicates harmless, near-duplicates one line."""

from __future__ import annotations

from typing import Any

import pytest

from turnreel.lifecycle.events import (
    Activity,
    AnyEvent,
    Commentary,
    Failed,
    Final,
    Health,
    InputRequested,
    InputResolved,
    Plan,
    PlanItem,
    RunStarted,
)
from turnreel.lifecycle.fold import (
    ActivityEntry,
    CommentaryEntry,
    GateEntry,
    HealthEntry,
    PlanEntry,
    fold,
    key_of,
    keyed_entries,
)
from turnreel.lifecycle.near_duplicates import near_duplicates


class Script:
    """Events of runs in the order they are written."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []
        self.seqs: dict[str, int] = {}

    def add(self, event: type[Any], run: str = "s.1", **fields: Any) -> Script:
        seq = self.seqs[run] = self.seqs.get(run, 0) + 1
        self.events.append(event(id=f"{run}:{seq}", run_id=run, seq=seq, at_ms=seq * 10, **fields))
        return self

    def start(self, run: str = "s.1", parent: str | None = None) -> Script:
        return self.add(
            RunStarted, run, thread_id="s/0", agent="a", dialect="d", parent_run_id=parent
        )

    def say(self, text: str, message: str = "m", **more: Any) -> Script:
        return self.add(Commentary, message_id=message, **{"done": True, "text": text, **more})

    def tool(self, state: str, activity: str = "a") -> Script:
        return self.add(Activity, activity_id=activity, kind="file_read", name="Read", state=state)

    def final(self, run: str = "s.1", text: str = "Done.") -> Script:
        return self.add(
            Final, run, message_id="f", text=text, outcome="completed", health="healthy"
        )


def test_entries_keep_their_place_and_take_their_latest_state() -> None:
    script = Script().start().say("Reading.").tool("started").say("More.", "n").tool("ok")
    script.add(InputRequested, request_id="g", kind="approval", prompt="Allow?")
    script.add(InputResolved, request_id="g", kind="approval", resolution="approved")
    script.add(Health, state="degraded", code="rate_limited").final()
    (view,) = fold(script.events)
    assert view.entries == (
        CommentaryEntry("Reading."),
        ActivityEntry("Read", "file_read", "ok"),
        CommentaryEntry("More."),
        GateEntry("approval", "approved"),
        HealthEntry("degraded", "rate_limited"),
    )
    assert view.terminal is not None and view.terminal.text == "Done."
    assert view.thought_ms == 90


def test_an_entry_has_the_keys_of_all_its_events() -> None:
    """Two lines that say the same are one, of both messages; every event but start and end tells
    of one entry."""
    script = Script().start().say("Reading it").say("Reading it now.", "n").tool("started")
    script.add(Health, state="degraded", code="rate_limited")
    script.add(Health, state="degraded", code="rate_limited").tool("ok").final()
    entries = keyed_entries(script.events)
    assert entries == (
        (CommentaryEntry("Reading it now."), ("m", "n")),
        (ActivityEntry("Read", "file_read", "ok"), ("a",)),
        (HealthEntry("degraded", "rate_limited"), ("h5", "h6")),
    )
    assert fold(script.events)[0].entries == tuple(entry for entry, _ in entries)
    told = [key_of(event) for event in script.events]
    assert told == ["", "m", "n", "a", "h5", "h6", "a", ""]


def test_offsets_continue_revisions_replace_and_retractions_remove() -> None:
    script = Script().start().say("Look", done=False).say("ing.", offset=4)
    assert fold(script.events)[0].entries == (CommentaryEntry("Looking."),)
    script.say("Seen.", revision=2)
    assert fold(script.events)[0].entries == (CommentaryEntry("Seen."),)
    script.say("", revision=3, retracted=True)
    assert fold(script.events)[0].entries == ()


def test_the_plan_is_replaced_where_it_stands() -> None:
    old, new = (PlanItem("A", "active"),), (PlanItem("A", "done"), PlanItem("B", "active"))
    script = Script().start().add(Plan, items=old).say("Next.").add(Plan, items=new)
    assert fold(script.events)[0].entries == (PlanEntry(new), CommentaryEntry("Next."))


def test_only_the_first_terminal_counts() -> None:
    script = Script().start().final()
    script.add(Failed, message_id="x", text="No.", outcome="failed", health="degraded", code="auth")
    (view,) = fold(script.events)
    assert view.terminal is not None and view.terminal.type == "final"


def test_order_and_repetition_do_not_matter() -> None:
    script = Script().start().say("A.").tool("started").tool("ok").final()
    shuffled = [*reversed(script.events), *script.events]
    assert fold(shuffled) == fold(script.events)


def test_children_stand_beneath_their_parent_and_are_counted() -> None:
    script = Script().start().start("s.2", parent="s.1").start("s.10", parent="s.1")
    script.final("s.2").final()
    (view,) = fold(script.events)
    assert [child.run_id for child in view.children] == ["s.2", "s.10"]
    assert view.children_outcomes == {"completed": 1, "running": 1}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Reading the file", "reading  the file.", True),
        ("Reading", "Reading the file", True),
        ("Step 1 done", "Step 2 done", False),
        ("Step 1", "Step 12", False),
        ("Reading a.csv", "Reading b.csv", False),
        ("Reading", "Reading a.csv", False),
        ("Found it", "Lost it", False),
        ("", "Found it", False),
    ],
)
def test_near_duplicates(one: str, other: str, same: bool) -> None:
    assert near_duplicates(one, other) is same
    assert near_duplicates(other, one) is same


def test_the_same_trouble_told_twice_is_one_row() -> None:
    script = Script().start()
    for attempt in (1, 2):
        script.add(Health, state="degraded", code="rate_limited", attempt=attempt)
    script.add(Health, state="recovered", code="rate_limited")
    assert fold(script.events)[0].entries == (
        HealthEntry("degraded", "rate_limited"),
        HealthEntry("recovered", "rate_limited"),
    )


def test_lines_across_a_tool_are_never_one() -> None:
    script = Script().start().say("Reading.").tool("started").say("Reading.", "n")
    assert len(fold(script.events)[0].entries) == 3


def test_a_long_word_costs_no_more_than_it_is_long() -> None:
    """An answer may hold a megabyte without white space; its neighbour may repeat it."""
    word = "a1b2c3d4" * 125_000
    assert near_duplicates(word, f"{word}.")
    assert not near_duplicates(word, f"{word}5")


def test_kin_that_cannot_be_kin_stand_by_themselves() -> None:
    """Total: a parent that did not begin before its child, or is the child, is no parent."""
    script = Script().start("s.1", parent="s.2").start("s.2", parent="s.1").start("s.3", "s.3")
    views = fold(script.events)
    assert [view.run_id for view in views] == ["s.1", "s.3"]
    assert [child.run_id for child in views[0].children] == ["s.2"]


def test_a_thousand_generations_are_folded() -> None:
    script = Script().start("s.1")
    for number in range(2, 3000):
        script.start(f"s.{number}", parent=f"s.{number - 1}")
    (view,) = fold(script.events)
    depth = 1
    while view.children:
        (view,) = view.children
        depth += 1
    assert depth == 2999


def test_what_began_a_run_is_told_by_its_place() -> None:
    script = Script().start().start("s.2", parent="s.1")
    begun = {"thread_id": "s/0", "agent": "a", "dialect": "d"}
    script.add(RunStarted, "s.3", caused_by="s.1", **begun)
    script.add(RunStarted, "s.4", continues="s.3", **begun)
    script.add(RunStarted, "s.5", caused_by="s.9", **begun)
    views = fold(reversed(script.events))
    assert [(one.caused_by, one.continues) for one in views] == [
        (None, None), (1, None), (None, 2), (None, None),
    ]  # fmt: skip
