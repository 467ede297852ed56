"""The pytest plugin: a recording as the provider, the agent, and the right turn of a test.

Every run of pytest on a machine with turnreel imports this module, so it holds hooks and fixtures
alone, and whatever they do is imported when a test asks for it. Nothing here reaches the network
unless ``--turnreel-record`` says so, and where ``CI`` is set nothing does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .comparing import Turn
    from .recorded import Recorded
    from .serving import ReplayServer

MARKER = (
    "cassette(path, *faults, plan=None, seed=None, pacing='max', provider=None, agent=None, "
    "dialect=None, keep_text=False): the recording that a test plays, and what shall go wrong"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--turnreel-record``."""
    parser.getgroup("turnreel", "agents' recordings").addoption(
        "--turnreel-record",
        choices=("none", "once", "all"),
        default="none",
        help="Record cassettes that are missing (once) or every one (all); never where CI is set.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The marker."""
    config.addinivalue_line("markers", MARKER)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Says so where something may be recorded."""
    if config.getoption("turnreel_record") == "none":
        return None
    from .recording import mode_of

    mode = mode_of(config)
    return f"turnreel: recording {mode}" if mode != "none" else "turnreel: CI is set, none recorded"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A cassette that is named, or that the project collects, is a test of its own."""
    if ".cassette.jsonl" not in file_path.name:
        return None
    from .collecting import collected

    return collected(file_path, parent)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Where a turn is not the one that came out: both, line by line."""
    import sys

    comparing = sys.modules.get(f"{__name__}.comparing")  # no turn without it
    if op != "==" or comparing is None:
        return None
    told: list[str] | None = comparing.explained(left, right)
    return told


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """A failing test tells how its turn differs, and what its replay server answered."""
    if call.excinfo is None or call.when != "call":
        return
    asked: dict[str, object] = getattr(item, "funcargs", {})
    for name in ("turn", "replay_server"):
        lines: tuple[str, ...] = getattr(asked.get(name), "explanation", ())
        if lines:
            item.add_report_section("call", f"turnreel {name}", "\n".join(lines))


@pytest.fixture
def fault() -> None:
    """What shall go wrong, beside what the marker says: nothing. Parametrize it with specs, as
    ``@pytest.mark.parametrize("fault", ["status:429", "cut:reset@event=5"])``, or override it.
    """


@pytest.fixture
def cassette(request: pytest.FixtureRequest) -> Recorded:
    """The recording of the test's ``cassette`` marker."""
    from .marks import recorded

    return recorded(request)


@pytest.fixture
def turn(cassette: Recorded) -> Turn:
    """The right turn: the ``.turn`` beside the cassette. Compares equal to what came out."""
    from .comparing import Turn

    return Turn(cassette)


@pytest.fixture
def replay_server(
    request: pytest.FixtureRequest, cassette: Recorded, fault: object
) -> Iterator[ReplayServer]:
    """The cassette's provider on a base URL (`url`), with the faults of marker and `fault`. One
    that did not happen as often as planned fails the test.
    """
    from .serving import provided

    with provided(request, cassette, fault) as server:
        yield server


@pytest.fixture
def agent_shim(
    request: pytest.FixtureRequest, cassette: Recorded, fault: object, tmp_path: Path
) -> Iterator[Path]:
    """An executable that plays the cassette's agent, and is named like it."""
    from .shimming import acted

    with acted(request, cassette, fault, tmp_path) as program:
        yield program
