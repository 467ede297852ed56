"""A policy compiled to a tree that walks a JSON value once.

Every node answers `clean`. What no line names ends in `Unlisted`, which masks and counts it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from turnreel.wire.units import Json

from .paths import Path, spelled
from .scrub import MASKED
from .slots import Slot, Visit

if TYPE_CHECKING:
    from .compile import Compiler


class Node(Protocol):
    """A place in the tree."""

    def clean(self, value: Json, visit: Visit) -> Json:
        """`value` as it may land."""

    def child(self, key: str) -> Node:
        """The node of an object's field."""

    def element(self) -> Node:
        """The node of an array's elements."""

    def name(self, key: str) -> str:
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
        text: Callable[[str], str],
        number: Callable[[float], float],
        keys: Callable[[str], str],
        by_character: Callable[[str], str] | None = None,
    ) -> None:
        self._text = text
        self._number = number
        self._keys = keys
        self.by_character = by_character

    def clean(self, value: Json, visit: Visit) -> Json:
        match value:
            case str():
                return self._text(value)
            case bool() | None:
                return value
            case int() | float():
                return self._number(value)
            case list():
                return [self.clean(item, visit) for item in value]
            case dict():
                return {self._keys(key): self.clean(item, visit) for key, item in value.items()}

    def child(self, key: str) -> Node:
        return self

    def element(self) -> Node:
        return self

    def name(self, key: str) -> str:
        return self._keys(key)


class Strict:
    """A leaf that must be a scalar of its type; anything else counts as unlisted."""

    __slots__ = ("_number", "_other", "_text")

    def __init__(
        self,
        text: Callable[[str], str] | None,
        number: Callable[[float], float] | None,
        other: Node,
    ) -> None:
        self._text = text
        self._number = number
        self._other = other

    def clean(self, value: Json, visit: Visit) -> Json:
        kind = type(value)
        if kind is str and self._text is not None:
            return self._text(value) if value else value  # type: ignore[arg-type]
        if value is None or kind is bool:
            return value
        if (kind is int or kind is float) and self._number is not None:
            return self._number(value)  # type: ignore[arg-type]
        return self._other.clean(value, visit)

    def child(self, key: str) -> Node:
        return self._other.child(key)

    def element(self) -> Node:
        return self._other.element()

    def name(self, key: str) -> str:
        return self._other.name(key)


class Unlisted:
    """What no line names: strings masked, numbers zero, keys only if public, type kept, and
    counted.
    """

    __slots__ = ("_below", "_path", "_tally")

    def __init__(self, path: str, below: Leaf, tally: dict[tuple[str, str, str, str], int]) -> None:
        self._path = path
        self._below = below
        self._tally = tally

    def clean(self, value: Json, visit: Visit) -> Json:
        if value is None:
            return None
        where = (visit.track, visit.frame, self._path, type_name(value))
        if where not in self._tally and len(self._tally) >= MOST_UNLISTED:
            where = (visit.track, "*", "*", type_name(value))
        self._tally[where] = self._tally.get(where, 0) + 1
        return self._below.clean(value, visit)

    def child(self, key: str) -> Node:
        return self._below

    def element(self) -> Node:
        return self._below

    def name(self, key: str) -> str:
        return self._below.name(key)


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

    def child(self, key: str) -> Node:
        return self._other.child(key)

    def element(self) -> Node:
        return self._item

    def name(self, key: str) -> str:
        return self._other.name(key)


class Record:
    """An object of a policy record: its variant, read from itself or its parent, chooses the
    node.
    """

    __slots__ = ("_compiler", "_record", "of_parent")

    def __init__(self, compiler: Compiler, record: str, of_parent: tuple[Path, ...]) -> None:
        self._compiler = compiler
        self._record = record
        self.of_parent = of_parent

    def clean(self, value: Json, visit: Visit) -> Json:
        return self._compiler.record(self._record, value).clean(value, visit)

    def within(self, parent: Json) -> Node:
        """The node this record is inside `parent`, whose fields spell its variant."""
        return self._compiler.variant(self._record, spelled(parent, self.of_parent))

    def child(self, key: str) -> Node:
        return self._compiler.variant(self._record, "").child(key)

    def element(self) -> Node:
        return self._compiler.variant(self._record, "").element()

    def name(self, key: str) -> str:
        return self._compiler.variant(self._record, "").name(key)


class Delta:
    """A piece of a block that is sanitized as a whole."""

    __slots__ = ("_other", "_stream")

    def __init__(self, stream: str, other: Node) -> None:
        self._stream = stream
        self._other = other

    def slot(self, value: Json, visit: Visit, home: dict[str, Json], key: str) -> Json:
        """A slot in `home` for `value`, or what may stand there if it is no text."""
        if type(value) is not str:
            return self._other.clean(value, visit)
        slot = Slot(value, self._stream)
        slot.place(home, key)
        visit.slots.append(slot)
        return ""

    def clean(self, value: Json, visit: Visit) -> Json:
        return self._other.clean(value, visit)

    def child(self, key: str) -> Node:
        return self._other

    def element(self) -> Node:
        return self._other

    def name(self, key: str) -> str:
        return MASKED


class Object:
    """An object: listed fields by name, the others by `rest`."""

    __slots__ = ("_fields", "_keys", "_other", "_path", "_plain", "_rest")

    def __init__(
        self,
        path: str,
        fields: dict[str, Node],
        rest: Callable[[str], Node],
        keys: Callable[[str], str],
        other: Node,
    ) -> None:
        self._path = path
        self._fields = fields
        self._rest = rest
        self._keys = keys
        self._other = other
        self._plain = {
            key: node.clean
            for key, node in fields.items()
            if not isinstance(node, Delta) and not (isinstance(node, Record) and node.of_parent)
        }

    def clean(self, value: Json, visit: Visit) -> Json:
        if type(value) is not dict:
            return self._other.clean(value, visit)
        clean: dict[str, Json] = {}
        plain = self._plain
        for key, item in value.items():
            listed = plain.get(key)
            if listed is not None:
                clean[key] = listed(item, visit)
            else:
                self._odd(key, item, value, clean, visit)
        return clean

    def _odd(
        self, key: str, item: Json, parent: Json, clean: dict[str, Json], visit: Visit
    ) -> None:
        match self._fields.get(key):
            case Delta() as delta:
                clean[key] = ""
                clean[key] = delta.slot(item, visit, clean, key)
            case Record() as record:
                clean[key] = record.within(parent).clean(item, visit)
            case _:
                clean[self._keys(key)] = self._rest(key).clean(item, visit)

    def child(self, key: str) -> Node:
        return self._fields.get(key) or self._rest(key)

    def element(self) -> Node:
        return self._other.element()

    def name(self, key: str) -> str:
        return key if key in self._fields else self._keys(key)
