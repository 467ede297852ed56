"""The way back: ``codex exec`` reads its prompt and nothing else.

A turn is cancelled by SIGINT to the process, which prints no frame for it. Approvals and questions
are refused inside the agent.
"""

from __future__ import annotations


def message(text: str) -> bytes:
    """The prompt of a run whose command line carries none: all of stdin, which ends after it."""
    return text.encode()
