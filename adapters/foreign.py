"""Dialects of other packages: entry points of the group ``turnreel.adapters``.

An entry point's name is the dialect, its value a package with the modules of a dialect's folder:
``adapter`` and ``policy``, and of an agent ``render`` and ``claims``. One that is broken is refused
with its reason and harms no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module, metadata
from typing import Final

GROUP: Final = "turnreel.adapters"


@cache
def packages() -> dict[str, str]:
    """Dialect to package, as they are installed; the first of a name counts."""
    found: dict[str, str] = {}
    for one in metadata.entry_points(group=GROUP):
        found.setdefault(one.name, one.value)
    return found


@cache
def loaded(taken: frozenset[str]) -> tuple[str, ...]:
    """The dialects that can be used; names in `taken` are somebody's already."""
    broken = refused(taken)
    return tuple(name for name in packages() if name not in broken and name not in taken)


@cache
def refused(taken: frozenset[str]) -> dict[str, str]:
    """The dialects that cannot be used, each with its reason. One whose name is somebody's already
    is called by its package as well.
    """
    reasons: dict[str, str] = {}
    for name, package in packages().items():
        if why := _fault(name, package, taken):
            reasons[f"{name} of {package}" if name in taken else name] = why
    return reasons


def _fault(name: str, package: str, taken: frozenset[str]) -> str:
    if name in taken:
        return f"{package} takes a name that is turnreel's own"
    try:
        return "; ".join(_faults(name, package))
    except (Exception, SystemExit) as error:
        # Somebody else's code, imported for the first time: whatever it raises is its own.
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        return f"{package} cannot be loaded: {what}"


def _faults(name: str, package: str) -> Iterator[str]:
    info = import_module(f"{package}.adapter").ADAPTER.info
    policy = import_module(f"{package}.policy").POLICY
    if info.dialect != name:
        yield f"its adapter says that it speaks {info.dialect}"
    if policy.dialect != name:
        yield f"its policy is of {policy.dialect}"
    if info.has_runs and info.claims is None:
        yield "its adapter declares no claims"
    if info.has_runs and not info.proven:
        yield "its adapter names no version that it was proven on"
