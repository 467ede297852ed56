"""Statuses for callers, derived from what a run came to and never stored (O7)."""

from __future__ import annotations

from .fold import TerminalEntry
from .tables import EXIT_STATUS, LEGACY_WORD


def exit_status(terminal: TerminalEntry | None) -> int:
    """The process status: completed 0, failed 1, incomplete or abandoned 3 (so is a run that is
    still open), interrupted 130, blocked 75. 2 is left for callers' mistakes."""
    if terminal is None or terminal.code == "incomplete":
        return EXIT_STATUS["abandoned"]
    return EXIT_STATUS[terminal.outcome]


def legacy_word(terminal: TerminalEntry | None) -> str:
    """The single word of older readers: running, completed, failed, interrupted or waiting."""
    return "running" if terminal is None else LEGACY_WORD[terminal.outcome]
