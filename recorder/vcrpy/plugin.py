"""For pytest-recording, in a suite's conftest.py:

    pytest_plugins = ["turnreel.recorder.vcrpy.plugin"]

Every cassette of the suite is then kept by us. Record modes, markers, further cassettes and the
suite's ``vcr_config`` are pytest-recording's, as before.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from vcr import VCR

_CONFIGURED: Final = pytest.StashKey[dict[str, Any]]()
_MARKED: Final = pytest.StashKey[dict[str, Any]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """``turnreel_policy`` in the suite's settings: the file of the project's own policy lines."""
    parser.addini("turnreel_policy", "fields that may land beside the usual ones", "paths")


@pytest.hookimpl(optionalhook=True)
def pytest_recording_configure(config: pytest.Config, vcr: VCR) -> None:
    """Called for each test, before its cassette is looked for."""
    from .persister import Rewriting
    from .using import use

    use(vcr, policy=next(iter(config.getini("turnreel_policy")), None))
    told = config.stash.get(_CONFIGURED, {}) | config.stash.get(_MARKED, {})
    # "rewrite" is known to pytest-recording alone, which removes a file that is not there any more.
    if told.get("record_mode", config.getoption("--record-mode")) == "rewrite":
        vcr.register_persister(Rewriting(vcr.persister.extra_paths, vcr.persister.policy))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What the markers of this test say; the nearest one last."""
    said: dict[str, Any] = {}
    for mark in reversed(list(item.iter_markers("vcr"))):
        said |= mark.kwargs
    item.config.stash[_MARKED] = said


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """What the suite's own ``vcr_config`` says."""
    value = yield
    if fixturedef.argname == "vcr_config" and isinstance(value, dict):
        request.config.stash[_CONFIGURED] = value
    return value
