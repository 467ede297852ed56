"""All dialects side by side: what docs/dialects.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.lifecycle.describe import table

from .base import AdapterInfo
from .claims import SUBJECTS, Claims
from .describe import words
from .registry import adapter, dialects


def agents() -> list[tuple[AdapterInfo, Claims]]:
    """The dialects of agents with their claims, in the registry's order."""
    infos = (adapter(dialect).info for dialect in dialects())
    return [(info, info.claims) for info in infos if info.claims is not None]


def subjects() -> str:
    """What there is to tell of a turn, and the clause it is of."""
    return table(
        ("subject", "clause", "told is"),
        ((words(subject), clause, what) for subject, (clause, what) in SUBJECTS.items()),
    )


def standings() -> str:
    """Every dialect's word on every subject."""
    rows = [
        (words(subject), *(claims.of(subject).standing for _, claims in agents()))
        for subject in SUBJECTS
    ]
    return table(("", *(info.dialect for info, _ in agents())), rows)


def tiers() -> str:
    """What each dialect may be relied on for."""
    rows = [
        (
            f"[{info.dialect}](dialects/{info.dialect}.md)",
            info.agent,
            info.carrier,
            info.tier,
            ", ".join(info.proven),
            "`positional`" if claims.answer.standing == "inferred" else "none needed",
            "yes" if info.reports_tool_errors else "no",
        )
        for info, claims in agents()
    ]
    head = ("dialect", "agent", "carrier", "tier", "proven on", "confidence", "tool errors")
    return table(head, rows)


def reasons() -> str:
    """Every claim with its evidence, or with what is missing."""
    rows = [
        (info.dialect, words(subject), claims.of(subject).standing, claims.of(subject).why)
        for info, claims in agents()
        for subject in SUBJECTS
    ]
    return table(("dialect", "subject", "", "by, or for want of"), rows)


def limits() -> str:
    """What a dialect cannot say beyond its claims, providers included."""
    infos = [adapter(dialect).info for dialect in dialects()]
    rows = [(info.dialect, limit) for info in infos for limit in info.limits]
    return table(("dialect", "cannot be known"), rows)


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "subjects": subjects,
    "standings": standings,
    "tiers": tiers,
    "reasons": reasons,
    "limits": limits,
}
