"""`.ci/environment` believes no interpreter that it has not started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "environment"
BROKEN = "#!/bin/sh\necho 'command not found in the selected version' >&2\nexit 127\n"
TOOLS = ("sh", "dirname")


def claims(minor: int) -> str:
    """An interpreter that says it is Python 3.`minor`."""
    return f"#!/bin/sh\necho {minor}\n"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A PATH without any Python on it."""
    for tool in TOOLS:
        source = next(p for p in (Path("/bin", tool), Path("/usr/bin", tool)) if p.exists())
        (tmp_path / tool).symlink_to(source)
    return tmp_path


def install(machine: Path, name: str, program: str) -> None:
    (machine / name).write_text(program)
    (machine / name).chmod(0o755)


def script(machine: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPT, *words], env={"PATH": str(machine)}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("installed", "chosen"),
    [
        ({"python3.13": BROKEN, "python3.12": BROKEN, "python3": claims(11)}, "python3"),
        ({"python3.13": BROKEN, "python3.12": claims(12), "python3": claims(11)}, "python3.12"),
        ({"python3.11": claims(11), "python3": claims(13)}, "python3"),
        ({"python3.11": claims(11), "python3": claims(14)}, "python3.11"),
        ({"python3": claims(14)}, "python3"),
        ({"python3.12": claims(11), "python3.11": claims(11)}, "python3.11"),
    ],
)
def test_the_newest_that_works_is_taken(
    machine: Path, installed: dict[str, str], chosen: str
) -> None:
    for name, program in installed.items():
        install(machine, name, program)
    found = script(machine, "--find")
    assert (found.returncode, found.stdout, found.stderr) == (0, f"{chosen}\n", "")


@pytest.mark.parametrize("installed", [{}, {"python3": BROKEN}, {"python3": claims(10)}])
def test_none_is_one_line_that_says_what_to_do(machine: Path, installed: dict[str, str]) -> None:
    for name, program in installed.items():
        install(machine, name, program)
    found = script(machine, "--find")
    assert found.returncode == 1
    assert found.stdout == ""
    assert found.stderr.splitlines() == [
        "environment: no working Python 3.11 or newer on the PATH "
        "(install one, or name one: make PYTHON=/path/to/python3)"
    ]


def test_an_old_interpreter_that_was_asked_for_is_refused(machine: Path, tmp_path: Path) -> None:
    install(machine, "old", claims(9))
    refused = script(machine, str(tmp_path / "venv"), str(machine / "old"))
    assert refused.returncode == 1
    assert refused.stderr == (
        f"environment: {machine / 'old'} is Python 3.9; turnreel needs 3.11 or newer\n"
    )


def test_a_folder_that_is_no_environment_is_left_alone(machine: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "work.txt").write_text("mine")
    refused = script(machine, str(precious), sys.executable)
    assert refused.returncode == 1
    assert refused.stderr.endswith(f"{precious} exists and is no environment\n")
    assert (precious / "work.txt").read_text() == "mine"
