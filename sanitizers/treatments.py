"""What a value becomes in one session: what every mode of a policy does with a text or a number.

A plan (see `compile`) is compiled once for all sessions and holds nothing of any; what it calls
is here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Protocol

from .memory import remembered
from .placeholders import ID_PREFIX, MARKER, MASKED, UUID
from .policy import Policy
from .scrub import Scrubber
from .shape import filler, shape

_URL_WORDS: Final = frozenset(
    {"", "v1", "v2", "messages", "count_tokens", "batches", "models", "responses", "chat",
     "completions", "api", "input_tokens", "conversations", "organizations", "files"}
)  # fmt: skip
_LONGEST_COUNTER: Final = 1_000_000
_QUERY_VALUES: Final = frozenset({"true", "false", "1", "0"})


class Vocabulary(Protocol):
    """A compiled policy, as far as its words go."""

    policy: Policy
    keys: frozenset[str]


class Public:
    """What anyone may know: the names and field names of all dialects of a session."""

    def __init__(self, plans: Iterable[Vocabulary]) -> None:
        plans = tuple(plans)
        self.names = frozenset[str]().union(*(plan.policy.names for plan in plans))
        self.keys = frozenset[str]().union(*(plan.keys for plan in plans))
        lines = [line for plan in plans for line in plan.policy.lines]
        listed = {word for line in lines for word in (*line.arguments, *line.variant.split("/"))}
        self.words = self.names | self.keys | listed
        patterns = [pattern for plan in plans for pattern in plan.policy.name_patterns]
        self._family = re.compile("|".join(patterns) or r"(?!)")

    def has(self, name: str) -> bool:
        """Whether `name` is public."""
        return name in self.names or self._family.fullmatch(name) is not None


class Treatments:
    """The treatments of one track in one session."""

    __slots__ = (
        "_label",
        "_names",
        "_prefixes",
        "_public",
        "_scrubber",
        "placeholders",
        "unlisted",
    )

    def __init__(self, policy: Policy, scrubber: Scrubber, public: Public) -> None:
        self._scrubber = scrubber
        self._public = public
        self._prefixes = policy.name_prefixes
        self.placeholders = scrubber.placeholders
        self.unlisted = scrubber.tally.unlisted
        self._names = remembered(self._name)
        self._label = remembered(self._spelled)

    def visible(self, value: str) -> str:
        """Visible text, by profile."""
        return self._scrubber.visible(value)

    def visible_number(self, value: float) -> float:
        """A number in visible content: as readable as text is."""
        return self._scrubber.visible_number(value)

    def scrub(self, value: str) -> str:
        """Text whose secrets are replaced."""
        return self._scrubber.scrub(value)

    def shaped(self, value: str) -> str:
        """Private text: its shape, and what its runtime says in fixed words."""
        self._scrubber.scanner.learn(value)
        return self._scrubber.shaped(value)

    def bare(self, value: str) -> str:
        """Private text: its shape alone."""
        self._scrubber.scanner.learn(value)
        return shape(value)

    def filler(self, value: str) -> str:
        """Hidden text."""
        return filler(value)

    def masked(self, value: str) -> str:
        """What nobody listed."""
        return MASKED if value else value

    def nothing(self, value: str) -> str:
        """Text that is left out."""
        return ""

    def zero(self, value: float) -> float:
        """A number that says nothing any more."""
        return 0

    def same(self, value: float) -> float:
        """A number that may land."""
        return value

    def counter(self, value: float) -> float:
        """A number that counts calls; an account's would be longer."""
        return value if type(value) is int and abs(value) < _LONGEST_COUNTER else 0

    def word(self, value: str) -> str:
        """A word of an open vocabulary."""
        return self._scrubber.word(value)

    def words(self, value: str) -> str:
        """Words with single spaces between, none of which tells a secret behind it."""
        if " " in value and self._scrubber.scanner.spans(value):
            return self.placeholders.of("value", value)
        return " ".join(map(self._scrubber.word, value.split(" ")))

    def label(self, variant: str) -> str:
        """A frame's variant that no line spells: it may hold anything, and the report names it."""
        return self._label(variant)

    def _spelled(self, variant: str) -> str:
        return "/".join(map(self._scrubber.word, variant.split("/")))

    def version(self, value: str) -> str:
        """Digits and dots."""
        return self._scrubber.version(value)

    def command(self, value: str) -> str:
        """A command line: the program's name, the rest shape."""
        return self._scrubber.command(value)

    def value(self, value: str) -> str:
        """One of a closed vocabulary that is none of its words."""
        return self.placeholders.of("value", value)

    def id(self, value: str) -> str:
        """A native id."""
        return self.placeholders.id(value)

    def serial(self, value: str) -> str:
        """An id met again soon or never."""
        return self.placeholders.serial(value)

    def path(self, value: str) -> str:
        """A path of a file."""
        self._scrubber.scanner.learn(value)
        return self.placeholders.of("path", value)

    def when(self, value: str) -> str:
        """A date, moved."""
        return self.placeholders.when(value) or MASKED

    def epoch(self, value: float) -> float:
        """A time in numbers, moved."""
        return self.placeholders.epoch(value)

    def field(self, key: str) -> str:
        """A field's name beside listed ones: kept if it can only be a name."""
        return self._scrubber.field(key)

    def key(self, key: str) -> str:
        """A field's name in private values: kept if it is public."""
        if key in self._public.keys or MARKER.fullmatch(key):
            return key
        return self.placeholders.of("field", key)

    def name(self, value: str) -> str:
        """A name of the dialect's public ones, a placeholder for any other."""
        return self._names(value)

    def _name(self, value: str) -> str:
        if self._public.has(value):
            return value
        for prefix in self._prefixes:
            if value.startswith(prefix):
                return prefix + self.placeholders.of("name", value[len(prefix) :])
        return self.placeholders.of("name", value)

    def url(self, value: str) -> str:
        """A request's path and query: known words and flags pass, the rest is masked."""
        path, mark, query = value.partition("?")
        parts = [
            part if part in _URL_WORDS or self._public.has(part) else self._segment(part)
            for part in path.split("/")
        ]
        pairs: list[str] = []
        for pair in query.split("&") if mark else ():
            key, equals, shown = pair.partition("=")
            if equals and shown not in _QUERY_VALUES:
                shown = MASKED
            pairs.append(self.field(key) + equals + shown if key else equals + shown)
        return "/".join(parts) + mark + "&".join(pairs)

    def _segment(self, part: str) -> str:
        """An id of a known form as an id; any other with a mark by which the gate knows it."""
        if ID_PREFIX.match(part) or UUID.fullmatch(part):
            return self.placeholders.id(part)
        return self.placeholders.of("value", part)
