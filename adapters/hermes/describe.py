"""What the pages of all Hermes dialects list alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from turnreel.adapters.base import AdapterInfo
from turnreel.adapters.describe import declaration, frames, tools
from turnreel.lifecycle.describe import table

from . import catalogue
from .literals import LITERALS


def sections(info: AdapterInfo, printed: Any, **more: Any) -> Mapping[str, Callable[[], str]]:
    """The generated parts of a dialect's page: what it declares, what is read of `printed` and of
    the unions in `more`, its tools and its literals.
    """
    unions = {"printed": printed, **more}
    return {
        "declaration": lambda: declaration(info),
        **{name: partial(frames, union) for name, union in unions.items()},
        "tools": lambda: tools(catalogue.KINDS),
        "literals": literals,
    }


def literals() -> str:
    """Fixed strings and the recordings that prove them."""
    rows = [
        (f"`{one.form}`", one.means, ", ".join(one.versions), f"`{one.proof}`") for one in LITERALS
    ]
    return table(("expression", "means", "versions", "proven by"), rows)
