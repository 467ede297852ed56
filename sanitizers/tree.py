"""A policy compiled to a tree that walks a JSON value once.

Every node answers `clean`. What no line names ends in `Unlisted`, which masks and counts it. The
tree belongs to no session: what a value becomes in one is asked of the visit's treatments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from turnreel.wire.units import Json

from .slots import Visit
from .treatments import Treatments

Text = Callable[[Treatments, str], str]
Number = Callable[[Treatments, float], float]
"""What is done with a text or a number in a session."""


class Node(Protocol):
    """A place in the tree."""

    def clean(self, value: Json, visit: Visit) -> Json:
        """`value` as it may land."""

    def child(self, key: str, visit: Visit) -> Node:
        """The node of an object's field."""

    def element(self) -> Node:
        """The node of an array's elements."""

    def name(self, key: str, visit: Visit) -> str:
        """A key of this object as it may land."""


MOST_UNLISTED: Final = 1000
"""Fields told apart in a report; further ones are counted together."""

_TYPES: Final = {str: "string", int: "number", float: "number", bool: "boolean", list: "array",
                 dict: "object"}  # fmt: skip


def type_name(value: Json) -> str:
    """The JSON type of `value`."""
    return _TYPES.get(type(value), "null")


class Leaf:
    """A value treated by its type, and so is all below it. `by_character` is set where a text
    may be treated piece by piece.
    """

    __slots__ = ("_keys", "_number", "_text", "by_character")

    def __init__(
        self,
        text: Text,
        number: Number,
        keys: Text,
        by_character: Callable[[str], str] | None = None,
    ) -> None:
        self._text = text
        self._number = number
        self._keys = keys
        self.by_character = by_character

    def clean(self, value: Json, visit: Visit) -> Json:
        match value:
            case str():
                return self._text(visit.treat, value)
            case bool() | None:
                return value
            case int() | float():
                return self._number(visit.treat, value)
            case list():
                return [self.clean(item, visit) for item in value]
            case dict():
                name, treat = self._keys, visit.treat
                return {name(treat, key): self.clean(item, visit) for key, item in value.items()}

    def child(self, key: str, visit: Visit) -> Node:
        return self

    def element(self) -> Node:
        return self

    def name(self, key: str, visit: Visit) -> str:
        return self._keys(visit.treat, key)


class Strict:
    """A leaf that must be a scalar of its type; anything else counts as unlisted."""

    __slots__ = ("_number", "_other", "_text")

    def __init__(
        self,
        text: Text | None,
        number: Number | None,
        other: Node,
    ) -> None:
        self._text = text
        self._number = number
        self._other = other

    def clean(self, value: Json, visit: Visit) -> Json:
        kind = type(value)
        if kind is str and self._text is not None:
            return self._text(visit.treat, value) if value else value  # type: ignore[arg-type]
        if value is None or kind is bool:
            return value
        if (kind is int or kind is float) and self._number is not None:
            return self._number(visit.treat, value)  # type: ignore[arg-type]
        return self._other.clean(value, visit)

    def child(self, key: str, visit: Visit) -> Node:
        return self._other.child(key, visit)

    def element(self) -> Node:
        return self._other.element()

    def name(self, key: str, visit: Visit) -> str:
        return self._other.name(key, visit)


class Enum:
    """One of a closed vocabulary; another text becomes a placeholder."""

    __slots__ = ("_other", "values")

    def __init__(self, values: frozenset[str], other: Node) -> None:
        self.values = values
        self._other = other

    def clean(self, value: Json, visit: Visit) -> Json:
        if value is None or type(value) is bool:
            return value
        if type(value) is not str:
            return self._other.clean(value, visit)
        return value if value in self.values or not value else visit.treat.value(value)

    def child(self, key: str, visit: Visit) -> Node:
        return self._other.child(key, visit)

    def element(self) -> Node:
        return self._other.element()

    def name(self, key: str, visit: Visit) -> str:
        return self._other.name(key, visit)


class Unlisted:
    """What no line names: strings masked, numbers zero, keys only if public, type kept, and
    counted.
    """

    __slots__ = ("_below", "_path")

    def __init__(self, path: str, below: Leaf) -> None:
        self._path = path
        self._below = below

    def clean(self, value: Json, visit: Visit) -> Json:
        if value is None:
            return None
        tally = visit.treat.unlisted
        where = (visit.track, visit.frame, self._path, type_name(value))
        if where not in tally and len(tally) >= MOST_UNLISTED:
            where = (visit.track, "*", "*", type_name(value))
        tally[where] += 1
        return self._below.clean(value, visit)

    def child(self, key: str, visit: Visit) -> Node:
        return self._below

    def element(self) -> Node:
        return self._below

    def name(self, key: str, visit: Visit) -> str:
        return self._below.name(key, visit)


class Array:
    """A list whose elements are all described by one node."""

    __slots__ = ("_item", "_other")

    def __init__(self, item: Node, other: Node) -> None:
        self._item = item
        self._other = other

    def clean(self, value: Json, visit: Visit) -> Json:
        if type(value) is list:
            clean = self._item.clean
            return [clean(item, visit) for item in value]
        return self._other.clean(value, visit)

    def child(self, key: str, visit: Visit) -> Node:
        return self._other.child(key, visit)

    def element(self) -> Node:
        return self._item

    def name(self, key: str, visit: Visit) -> str:
        return self._other.name(key, visit)
