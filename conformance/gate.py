"""The gate described from its own definitions: what docs/conformance.md lists."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Final

import msgspec

from turnreel.adapters import registry
from turnreel.lifecycle.describe import table

from .matrix import LEGEND, columns, rows
from .qualifying import qualify
from .requirements import frozen
from .scenarios import builtin, written


def _with_turns() -> list[str]:
    """Our own dialects that tell turns, whatever else is installed."""
    return [one for one in registry.FOLDERS if registry.adapter(one).info.has_runs]


def scenarios() -> str:
    """Every scenario with its clauses, tier and requirement."""
    return table(
        ("scenario", "clauses", "tier", "requires"),
        [(one.id, ", ".join(one.clauses), one.tier, one.requirement) for one in frozen().scenarios],
    )


def example() -> str:
    """A scenario as its file says it."""
    return f"```toml\n{builtin.place('retried').read_text('utf-8')}```"


def steps() -> str:
    """Every step with its fields; those in brackets may be left out."""
    return table(
        ("step", "fields", "what happens"),
        [
            (f"`{word}`", _fields(kind), " ".join((inspect.getdoc(kind) or "").split()))
            for word, kind in written.STEPS.items()
        ],
    )


def _fields(kind: type[msgspec.Struct]) -> str:
    return ", ".join(
        f"`{one.name}`" if one.required else f"[`{one.name}`]"
        for one in msgspec.structs.fields(kind)
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
    "example": example,
    "steps": steps,
    "matrix": matrix,
    "tiers": tiers,
}
"""The generated parts of docs/conformance.md."""
