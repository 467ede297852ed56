"""What every dialect's page lists alike, read from the dialect's own definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from turnreel.lifecycle.describe import table

from .base import AdapterInfo
from .claims import SUBJECTS, Subject


def declaration(info: AdapterInfo) -> str:
    """What the dialect declares of itself."""
    rows = [
        ("tier", info.tier),
        ("proven on", ", ".join(info.proven)),
        ("boundaries", "; ".join(info.boundary_evidence)),
        ("reports tool errors", "yes" if info.reports_tool_errors else "no"),
        ("cannot say", "; ".join(info.limits)),
        *_claimed(info),
    ]
    return table(("", ""), rows)


def _claimed(info: AdapterInfo) -> Iterator[tuple[str, str]]:
    """What of a turn an agent's dialect infers, and what it has no frame for."""
    if info.claims is not None:
        for standing, head in (("inferred", "infers"), ("impossible", "has no frame for")):
            told = [words(s) for s in SUBJECTS if info.claims.of(s).standing == standing]
            yield head, ", ".join(told) or "nothing"


def words(subject: Subject) -> str:
    """A subject as a reader reads it."""
    return subject.replace("_", " ")


def frames(union: Any) -> str:
    """Every frame of one direction: the adapter's word for it, and what it reads of it."""
    rows = []
    for frame in get_args(union):
        text = " ".join((frame.__doc__ or "").split())
        rows.append((frame.__name__, text))
    return table(("read as", "native frame and fields"), rows)


def tools(kinds: Mapping[str, str]) -> str:
    """Every tool name that may be shown, by kind."""
    found: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        found.setdefault(kind, []).append(f"`{name}`")
    return table(("kind", "tools"), ((kind, ", ".join(names)) for kind, names in found.items()))
