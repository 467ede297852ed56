"""Write the founding scenarios of a dialect into a library:
``python -m turnreel.conformance.scenarios DIALECT FOLDER``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from turnreel.adapters.registry import adapter
from turnreel.cassettes import Existing

from .builtin import founded
from .scenario import record_scenario


def main(dialect: str, library: Path) -> None:
    """Write every scenario to its place under `library`, replacing what stands there."""
    folder = library / dialect / adapter(dialect).info.proven[-1]
    folder.mkdir(parents=True, exist_ok=True)
    for scenario in founded(dialect):
        target = folder / f"{scenario.id}.cassette.jsonl"
        record_scenario(scenario, dialect, target, Existing.REPLACE)
        print(target)


main(sys.argv[1], Path(sys.argv[2]))
