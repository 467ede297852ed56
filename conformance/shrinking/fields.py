"""Fields and texts of JSON values that can be taken away. Values are made anew, never changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from turnreel.wire.units import Json

Path = tuple[str | int, ...]
"""Keys and places from the outside in."""

Kind = tuple[str, ...]
"""A path without the places of its lists: the same field in every element."""

EACH = "[]"


def paths(value: Json, above: Path = ()) -> Iterator[Path]:
    """Every field and element of `value`, each before what it holds."""
    inner: Iterator[tuple[str | int, Json]]
    match value:
        case dict():
            inner = iter(value.items())
        case list():
            inner = iter(enumerate(value))
        case _:
            return
    for step, item in inner:
        yield (*above, step)
        yield from paths(item, (*above, step))


def kind(path: Path) -> Kind:
    """The kind of field at `path`."""
    return tuple(EACH if isinstance(step, int) else step for step in path)


def without(value: Json, gone: Collection[Path], above: Path = ()) -> Json:
    """`value` without what stands at the paths `gone`."""
    match value:
        case dict():
            return {
                key: without(item, gone, (*above, key))
                for key, item in value.items()
                if (*above, key) not in gone
            }
        case list():
            return [
                without(item, gone, (*above, place))
                for place, item in enumerate(value)
                if (*above, place) not in gone
            ]
        case _:
            return value


def without_kinds(value: Json, gone: Collection[Kind], above: Kind = ()) -> Json:
    """`value` without the fields of the kinds `gone`, wherever they stand."""
    match value:
        case dict():
            return {
                key: without_kinds(item, gone, (*above, key))
                for key, item in value.items()
                if (*above, key) not in gone
            }
        case list():
            return [without_kinds(item, gone, (*above, EACH)) for item in value]
        case _:
            return value


def texts(value: Json) -> Iterator[str]:
    """Every text in `value`; keys are none."""
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from texts(item)
        case list():
            for item in value:
                yield from texts(item)
        case _:
            return


def retold(value: Json, texts: Mapping[str, str]) -> Json:
    """`value` with each text that is in `texts` as that says."""
    match value:
        case str():
            return texts.get(value, value)
        case dict():
            return {key: retold(item, texts) for key, item in value.items()}
        case list():
            return [retold(item, texts) for item in value]
        case _:
            return value
