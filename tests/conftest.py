"""What every test shares: how hard the laws are tried."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("quick", max_examples=60, deadline=None, derandomize=True)
slow = [HealthCheck.too_slow]
# What a change must pass is the same for everyone: `quick`, for a merge `ci`, and `sanitizers` for
# what nothing may slip through. `deep` looks for new examples, at leisure.
for _name, _examples in (("ci", 400), ("sanitizers", 2_000)):
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=slow,
    )
settings.register_profile("deep", max_examples=2_000, deadline=None, suppress_health_check=slow)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# A job started in the background ignores these, and so would every program that the tests start.
for _number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_number) is signal.SIG_IGN:
        _default = signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL
        signal.signal(_number, _default)

SLOW = (
    "conformance/plugin/",  # suites of users, each a pytest of its own
    "recorder/vcrpy/",
    "recorder/test_har.py",
    "recorder/test_rollouts.py",
    "recorder/test_tap.py",
    "cli/test_client.py",
    "cli/test_importing.py",
    "cli/test_replaying.py",
    "cli/test_round_trip.py",
    "cli/test_serve.py",
    "recorder/test_tap_sdk.py",  # hosts written with an agent's SDK
    "recorder/test_serving.py",  # servers of agents, each a session of processes
    "recorder/test_library.py",  # every cassette of the library, sealed or scanned again
    "recorder/test_sanitizing.py",
    "sanitizers/test_second_opinion.py",
    "sanitizers/canaries/",
    "replayer/test_faults_served.py",  # every fault on every wire and pipe
    "replayer/test_faults_shimmed.py",
)
"""What `make suite` leaves out, and a merge runs."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks what is slow, in one place."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and str(item.path.relative_to(here)).startswith(SLOW):
            item.add_marker(pytest.mark.slow)
