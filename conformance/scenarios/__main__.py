"""Write the founding scenarios: ``python -m turnreel.conformance.scenarios FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from turnreel.adapters.registry import adapter
from turnreel.cassettes import Existing

from .founding import FOUNDING
from .scenario import DIALECT, record_scenario


def main(library: Path) -> None:
    """Write every scenario to its place under `library`, replacing what stands there."""
    folder = library / DIALECT / adapter(DIALECT).info.proven[-1]
    folder.mkdir(parents=True, exist_ok=True)
    for scenario in FOUNDING:
        target = folder / f"{scenario.name}.cassette.jsonl"
        record_scenario(scenario, target, Existing.REPLACE)
        print(target)


main(Path(sys.argv[1]))
