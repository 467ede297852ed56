"""Lint results as SARIF 2.1.0, which code hosts show beside the lines they speak of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from turnreel import __version__

if TYPE_CHECKING:
    from turnreel.recorder.linting import Found, Linted


def sarif(results: Sequence[Linted]) -> dict[str, Any]:
    """The document for these results."""
    from turnreel.recorder.linting import RULES

    driver = {
        "name": "turnreel lint",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()],
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "results": [_result(one.path, found) for one in results for found in one.found],
            }
        ],
    }


def _result(path: str, found: Found) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": PurePath(path).as_posix()}}
    if found.line is not None:
        place["region"] = {"startLine": found.line}
    remedy = f" ({found.remedy})" if found.remedy else ""
    return {
        "ruleId": found.rule,
        "level": found.level,
        "message": {"text": f"{found.what}{remedy}"},
        "locations": [{"physicalLocation": place}],
    }
