"""The catalogue is what the commands say, and help imports none of them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from turnreel import cli
from turnreel.cli.catalogue import ENTRIES, GROUPS
from turnreel.cli.root import root


def load(name: str) -> click.Command:
    command = root.get_command(click.Context(root), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", ENTRIES)
def test_the_catalogue_says_what_the_command_says(name: str) -> None:
    command = load(name)
    assert command.name == name
    assert command.help is not None
    assert command.help.split("\n\n")[0].replace("\n", " ").strip() == ENTRIES[name].summary


@pytest.mark.parametrize("name", ENTRIES)
def test_every_command_shows_examples(name: str) -> None:
    command = load(name)
    assert command.epilog is not None
    assert "Examples:" in command.epilog
    assert f"turnreel {name}" in command.epilog


def test_every_module_of_a_command_is_in_the_catalogue() -> None:
    folder = Path(str(cli.__file__)).parent
    with_command = {
        path.stem
        for path in folder.glob("*.py")
        if hasattr(import_module(f"turnreel.cli.{path.stem}"), "command")
    }
    assert with_command == {entry.module for entry in ENTRIES.values()}


def test_a_name_stands_in_one_group() -> None:
    names = [entry.name for entries in GROUPS.values() for entry in entries]
    assert len(names) == len(set(names))


def test_help_imports_no_room_and_no_command() -> None:
    program = (
        "import sys\n"
        "from turnreel.cli.failures import run\n"
        "run(['--help'])\n"
        "print(*sorted(m for m in sys.modules if m.startswith('turnreel')), file=sys.stderr)"
    )
    child = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert set(child.stderr.split()) == {
        "turnreel",
        "turnreel.cli",
        "turnreel.cli.catalogue",
        "turnreel.cli.failures",
        "turnreel.cli.root",
    }
    assert all(f"{title}:" in child.stdout for title in GROUPS)
    assert all(entry.summary in child.stdout for entry in ENTRIES.values())
