"""What a project says of itself: ``[tool.turnreel]`` in the pyproject.toml of its folder."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from turnreel.wire.errors import TurnreelError

DEFAULT_FOLDER: Final = "cassettes"
"""Where cassettes are looked for if the project names no place."""


def setting(folder: Path, name: str) -> object:
    """The value of ``[tool.turnreel] name`` in `folder`, None if there is none. Raises
    `TurnreelError` for a file that cannot be read.
    """
    settings = folder / "pyproject.toml"
    try:
        table: object = tomllib.loads(settings.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TurnreelError(f"{settings}: {error}", "repair it, or name what you mean") from error
    for key in ("tool", "turnreel", name):
        table = table.get(key) if isinstance(table, dict) else None
    return table


def cassette_places(folder: Path) -> tuple[Path, ...]:
    """The files and folders that ``cassettes`` names, below `folder`; ``cassettes`` there if it
    names none. Raises `TurnreelError` as `setting` does, and for what is no list of paths.
    """
    named = setting(folder, "cassettes")
    if named is None:
        return (folder / DEFAULT_FOLDER,)
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        raise TurnreelError(
            f"{folder / 'pyproject.toml'}: [tool.turnreel] cassettes is not a list of paths",
            'write it as cassettes = ["tests/cassettes"]',
        )
    return tuple(folder / name for name in named)


def is_collected(folder: Path) -> bool:
    """Whether the project wants each cassette as a test of its own: ``collect = true``. Raises
    `TurnreelError` as `setting` does, and for anything but true and false.
    """
    said = setting(folder, "collect")
    if said is None or isinstance(said, bool):
        return bool(said)
    raise TurnreelError(
        f"{folder / 'pyproject.toml'}: [tool.turnreel] collect is neither true nor false",
        "write it as collect = true",
    )
