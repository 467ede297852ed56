"""The nodes of objects: fields by name, records by variant, pieces of streamed blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from turnreel.wire.units import Json

from .paths import Path, spelled
from .placeholders import MASKED
from .slots import Slot, Visit
from .tree import Enum, Leaf, Node, Text, Unlisted

if TYPE_CHECKING:
    from .compile import Variants


class Record:
    """An object of a policy record: its variant, read from itself or its parent, chooses the
    node.
    """

    __slots__ = ("_variants", "of_parent")

    def __init__(self, variants: Variants, of_parent: tuple[Path, ...]) -> None:
        self._variants = variants
        self.of_parent = of_parent

    def clean(self, value: Json, visit: Visit) -> Json:
        return self._variants.of(value).clean(value, visit)

    def within(self, parent: Json) -> Node:
        """The node this record is inside `parent`, whose fields spell its variant."""
        return self._variants.named(spelled(parent, self.of_parent))

    def child(self, key: str, visit: Visit) -> Node:
        return self._variants.named("").child(key, visit)

    def element(self) -> Node:
        return self._variants.named("").element()

    def name(self, key: str, visit: Visit) -> str:
        return self._variants.named("").name(key, visit)


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
        visit.slots.append(Slot(value, self._stream, home, key))
        return ""

    def clean(self, value: Json, visit: Visit) -> Json:
        return self._other.clean(value, visit)

    def child(self, key: str, visit: Visit) -> Node:
        return self._other

    def element(self) -> Node:
        return self._other

    def name(self, key: str, visit: Visit) -> str:
        return MASKED


class Object:
    """An object: listed fields by name, the others by `rest`."""

    __slots__ = ("_fields", "_keys", "_other", "_plain", "_rest", "_same")

    def __init__(self, fields: dict[str, Node], rest: Rest, keys: Text, other: Node) -> None:
        self._fields = fields
        self._rest = rest
        self._keys = keys
        self._other = other
        self._same = {key: node.values for key, node in fields.items() if isinstance(node, Enum)}
        self._plain = {
            key: node.clean
            for key, node in fields.items()
            if not isinstance(node, Delta) and not (isinstance(node, Record) and node.of_parent)
        }

    def clean(self, value: Json, visit: Visit) -> Json:
        if type(value) is not dict:
            return self._other.clean(value, visit)
        clean: dict[str, Json] = {}
        plain, same = self._plain, self._same
        for key, item in value.items():
            if key in same and type(item) is str and item in same[key]:
                clean[key] = item
            elif key in plain:
                clean[key] = plain[key](item, visit)
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
                name = self._keys(visit.treat, key)
                clean[name] = self._rest.node(key, visit).clean(item, visit)

    def child(self, key: str, visit: Visit) -> Node:
        return self._fields.get(key) or self._rest.node(key, visit)

    def element(self) -> Node:
        return self._other.element()

    def name(self, key: str, visit: Visit) -> str:
        return key if key in self._fields else self._keys(visit.treat, key)


class Rest(Protocol):
    """What the fields are that an object does not list."""

    def node(self, key: str, visit: Visit) -> Node:
        """The node of one."""


class Same:
    """All are alike."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def node(self, key: str, visit: Visit) -> Node:
        return self._node


class UnlistedFields:
    """Nobody listed them."""

    __slots__ = ("_below", "_path")

    def __init__(self, path: str, below: Leaf) -> None:
        self._path = path
        self._below = below

    def node(self, key: str, visit: Visit) -> Node:
        return Unlisted(f"{self._path}.{visit.treat.field(key)}", self._below)
