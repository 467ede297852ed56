"""The checkers there are: whatever module of this package states a clause."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Literal

import msgspec

from turnreel.conformance.sessions import Run, Session, Violation

Reads = Literal["run", "session", "native"]


class Checker(msgspec.Struct, frozen=True):
    """One clause's check."""

    clause: str
    sentence: str
    reads: Reads
    check: Callable[[Run, Session], Iterator[Violation]]


@cache
def checkers() -> tuple[Checker, ...]:
    """All checkers, in the order of their files."""
    package = import_module(__package__)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    modules = [import_module(f"{__package__}.{name}") for name in names]
    return tuple(
        Checker(module.CLAUSE, module.SENTENCE, module.READS, module.check)
        for module in modules
        if hasattr(module, "CLAUSE")
    )


def violations(session: Session, chosen: Sequence[Checker] | None = None) -> Iterator[Violation]:
    """What does not hold in `session`, run by run. Checkers that need the native side are left out
    where it is not known.
    """
    for checker in checkers() if chosen is None else chosen:
        if checker.reads == "native" and session.native is None:
            continue
        for run in session.runs.values():
            yield from checker.check(run, session)
