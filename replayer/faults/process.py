"""Faults of the agent's process: how it ends, and what it prints that is no frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from .places import AtTime, EventPlace
from .words import AGENT, BETWEEN, EVENT, AnyFault, Word

Code = Annotated[int, Ge(0), Le(255)]
Lines = Annotated[int, Ge(1), Le(100_000)]


@dataclass(frozen=True, kw_only=True)
class Exit(AnyFault):
    """the process exits with a code: 0 before its terminal, another one behind it, or anywhere"""

    code: Code
    at: EventPlace | AtTime


@dataclass(frozen=True, kw_only=True)
class Kill(AnyFault):
    """the process dies of SIGKILL"""

    at: EventPlace | AtTime


@dataclass(frozen=True, kw_only=True)
class PartialLine(AnyFault):
    """the process prints half of a line and exits with a code"""

    code: Code = 1
    at: EventPlace


@dataclass(frozen=True, kw_only=True)
class StderrNoise(AnyFault):
    """so many lines on stderr"""

    lines: Lines = 1
    at: EventPlace


@dataclass(frozen=True, kw_only=True)
class StdoutNoise(AnyFault):
    """so many lines among the frames on stdout that are none"""

    lines: Lines = 1
    at: EventPlace


WORDS = (
    Word(
        "exit", Exit, "process", AGENT, ("exit:0@event=terminal-1", "exit:2@event=terminal"),
        argument="code", places=BETWEEN, leaves="spoilt",
    ),
    Word("kill", Kill, "process", AGENT, ("kill@event=3",), places=BETWEEN, leaves="spoilt"),
    Word(
        "partial-line", PartialLine, "process", AGENT, ("partial-line:1@event=3",),
        argument="code", places=EVENT, leaves="spoilt",
    ),
    Word(
        "stderr-noise", StderrNoise, "process", AGENT, ("stderr-noise:3@event=2",),
        argument="lines", places=EVENT,
    ),
    Word(
        "stdout-noise", StdoutNoise, "process", AGENT, ("stdout-noise:1@event=2",),
        argument="lines", places=EVENT,
    ),
)  # fmt: skip
