"""The command line: thin commands, no logic, and the only place that composes rooms which do not
know each other.

What may never be here: a rule of the product. A command reads its arguments, calls a room, prints
what it returned, and chooses an exit code. Modules of commands are imported when their command is
invoked, so that ``turnreel --help`` costs little more than starting Python.
"""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """The ``turnreel`` command: runs `sys.argv` and exits with its status."""
    from .failures import run
    from .streams import prepare

    prepare()
    sys.exit(run(sys.argv[1:]))
