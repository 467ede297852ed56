"""What a person is asked before a command runs, and what the answers mean."""

from __future__ import annotations

from typing import Final

from turnreel.lifecycle import prompts
from turnreel.lifecycle.events import Resolution

CHOICES: Final[dict[str, Resolution]] = {
    "once": "approved",
    "session": "approved",
    "always": "approved",
    "approve": "approved",
    "approved": "approved",
    "allow": "approved",
    "deny": "declined",
}
"""``choice`` of an answer; any other is none, and nobody answered (G7)."""


def prompt(command: str) -> str:
    """The question before `command` runs in the terminal."""
    return prompts.approval("terminal", command)


def resolution(choice: str) -> Resolution:
    """What an answer does to the question."""
    return CHOICES.get(choice, "withdrawn")
