"""From the lines of a policy to the tree that walks its frames: once, for all sessions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from turnreel.wire.units import Json

from .json_text import JsonText
from .objects import Delta, Object, Record, Same, UnlistedFields
from .paths import path as to_path
from .paths import spelled
from .policy import Key, Line, Mode, Policy, PolicyError
from .shape import filler, shape
from .treatments import Public, Treatments
from .tree import Array, Enum, Leaf, Node, Number, Strict, Text, Unlisted

_SCALARS: Final[dict[Mode, tuple[Text | None, Number | None]]] = {
    "word": (Treatments.word, None),
    "words": (Treatments.words, None),
    "version": (Treatments.version, None),
    "int": (None, Treatments.same),
    "number": (None, Treatments.same),
    "bool": (None, None),
    "id": (Treatments.id, None),
    "call": (Treatments.id, Treatments.counter),
    "serial": (Treatments.serial, None),
    "name": (Treatments.name, None),
    "path": (Treatments.path, None),
    "url": (Treatments.url, None),
    "when": (Treatments.when, Treatments.epoch),
    "command": (Treatments.command, None),
}
"""What the modes of single values do with a text and a number; another type is unlisted."""

_KEYS: Final[dict[Key, Text]] = {
    "name": Treatments.name,
    "text": Treatments.scrub,
    "id": Treatments.id,
    "word": Treatments.word,
}

_MASKED: Final = Leaf(Treatments.masked, Treatments.zero, Treatments.key)

_BY_EVENT: Final = (("@event",),)
_MOST_PLANS: Final = 64


class _Branch:
    """What the lines of one variant say about one place."""

    def __init__(self) -> None:
        self.fields: dict[str, _Branch] = {}
        self.items: _Branch | None = None
        self.every: tuple[Key, _Branch] | None = None
        self.rest: Line | None = None
        self.line: Line | None = None


_plans: dict[int, Plan] = {}
_publics: dict[tuple[Plan, ...], Public] = {}


def plan_of(policy: Policy) -> Plan:
    """The plan of `policy`, compiled once for all sessions of a process."""
    plan = _plans.get(id(policy))
    if plan is None:
        if len(_plans) >= _MOST_PLANS:
            _plans.clear()
        plan = _plans[id(policy)] = Plan(policy)  # it holds the policy: the id stays its own
    return plan


def public_of(plans: tuple[Plan, ...]) -> Public:
    """What `plans` together make public."""
    public = _publics.get(plans)
    if public is None:
        if len(_publics) >= _MOST_PLANS:
            _publics.clear()
        public = _publics[plans] = Public(plans)
    return public


class Plan:
    """A policy compiled: what becomes of a value, but for the session in which it does.

    Compiled lazily, a variant when it is first met, and kept for later sessions; so it holds
    nothing that a session brought. A variant that no line names shares the node of those like it.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.keys = policy.keys | _field_names(policy.lines)
        self._records: dict[str, Variants] = {}
        self.frames = self.of("frame")
        self._is_by_event = self.frames.paths == _BY_EVENT

    def label(self, variant: str, treat: Treatments) -> str:
        """A frame's variant as the report may name it."""
        return variant if variant in self.frames.listed else treat.label(variant)

    def frame(self, value: Json, event: str) -> str:
        """The variant of a frame; `event` is the name in its ``event`` line, if it has one."""
        return event if self._is_by_event else self.frames.spelled(value)

    def of(self, record: str) -> Variants:
        """The nodes of a record's variants."""
        known = self._records.get(record)
        if known is None:
            lines = tuple(line for line in self.policy.lines if line.record == record)
            known = self._records[record] = Variants(self, record, lines)
        return known

    def node(self, record: str, lines: Iterable[Line]) -> Node:
        """The node of an object of `record` of which these lines speak."""
        root = _Branch()
        for line in lines:
            _graft(root, line)
        path = f"{record}:"
        return self._object(root, path, self._unlisted(path))

    def _unlisted(self, path: str) -> Node:
        return Unlisted(path, _MASKED)

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
            return Object(fields, Same(node), _KEYS[kind], other)
        if branch.rest is not None:
            rest = Same(self._below(branch.rest, f"{path}.**", other))
            numbers = branch.rest.mode in ("int", "number")
            return Object(fields, rest, Treatments.field if numbers else Treatments.key, other)
        return Object(fields, UnlistedFields(path, _MASKED), Treatments.field, other)

    def _below(self, line: Line, path: str, other: Node) -> Node:
        """What ``**`` names: private values there have no literals of the runtime in them."""
        match line.mode:
            case "shape":
                return Leaf(Treatments.bare, Treatments.zero, Treatments.key, by_character=shape)
            case "int" | "number":
                return Leaf(Treatments.masked, Treatments.same, Treatments.field)
            case _:
                return self._leaf(line, path, other)

    def _leaf(self, line: Line, path: str, other: Node) -> Node:
        match line.mode:
            case "enum":
                return Enum(frozenset(line.arguments), other)
            case "text":
                return Leaf(Treatments.visible, Treatments.visible_number, Treatments.scrub)
            case "scrub":
                return Leaf(Treatments.scrub, Treatments.same, Treatments.scrub)
            case "drop":
                return Leaf(Treatments.nothing, Treatments.zero, Treatments.key)
            case "shape":
                return Leaf(Treatments.shaped, Treatments.zero, Treatments.key)
            case "filler":
                return Leaf(Treatments.filler, Treatments.zero, Treatments.key, by_character=filler)
            case "delta":
                return Delta(line.arguments[0], other)
            case "record":
                return Record(self.of(line.arguments[0]), tuple(map(to_path, line.arguments[1:])))
            case "source":
                return JsonText(Record(self.of(line.arguments[0]), ()), other)
            case "masked":
                return _MASKED
            case scalar:
                text, number = _SCALARS[scalar]
                return Strict(text, number, other)


class Variants:
    """The nodes of one record, each compiled when an object of its variant is first met."""

    __slots__ = ("_families", "_lines", "_nodes", "_plan", "_record", "_step", "listed", "paths")

    def __init__(self, plan: Plan, record: str, lines: tuple[Line, ...]) -> None:
        self._plan = plan
        self._record = record
        self._lines = lines
        self.listed = frozenset(line.variant for line in lines)
        self._families = sorted(one[:-1] for one in self.listed if one.endswith("/*"))
        self.paths = tuple(map(to_path, plan.policy.discriminators.get(record, ())))
        is_field = len(self.paths) == 1 and len(self.paths[0]) == 1
        self._step = self.paths[0][0] if is_field else None
        self._nodes: dict[str, Node] = {}

    def spelled(self, value: Json) -> str:
        """The variant that an object of the record spells."""
        if self._step is not None and type(value) is dict:  # the usual case, without a loop
            word = value.get(self._step)
            return word if type(word) is str else ""
        return spelled(value, self.paths)

    def of(self, value: Json) -> Node:
        """The node for an object of the record."""
        return self.named(self.spelled(value))

    def named(self, variant: str) -> Node:
        """The node for `variant`; for one that no line lists, that of those like it."""
        node = self._nodes.get(variant)
        if node is not None:
            return node
        if variant not in self.listed:
            variant = self._like(variant)
            node = self._nodes.get(variant)
        if node is None:
            lines = [line for line in self._lines if line.applies_to(variant)]
            node = self._nodes[variant] = self._plan.node(self._record, lines)
        return node

    def _like(self, variant: str) -> str:
        """The longest family that `variant` is of, as a variant of it: the same lines apply."""
        families = [one for one in self._families if variant.startswith(one)]
        return max(families, key=len, default="")


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
