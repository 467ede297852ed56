"""The gate described from its own definitions: what docs/conformance.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.adapters import registry
from turnreel.lifecycle.describe import table

from .matrix import LEGEND, columns, rows
from .qualifying import qualify
from .requirements import frozen


def _with_turns() -> list[str]:
    """Our own dialects that tell turns, whatever else is installed."""
    return [one for one in registry.FOLDERS if registry.adapter(one).info.has_runs]


def scenarios() -> str:
    """Every scenario with its clauses, tier and requirement."""
    return table(
        ("scenario", "clauses", "tier", "requires"),
        [(one.id, ", ".join(one.clauses), one.tier, one.requirement) for one in frozen().scenarios],
    )


def matrix() -> str:
    """Scenarios by dialects, as a run of them gives now; without sweeps, which change no word."""
    report = qualify(_with_turns(), jobs=1, sweeps=())
    return f"{table(('scenario', *columns(report)), rows(report))}\n\n{LEGEND}"


def tiers() -> str:
    """What every dialect is qualified as, and on which versions of its agent."""
    infos = [registry.adapter(dialect).info for dialect in registry.FOLDERS]
    return table(
        ("dialect", "tier", "proven on"),
        [(one.dialect, one.tier, ", ".join(one.proven)) for one in infos if one.has_runs],
    )


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "scenarios": scenarios,
    "matrix": matrix,
    "tiers": tiers,
}
"""The generated parts of docs/conformance.md."""
