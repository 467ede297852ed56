"""The watches there are: the `Checker` or `SessionChecker` of every module of this package."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType

from turnreel.conformance.moments import SessionWatch
from turnreel.conformance.watching import Watch


@cache
def watches() -> tuple[type[Watch], ...]:
    """All that watch a run, in the order of their files."""
    return tuple(module.Checker for module in _modules() if hasattr(module, "Checker"))


@cache
def session_watches() -> tuple[type[SessionWatch], ...]:
    """All that watch a session's journal, in the order of their files."""
    found = (module for module in _modules() if hasattr(module, "SessionChecker"))
    return tuple(module.SessionChecker for module in found)


@cache
def _modules() -> tuple[ModuleType, ...]:
    package = import_module(__package__)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return tuple(import_module(f"{__package__}.{name}") for name in names)
