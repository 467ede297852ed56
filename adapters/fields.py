"""Reading fields of native JSON without trusting its shape: what is absent or of another type is
absent. Every dialect's grammar is built of these, so that no adapter can raise on a frame.
"""

from __future__ import annotations

from turnreel.wire.units import Json, JsonUnit, TextUnit, Unit

Fields = dict[str, Json]


def text(value: Json, name: str) -> str | None:
    """The string field `name` of an object."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else None


def count(value: Json, name: str) -> int | None:
    """The integer field `name` of an object; a boolean is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def fields(value: Json, name: str) -> Fields:
    """The object field `name` of an object, or an empty one."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def items(value: Json, name: str) -> list[Json]:
    """The array field `name` of an object, or an empty one."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def texts(value: Json, name: str) -> tuple[str, ...]:
    """The strings of the array field `name` of an object."""
    return tuple(item for item in items(value, name) if isinstance(item, str))


def is_true(value: Json, name: str) -> bool:
    """Whether field `name` of an object is ``true``; any other value is not."""
    return isinstance(value, dict) and value.get(name) is True


def damaged(unit: Unit) -> bool:
    """Whether a unit was meant as a frame and cannot be read: cut, overlong, or an object that is
    none. Prose between frames is no frame.
    """
    match unit:
        case JsonUnit():
            return False
        case TextUnit(text=line):
            return line.lstrip().startswith("{")
        case _:
            return True
