"""The tables are whole, and the code takes what they say from them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from turnreel import lifecycle
from turnreel.lifecycle import tables
from turnreel.lifecycle.events import Code, Outcome

ROOM = Path(lifecycle.__file__).parent
CODE = "".join(
    module.read_text(encoding="utf-8")
    for module in sorted(ROOM.glob("*.py"))
    if module.name != "tables.py"
)
MACHINES: dict[str, tuple[Mapping[tuple[Any, Any], Any], Any]] = {
    "run": (tables.RUN, tables.RunPhase),
    "message": (tables.MESSAGE, tables.MessagePhase),
    "activity": (tables.ACTIVITY, tables.ActivityPhase),
    "gate": (tables.GATE, tables.GatePhase),
}


def test_every_happening_has_a_row_and_the_code_asks_for_it() -> None:
    assert set(tables.COUPLING) == set(get_args(tables.Coupled))
    for happening, effect in tables.COUPLING.items():
        assert any(effect), f"{happening} means nothing for anything"
        assert f'"{happening}"' in CODE, f"nothing asks what {happening!r} means"


def test_what_a_happening_causes_is_a_move_of_its_machine() -> None:
    for effect in tables.COUPLING.values():
        for machine, cause in effect._asdict().items():
            causes = {known for _, known in MACHINES[machine][0]}
            assert cause is None or cause in causes


@pytest.mark.parametrize("machine", MACHINES)
def test_every_phase_of_a_machine_is_reached_or_begun_in(machine: str) -> None:
    moves, phases = MACHINES[machine]
    first = get_args(phases)[0]
    assert {first, *moves.values()} == set(get_args(phases))
    assert {before for before, _ in moves} <= set(get_args(phases))


def test_every_code_and_every_outcome_has_its_words() -> None:
    assert set(tables.SENTENCE) == set(get_args(Code))
    assert set(tables.EXIT_STATUS) == set(tables.LEGACY_WORD) == set(get_args(Outcome))
    assert set(get_args(Code)) >= tables.LIMITS | tables.RETRYABLE
    assert not tables.LIMITS & tables.RETRYABLE
