"""What it costs to ask for help, against a click program that does nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .figures import Figure, at_most, median_seconds

BARE = """
import click
@click.group()
def main(): pass
@main.command()
def nothing(): "Nothing."
main()
"""


def measure() -> Iterator[Figure]:
    """`turnreel --help` over the bare program's, both as fresh processes."""
    turnreel = str(Path(sys.executable).with_name("turnreel"))

    def bare() -> None:
        subprocess.run(
            [sys.executable, "-c", BARE, "--help"], check=True, stdout=subprocess.DEVNULL
        )

    def ours() -> None:
        subprocess.run([turnreel, "--help"], check=True, stdout=subprocess.DEVNULL)

    ratio = median_seconds(ours, 15) / median_seconds(bare, 15)
    yield Figure("turnreel --help", ratio, "x", at_most(1.5, 1.2), "a bare click program")
