"""Which cassettes are meant by a list of paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from .errors import NoCassettes

ENDINGS: Final = (".cassette.jsonl", ".cassette.jsonl.zst")


def cassettes_under(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The cassettes that `paths` name: a file is taken as it is, a folder is searched for names
    that end like a cassette's. Sorted, each once.

    Raises `NoCassettes` for a path that does not exist and for a folder without any.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        for cassette in _under(path):
            found.setdefault(cassette.resolve(), cassette)
    return tuple(sorted(found.values()))


def _under(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise NoCassettes(f"{path}: no such file or folder", "name a cassette or a folder")
    cassettes = [one for one in path.rglob("*") if one.name.endswith(ENDINGS) and one.is_file()]
    if not cassettes:
        raise NoCassettes(f"{path}: no cassette is there", f"cassettes end in {ENDINGS[0]}")
    yield from cassettes
