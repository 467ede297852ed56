"""What a person is asked before a tool may run: the tool's name and, for a command, the program's,
nothing else of the input (Y). One sentence for every agent.
"""

from __future__ import annotations

import re
from typing import Final

_PROGRAM: Final = re.compile(
    r"\s*(?:[A-Za-z_][A-Za-z0-9_]*=\S*\s+)*(?:\S*/)?([A-Za-z0-9._+-]{1,32})(?=\s|\Z)"
)


def program(command: str) -> str:
    """The name of the program a command line runs, without its folder and the variables set for
    it; empty if that cannot be told.
    """
    place = place_of_program(command)
    return command[place] if place is not None else ""


def place_of_program(command: str) -> slice | None:
    """Where in a command line that name stands."""
    match = _PROGRAM.match(command)
    return slice(*match.span(1)) if match else None


def approval(name: str, command: str | None = None) -> str:
    """The prompt of an approval. `command` is the command line of a tool that runs one."""
    ran = program(command) if command else ""
    return f"Allow {name or 'the tool'}{f': {ran}' if ran else ''}?"
