"""The items of one sequence in a YAML document, one at a time, by a reader that builds plain values
and nothing else.

YAML is read as events, and values are built here: text, numbers, bytes, lists and maps. No tag
names a class, an alias costs what it stands for, and depth is bounded, so a hostile file is refused
as soon as it shows what it is.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from turnreel.recorder.json_items import ITEM_LIMIT, BadItems

if TYPE_CHECKING:
    from yaml.events import Event, ScalarEvent

DEPTH_LIMIT: Final = 32
ALIAS_LIMIT: Final = 4 << 20
"""What all aliases together may stand for: values, and characters of text."""

_CORE: Final = "tag:yaml.org,2002:"
_SCALARS: Final = frozenset(
    _CORE + name
    for name in ("str", "int", "float", "bool", "null", "binary", "timestamp", "value", "merge")
)
_TEXT: Final = frozenset(_CORE + name for name in ("python/str", "python/unicode"))
"""How old versions of vcrpy tagged what is text."""
_COLLECTIONS: Final = frozenset(_CORE + name for name in ("seq", "map", "python/tuple"))


def yaml_items(file: BinaryIO, key: str) -> Iterator[Any]:
    """The items of the sequence under `key` of the document's own map: lists, maps with text as
    keys, text, bytes, numbers, booleans and None.

    Raises `BadItems`, at the latest at the end: not YAML, a tag that is refused, aliases that
    expand without end, nested too deep, no such sequence.
    """
    from yaml import YAMLError, parse
    from yaml.resolver import Resolver

    build = _Build(key, Resolver().resolve)
    try:
        for event in parse(file, Loader=_loader()):
            yield from build.take(event)
    except YAMLError as error:
        raise BadItems(f"is not YAML: {_reason(error)}") from None
    except UnicodeDecodeError:
        raise BadItems("is not YAML: it is not text") from None
    build.close()


def _loader() -> Any:
    """The parser of libyaml where it is there: the same events, faster."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _reason(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    return f"{problem}" + (f" in line {mark.line + 1}" if mark is not None else "")


class _Open:
    """A collection that is being built; `weight` is what an alias for it will cost."""

    __slots__ = ("anchor", "key", "value", "weight")

    def __init__(self, value: Any, anchor: str | None) -> None:
        self.value = value
        self.anchor = anchor
        self.key: str | None = None
        self.weight = 1


class _Build:
    """Values from events. Only the items that are looked for outlive the event they end with."""

    def __init__(self, key: str, resolve: Callable[..., Any]) -> None:
        self._key = key
        self._resolve = resolve
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._aliased = 0
        self._items: list[Any] | None = None  # the sequence itself, always empty
        self._weight = 0  # of the item being built
        self._documents = 0

    def take(self, event: Event) -> Iterator[Any]:
        """The item that `event` completes, if any."""
        from yaml import events

        match event:
            case events.ScalarEvent():
                yield from self._add(self._scalar(event), event.anchor, 1 + len(event.value))
            case events.SequenceStartEvent() | events.MappingStartEvent():
                self._enter(event)
            case events.SequenceEndEvent() | events.MappingEndEvent():
                closed = self._stack.pop()
                yield from self._add(closed.value, closed.anchor, closed.weight)
            case events.AliasEvent():
                yield from self._alias(event.anchor)
            case events.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    raise BadItems("holds more than one document")

    def close(self) -> None:
        """The document ends here."""
        if not self._documents:
            raise BadItems("an empty file")
        if self._items is None:
            raise BadItems(f"holds no {self._key}")

    def _enter(self, event: Any) -> None:
        from yaml.events import SequenceStartEvent

        if event.tag not in (None, "!") and event.tag not in _COLLECTIONS:
            raise BadItems(f"the tag {_short(event.tag)} is refused")
        if len(self._stack) >= DEPTH_LIMIT:
            raise BadItems("nests too deep")
        value: Any = [] if isinstance(event, SequenceStartEvent) else {}
        if len(self._stack) == 1 and self._stack[0].key == self._key and isinstance(value, list):
            self._items = value
        self._stack.append(_Open(value, event.anchor))

    def _alias(self, anchor: str | None) -> Iterator[Any]:
        if anchor is None or anchor not in self._anchors:
            raise BadItems("an alias stands for nothing, or for itself")
        value, weight = self._anchors[anchor]
        self._aliased += weight
        if self._aliased > ALIAS_LIMIT:
            raise BadItems("its aliases expand without end")
        yield from self._add(value, None, weight)

    def _add(self, value: Any, anchor: str | None, weight: int) -> Iterator[Any]:
        """`value` goes where it belongs: into the collection around it, or out."""
        if anchor is not None:
            self._anchors[anchor] = value, weight
        if not self._stack:
            if not isinstance(value, dict):
                raise BadItems(f"holds no {self._key}")
            return
        around = self._stack[-1]
        if around.value is self._items and self._items is not None:
            yield value
            return
        around.weight += weight
        if around.weight > ITEM_LIMIT:
            raise BadItems("an item is too long")
        if isinstance(around.value, list):
            around.value.append(value)
        elif around.key is None:
            if isinstance(value, list | dict):
                raise BadItems("a key is no text")
            around.key = str(value)
        else:
            around.value[around.key], around.key = value, None

    def _scalar(self, event: ScalarEvent) -> Any:
        from yaml.nodes import ScalarNode

        tag = event.tag
        if tag in (None, "!"):
            # What is quoted is text; only plain words may be something else.
            tag = self._resolve(ScalarNode, event.value, event.implicit)
        if tag in _TEXT:
            return event.value
        if tag not in _SCALARS:
            raise BadItems(f"the tag {_short(tag)} is refused")
        return _read(tag.removeprefix(_CORE), event.value)


def _read(kind: str, text: str) -> Any:
    """A scalar's value; text where it is not what its kind says."""
    try:
        match kind:
            case "int":
                return int(text.replace("_", "")) if len(text) < 20 else text
            case "float":
                return float(text.replace("_", ""))
            case "bool":
                return text.lower() in ("yes", "true", "on")
            case "null":
                return None
            case "binary":
                return base64.b64decode(text, validate=False)
    except ValueError:
        pass
    return text


def _short(tag: str) -> str:
    name = tag.replace(_CORE, "!!")
    return ascii(name if len(name) <= 60 else f"{name[:59]}…")[1:-1]
