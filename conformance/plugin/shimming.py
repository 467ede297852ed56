"""The agent of a test: an executable that plays it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from turnreel.replayer.faults import MAX, Plan, spec_of

from . import recording
from .marks import plan
from .programs import TURNREEL, executable
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
        planned = planned.part("agent")
    words = [*TURNREEL, "shim", *plan_words(planned), str(cassette.path.resolve())]
    yield executable(folder, cassette.header.agent.name, [f'exec {shlex.join(words)} "$@"'])


def plan_words(planned: Plan) -> Iterator[str]:
    """A plan as options of a command."""
    for one in planned.faults:
        yield from ("--fault", spec_of(one))
    yield from ("--seed", str(planned.seed))
    pacing = "max" if planned.pacing == MAX else f"factor:{planned.pacing.factor!r}"
    yield from ("--pacing", pacing)
