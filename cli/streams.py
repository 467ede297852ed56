"""The standard streams a command starts with, made fit for use.

Whoever starts a program may close any of them (``>&-``). The next file opened would then take the
number, and what is meant for stdout would end up in it.
"""

from __future__ import annotations

import io
import os
import sys


def prepare() -> None:
    """A stream that is closed becomes /dev/null, and stdout prints every file name.

    Call once, before anything is opened.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # takes the lowest free number
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115  they live as long as we do
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_errors(sys.stdout.encoding))


def _errors(encoding: str) -> str:
    """How stdout prints what its encoding cannot hold: a name that is no UTF-8 as the bytes it is,
    anything else as an escape.
    """
    return "surrogateescape" if encoding.lower().replace("-", "") == "utf8" else "backslashreplace"
