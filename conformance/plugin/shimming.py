"""The agent of a test: an executable that plays it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from turnreel.replayer.faults import MAX, Plan, spec_of
from turnreel.replayer.installing import Shim, install
from turnreel.replayer.plan import require
from turnreel.replayer.tape import load

from . import recording
from .marks import plan
from .plainly import plainly
from .programs import place
from .recorded import Recorded


@contextmanager
def acted(
    request: pytest.FixtureRequest, cassette: Recorded, fault: object, folder: Path
) -> Iterator[Path]:
    """The agent of `cassette` as a program below `folder` while inside."""
    if cassette.is_new:
        with recording.beside(request, cassette, folder) as program:
            yield program
        return
    planned = plan(request, cassette.marked, fault)
    if "replay_server" in request.fixturenames:
        planned = planned.part("agent")  # the rest is the provider's
    with plainly():
        require(planned, "agent")
        tape = load(cassette.path)
        tape.agent_script()
        program = install(_shim(cassette, planned), place(folder), tape.agent)
    yield program


def _shim(cassette: Recorded, planned: Plan) -> Shim:
    pacing = "max" if planned.pacing == MAX else f"factor:{planned.pacing.factor!r}"
    return Shim(
        cassette=str(cassette.path.absolute()),
        faults=tuple(map(spec_of, planned.faults)),
        pacing=pacing,
        seed=planned.seed,
    )
