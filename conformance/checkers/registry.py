"""The watches there are: the `Checker` of every module of this package."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from turnreel.conformance.watching import Watch


@cache
def watches() -> tuple[type[Watch], ...]:
    """All of them, in the order of their files."""
    package = import_module(__package__)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    modules = [import_module(f"{__package__}.{name}") for name in names]
    return tuple(module.Checker for module in modules if hasattr(module, "Checker"))
