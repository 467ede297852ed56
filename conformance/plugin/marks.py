"""The ``cassette`` marker: which recording, and how it is to be played or made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
import pytest

from turnreel.conformance.discovery import ENDINGS
from turnreel.conformance.project import cassette_places
from turnreel.replayer.faults import Plan
from turnreel.replayer.plan import load_plan, parse_fault, parse_pacing

from .plainly import plainly, refuse
from .recorded import Recorded
from .recording import is_wanted

EXAMPLE: Final = '@pytest.mark.cassette("total.cassette.jsonl")'


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """What a marker says beside the path. `provider` is the real provider's base URL and `agent`
    the real agent's command, both for recording alone, as are `dialect` and `keep_text`.
    """

    faults: tuple[str, ...] = ()
    plan: str | None = None
    seed: int | None = None
    pacing: str = "max"
    provider: str | None = None
    agent: str | tuple[str, ...] | None = None
    dialect: str | None = None
    keep_text: bool = False


def recorded(request: pytest.FixtureRequest) -> Recorded:
    """The recording that the test's marker names. Fails the test if there is none, and nobody
    asked for it to be recorded.
    """
    name, marked = _marker(request.node)
    with plainly():
        places = _places(request.node, name)
    path = next((place for place in places if place.is_file()), None)
    if not _plans_faults(request.node, marked) and is_wanted(request.config, path):
        return Recorded(path or places[0], marked, is_new=True)
    if path is None:
        looked = ", ".join(str(place) for place in places)
        hint = "pytest --turnreel-record=once makes it"
        if request.config.getoption("turnreel_record") != "none":
            hint = "nothing is recorded where CI is set, or by a test that plans faults"
        refuse(f"{name} is not there: looked at {looked} ({hint})")
    return Recorded(path, marked, is_new=False)


def plan(request: pytest.FixtureRequest, marked: Marked, fault: object) -> Plan:
    """What shall go wrong in this test: the marker's plan file, its faults, and `fault`. Fails the
    test for what is none.
    """
    with plainly():
        base = load_plan(request.path.parent / marked.plan) if marked.plan else Plan()
        specs = (*marked.faults, *_specs(fault))
        return Plan(
            (*base.faults, *map(parse_fault, specs)),
            base.seed if marked.seed is None else marked.seed,
            base.pacing if marked.plan and marked.pacing == "max" else parse_pacing(marked.pacing),
        )


def _plans_faults(node: pytest.Item, marked: Marked) -> bool:
    """Whether something shall go wrong in this test. Then it plays a recording: real providers and
    agents know of no plan.
    """
    given = getattr(getattr(node, "callspec", None), "params", {})
    return bool(marked.faults or marked.plan or given.get("fault"))


def _specs(fault: object) -> Iterable[str]:
    match fault:
        case None:
            return ()
        case str():
            return (fault,)
        case [*specs] if all(isinstance(spec, str) for spec in specs):
            return [str(spec) for spec in specs]
    refuse(f"fault is {fault!r}: it is a spec as status:429, or a list of them")


def _marker(node: pytest.Item) -> tuple[str, Marked]:
    marker = node.get_closest_marker("cassette")
    if marker is None:
        refuse(f"this test names no recording: write {EXAMPLE} above it")
    match marker.args:
        case [str() | Path() as name, *faults] if all(isinstance(one, str) for one in faults):
            return str(name), _marked(marker.kwargs, tuple(faults))
    refuse(f"the marker names no recording: write {EXAMPLE}, faults as texts behind the path")


def _marked(said: Mapping[str, object], faults: tuple[str, ...]) -> Marked:
    try:
        return msgspec.convert({**said, "faults": faults}, _Strict)
    except msgspec.ValidationError as error:
        takes = ", ".join(name for name in _Strict.__struct_fields__ if name != "faults")
        refuse(f"the cassette marker: {error} (beside faults it takes {takes})")


class _Strict(Marked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """As a person writes it: a word that means nothing is a mistake."""


def _places(node: pytest.Item, name: str) -> list[Path]:
    """Where a recording of that name may stand: beside the test, or where the project keeps its
    cassettes.
    """
    if not name.endswith(ENDINGS):
        name += ENDINGS[0]
    folders = [place for place in cassette_places(node.config.rootpath) if not place.is_file()]
    return [node.path.parent / name, *(folder / name for folder in folders)]
