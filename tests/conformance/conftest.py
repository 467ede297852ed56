"""What tests of adapters in other languages share."""

from __future__ import annotations

import shutil
import subprocess

import pytest

OLDEST = 18


@pytest.fixture(scope="session")
def node() -> str:
    """The path of node. `.ci/node` installs it where it is missing."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("there is no node on PATH: no child in JavaScript is tried")
    told = subprocess.run([found, "--version"], capture_output=True, text=True).stdout.strip()
    if int(told.removeprefix("v").split(".")[0]) < OLDEST:
        pytest.skip(f"node is {told}, older than {OLDEST}: no child in JavaScript is tried")
    return found
