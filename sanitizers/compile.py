"""From the lines of a policy to the tree that walks its frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from turnreel.wire.units import Json

from .memory import remembered
from .paths import path as to_path
from .paths import spelled
from .placeholders import MARKER
from .policy import Key, Line, Policy, PolicyError
from .scrub import MASKED, Scrubber
from .shape import filler, shape
from .tree import Array, Delta, Leaf, Node, Object, Record, Strict, Unlisted

_MOST_VARIANTS: Final = 1024
_URL_WORDS: Final = frozenset(
    {"", "v1", "v2", "messages", "count_tokens", "batches", "models", "responses", "chat",
     "completions", "api", "input_tokens", "conversations", "organizations", "files"}
)  # fmt: skip
_LONGEST_COUNTER: Final = 1_000_000
_QUERY_VALUES: Final = frozenset({"true", "false", "1", "0"})


class _Branch:
    """What the lines of one variant say about one place."""

    def __init__(self) -> None:
        self.fields: dict[str, _Branch] = {}
        self.items: _Branch | None = None
        self.every: tuple[Key, _Branch] | None = None
        self.rest: Line | None = None
        self.line: Line | None = None


class Public:
    """What anyone may know: the names and field names of all dialects of a session."""

    def __init__(self, policies: Iterable[Policy]) -> None:
        policies = tuple(policies)
        self.names = frozenset[str]().union(*(policy.names for policy in policies))
        self.keys = frozenset[str]().union(
            *(policy.keys | _field_names(policy.lines) for policy in policies)
        )
        patterns = [pattern for policy in policies for pattern in policy.name_patterns]
        self._family = re.compile("|".join(patterns) or r"(?!)")

    def has(self, name: str) -> bool:
        """Whether `name` is public."""
        return name in self.names or self._family.fullmatch(name) is not None


class Compiler:
    """Compiles a policy lazily, a variant when it is first met, for one session's scrubber."""

    def __init__(self, policy: Policy, scrubber: Scrubber, public: Public) -> None:
        self.policy = policy
        self.scrubber = scrubber
        self.public = public
        self.label = remembered(self._label)
        """A frame's variant as the report may name it."""
        self._discriminators = {
            record: tuple(map(to_path, paths)) for record, paths in policy.discriminators.items()
        }
        self._nodes: dict[tuple[str, str], Node] = {}
        self._masked = Leaf(_masked, _zero, self._key)

    def _label(self, variant: str) -> str:
        # A variant that no line speaks of may hold anything.
        exact = any(
            line.record == "frame" and line.variant != "*" and line.applies_to(variant)
            for line in self.policy.lines
        )
        return variant if exact else "/".join(map(self.scrubber.word, variant.split("/")))

    def text(self, code: str, text: str) -> str:
        """A unit that is no JSON."""
        if self.policy.texts.get(code) == "text":
            return self.scrubber.visible(text)
        return self.scrubber.shaped(text)

    def frame(self, value: Json) -> str:
        """The variant of a frame."""
        return spelled(value, self._discriminators.get("frame", ()))

    def record(self, record: str, value: Json) -> Node:
        """The node for `value`, an object of `record`."""
        return self.variant(record, spelled(value, self._discriminators.get(record, ())))

    def variant(self, record: str, variant: str) -> Node:
        """The node for `variant` of `record`."""
        node = self._nodes.get((record, variant))
        if node is None:
            node = self._compile(record, variant)
            if len(self._nodes) < _MOST_VARIANTS:
                self._nodes[record, variant] = node
        return node

    def _compile(self, record: str, variant: str) -> Node:
        root = _Branch()
        for line in self.policy.lines:
            if line.record == record and line.applies_to(variant):
                _graft(root, line)
        path = f"{record}:"
        return self._object(root, path, self._unlisted(path))

    def _unlisted(self, path: str) -> Node:
        return Unlisted(path, self._masked, self.scrubber.tally.unlisted)

    def _node(self, branch: _Branch, path: str) -> Node:
        other = self._unlisted(path)
        if branch.line is not None:
            other = self._leaf(branch.line, path, other)
        if branch.items is not None:
            return Array(self._node(branch.items, f"{path}[]"), other)
        if branch.fields or branch.every or branch.rest:
            return self._object(branch, path, other)
        return other

    def _object(self, branch: _Branch, path: str, other: Node) -> Node:
        fields = {key: self._node(below, f"{path}.{key}") for key, below in branch.fields.items()}
        if branch.every is not None:
            kind, below = branch.every
            node = self._node(below, f"{path}.*")
            return Object(path, fields, lambda _: node, self._key_of(kind), other)
        if branch.rest is not None:
            rest = self._below(branch.rest, f"{path}.**", other)
            return Object(path, fields, lambda _: rest, self._key, other)
        field = self.scrubber.field
        return Object(
            path, fields, lambda key: self._unlisted(f"{path}.{field(key)}"), field, other
        )

    def _below(self, line: Line, path: str, other: Node) -> Node:
        """What ``**`` names: private values there have no literals of the runtime in them."""
        match line.mode:
            case "shape":
                return Leaf(shape, _zero, self._key, by_character=shape)
            case "int" | "number":
                return Leaf(_masked, _same, self.scrubber.field)
            case _:
                return self._leaf(line, path, other)

    def _leaf(self, line: Line, path: str, other: Node) -> Node:
        scrubber = self.scrubber
        match line.mode:
            case "enum":
                return Strict(self._enum(frozenset(line.arguments)), None, other)
            case "word":
                return Strict(scrubber.word, None, other)
            case "words":
                return Strict(self._words, None, other)
            case "version":
                return Strict(scrubber.version, None, other)
            case "int" | "number":
                return Strict(None, _same, other)
            case "bool":
                return Strict(None, None, other)
            case "id":
                return Strict(scrubber.placeholders.id, None, other)
            case "call":
                return Strict(scrubber.placeholders.id, _counter, other)
            case "serial":
                return Strict(scrubber.placeholders.serial, None, other)
            case "name":
                return Strict(self.name, None, other)
            case "path":
                return Strict(self._path, None, other)
            case "url":
                return Strict(self.url, None, other)
            case "when":
                return Strict(self._when, scrubber.placeholders.epoch, other)
            case "text":
                return Leaf(scrubber.visible, scrubber.visible_number, scrubber.scrub)
            case "shape":
                return Leaf(scrubber.shaped, _zero, self._key)
            case "command":
                return Strict(scrubber.command, None, other)
            case "filler":
                return Leaf(filler, _zero, self._key, by_character=filler)
            case "delta":
                return Delta(line.arguments[0], other)
            case "record":
                return Record(self, line.arguments[0], tuple(map(to_path, line.arguments[1:])))
            case "masked":
                return self._masked

    def name(self, value: str) -> str:
        """A name of the dialect's public ones, a placeholder for any other."""
        if self.public.has(value):
            return value
        for prefix in self.policy.name_prefixes:
            if value.startswith(prefix):
                return prefix + self.scrubber.placeholders.of("name", value[len(prefix) :])
        return self.scrubber.placeholders.of("name", value)

    def url(self, value: str) -> str:
        """A request's path and query: known words and flags pass, the rest is masked."""
        path, mark, query = value.partition("?")
        parts = [
            part
            if part in _URL_WORDS or self.public.has(part)
            else self.scrubber.placeholders.id(part)
            for part in path.split("/")
        ]
        pairs: list[str] = []
        for pair in query.split("&") if mark else ():
            key, equals, shown = pair.partition("=")
            if equals and shown not in _QUERY_VALUES:
                shown = MASKED
            pairs.append(self.scrubber.field(key) + equals + shown if key else equals + shown)
        return "/".join(parts) + mark + "&".join(pairs)

    def _enum(self, values: frozenset[str]) -> Callable[[str], str]:
        unknown = self.scrubber.placeholders.of

        def enum(value: str) -> str:
            return value if value in values else unknown("value", value)

        return enum

    def _words(self, value: str) -> str:
        return " ".join(map(self.scrubber.word, value.split(" ")))

    def _path(self, value: str) -> str:
        return self.scrubber.placeholders.of("path", value)

    def _when(self, value: str) -> str:
        return self.scrubber.placeholders.when(value) or MASKED

    def _key(self, key: str) -> str:
        if key in self.public.keys or MARKER.fullmatch(key):
            return key
        return self.scrubber.placeholders.of("field", key)

    def _key_of(self, kind: Key) -> Callable[[str], str]:
        match kind:
            case "name":
                return self.name
            case "text":
                return self.scrubber.scrub
            case "id":
                return self.scrubber.placeholders.id
            case "word":
                return self.scrubber.word


def _graft(root: _Branch, line: Line) -> None:
    branch = root
    for step in _steps(line.path):
        if step == "**":
            branch.rest = line
            return
        if step == "[]":
            branch.items = branch.items or _Branch()
            branch = branch.items
        elif step.startswith("{") and step.endswith("}"):
            kind: Key = step[1:-1]  # type: ignore[assignment]
            branch.every = branch.every or (kind, _Branch())
            branch = branch.every[1]
        else:
            branch = branch.fields.setdefault(step, _Branch())
    branch.line = line


def _steps(path: str) -> list[str]:
    steps: list[str] = []
    for part in path.split("."):
        name = part.rstrip("[]")
        arrays = (len(part) - len(name)) // 2
        if not name and not arrays:
            raise PolicyError(f"policy path {path!r} has an empty step", "write a.b[].c")
        steps += [name] * bool(name) + ["[]"] * arrays
    return steps


def _field_names(lines: Iterable[Line]) -> frozenset[str]:
    return frozenset(step for line in lines for step in _steps(line.path) if step[0] not in "[{*")


def _masked(value: str) -> str:
    return MASKED if value else value


def _zero(value: float) -> float:
    return 0


def _counter(value: float) -> float:
    """A number that counts calls; an account's would be longer."""
    return value if type(value) is int and abs(value) < _LONGEST_COUNTER else 0


def _same(value: float) -> float:
    return value
