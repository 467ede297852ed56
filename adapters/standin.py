"""Executables that stand in an agent's place: what recorder and replayer put before hosts that
start the agent themselves.
"""

from __future__ import annotations

import shlex
from typing import Final

SHEBANG_LIMIT: Final = 127
"""Characters that a first line may have for every system to read it."""


def executable(python: str, mark: str, program: str) -> str:
    """The text of an executable that runs the Python statements `program` with the interpreter at
    `python`; its first lines say `mark`. Python runs it isolated: what the host says to its own
    Python is not meant for ours, and reaches the agent unchanged.
    """
    begin = f"#!{python} -I\n"
    if " " in python or len(begin) > SHEBANG_LIMIT:
        # A path that a first line cannot hold: a shell program that is a Python program as well.
        begin = f"#!/bin/sh\n'''exec' {shlex.quote(python)} -I \"$0\" \"$@\"\n' '''\n"
    return f"{begin}{mark}\n{program}"
