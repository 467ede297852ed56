"""The gate described from its own definitions: what docs/conformance.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.adapters import registry
from turnreel.lifecycle.describe import table

from .matrix import LEGEND, columns, rows
from .qualifying import qualify, with_turns
from .requirements import frozen


def scenarios() -> str:
    """Every scenario with its clauses, tier and requirement."""
    return table(
        ("scenario", "clauses", "tier", "requires"),
        [(one.id, ", ".join(one.clauses), one.tier, one.requirement) for one in frozen().scenarios],
    )


def matrix() -> str:
    """Scenarios by dialects, as a run of them gives now; without sweeps, which change no word."""
    report = qualify(with_turns(), jobs=1, sweeps=())
    return f"{table(('scenario', *columns(report)), rows(report))}\n\n{LEGEND}"


def standings() -> str:
    """How every dialect stands by its evidence."""
    told = [(one.dialect, one.state) for one in map(registry.standing, registry.FOLDERS)]
    return table(("dialect", "standing"), told)


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "scenarios": scenarios,
    "matrix": matrix,
    "standings": standings,
}
"""The generated parts of docs/conformance.md."""
