"""The recorded sessions that benchmarks use: those of the repository's library."""

from __future__ import annotations

from pathlib import Path

LIBRARY = Path(__file__).parent.parent / "cassettes" / "library"


def cassettes(dialect: str = "") -> list[Path]:
    """The library's cassettes, of one dialect or of all."""
    return sorted((LIBRARY / dialect).rglob("*.cassette.jsonl"))
