"""Places in a JSON value, as a policy writes them: ``a.b`` steps into objects, ``a.0`` into
arrays.
"""

from __future__ import annotations

from turnreel.wire.units import Json

Path = tuple[str, ...]


def path(text: str) -> Path:
    """The steps of a path to one place."""
    return tuple(text.split("."))


def at(value: Json, steps: Path) -> Json:
    """What stands there; None where nothing does."""
    for step in steps:
        if type(value) is list and step.isdecimal():
            value = value[int(step)] if int(step) < len(value) else None
        elif type(value) is dict:
            value = value.get(step)
        else:
            return None
    return value


def spelled(value: Json, paths: tuple[Path, ...]) -> str:
    """What the texts at `paths` spell, joined with slashes; absent ones are left out."""
    if type(value) is not dict:
        return ""
    words: list[str] = []
    for steps in paths:
        word = value.get(steps[0]) if len(steps) == 1 else at(value, steps)
        if type(word) is str and word:
            words.append(word)
    return words[0] if len(words) == 1 else "/".join(words)
