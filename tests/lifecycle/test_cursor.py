"""R4: a reader that comes back gets exactly the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lifecycle.playing import Session
from turnreel.lifecycle.cursor import UnknownCursor, rest
from turnreel.lifecycle.fold import fold
from turnreel.lifecycle.observations import Began, Ended, Said, ToolMoved

SESSION = Session()
for turn in ("a", "b", "c"):
    SESSION.sees(Began(turn=turn), Said(turn=turn, message=f"m{turn}", block=0, text="I look."))
    SESSION.sees(ToolMoved(turn=turn, activity="x", state="started", kind="command", name="Bash"))
for turn in ("c", "a", "b"):
    SESSION.sees(Said(turn=turn, message=f"n{turn}", block=0, text="Done."))
    SESSION.sees(Ended(turn=turn, ending="completed"))
EVENTS = SESSION.events


@given(st.lists(st.integers(0, len(EVENTS)), max_size=6))
def test_however_often_it_is_cut_the_union_is_an_uninterrupted_reading(cuts: list[int]) -> None:
    """Whatever a connection delivers before it is lost, the next one goes on after it."""
    read: list[str] = []
    for size in [*cuts, len(EVENTS)]:
        after = read[-1] if read else None
        delivered = [event.id for event in rest(EVENTS, after)]
        read += delivered[:size]
    assert read == [event.id for event in EVENTS]


@given(st.integers(1, len(EVENTS) - 1))
def test_the_view_is_the_same_after_a_reconnect(place: int) -> None:
    before = EVENTS[:place]
    assert fold([*before, *rest(EVENTS, before[-1].id)]) == fold(EVENTS)


def test_a_cursor_of_another_epoch_is_refused() -> None:
    for unknown in ("other.1:1", "s.1:99", ""):
        with pytest.raises(UnknownCursor):
            list(rest(EVENTS, unknown))
