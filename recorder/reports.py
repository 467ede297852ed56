"""Arithmetic of sanitizing reports: of a session that was sanitized twice, or written in parts."""

from __future__ import annotations

from collections import Counter

from turnreel.sanitizers import Report, Unlisted


def added(former: Report, report: Report) -> Report:
    """What was replaced in both; the fields that are unlisted today."""
    return Report(
        replaced=_sums(former.replaced, report.replaced),
        unlisted=report.unlisted,
        gate=_sums(former.gate, report.gate),
    )


def since(former: Report, report: Report) -> Report:
    """What came to `report` after it had been `former`."""
    before = {_place(one): one.count for one in former.unlisted}
    counts = [(one, one.count - before.get(_place(one), 0)) for one in report.unlisted]
    return Report(
        replaced=_differences(former.replaced, report.replaced),
        unlisted=tuple(Unlisted(*_place(one), count) for one, count in counts if count),
        gate=_differences(former.gate, report.gate),
    )


def _place(one: Unlisted) -> tuple[str, str, str, str]:
    return one.track, one.frame, one.path, one.type


def _sums(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(one) + Counter(other)).items()))


def _differences(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(other) - Counter(one)).items()))
