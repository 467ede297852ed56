"""Anchors: fixed strings that are looked for all at once, and what each of them may begin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from .matches import Known
from .placeholders import MARKER_ANCHORS
from .rules import Rule
from .ruleset import RULES

Entry = tuple[Rule | Known | None, int, int]
"""A rule, a known value or, for None, a placeholder, and between how many characters after its
start the anchor stands.
"""

Hit = tuple[int, int, int]
"""An anchor's number, and where in a text it begins and ends."""

LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)} | {
    code: 0xFFFD for code in range(0xD800, 0xE000)
}
"""Lower case, character by character. A lone half of a surrogate pair, which an escape may spell,
is no character that an automaton could be asked for.
"""


class Anchors:
    """An Aho-Corasick automaton over lower-case strings. No match is decided by more than `width`
    characters; `ends` are what ends the blocks that a rule finds, by the rule's name.
    """

    __slots__ = ("ends", "entries", "find", "lengths", "width")

    def __init__(self, entries: dict[str, list[Entry]]) -> None:
        from ahocorasick_rs import AhoCorasick

        self.entries = list(entries.values())
        self.lengths = list(map(len, entries))
        sources = {id(one): one for many in entries.values() for one, _, _ in many}.values()
        rules = [one for one in sources if isinstance(one, Rule)]
        values = [one for one in sources if isinstance(one, Known)]
        self.width = max(
            (*(rule.width for rule in rules), *(len(one.value) for one in values)), default=0
        )
        self.ends = {rule.name: re.compile(rule.until) for rule in rules if rule.until}
        self.find = AhoCorasick(list(entries)).find_matches_as_indexes


def of_rules(rules: Sequence[Rule]) -> Anchors:
    """Those of rules and of placeholders. Built once for the rules of this package."""
    return _of_all_rules() if rules is RULES else _of_rules(rules)


@cache
def _of_all_rules() -> Anchors:
    return _of_rules(RULES)


def _of_rules(rules: Sequence[Rule]) -> Anchors:
    entries: dict[str, list[Entry]] = {}
    for rule in rules:
        for anchor in rule.anchors:
            entries.setdefault(anchor.text, []).append((rule, anchor.low, anchor.high))
    for text in MARKER_ANCHORS:
        entries.setdefault(text, []).append((None, 0, 0))
    return Anchors(entries)


def of_known(known: Iterable[Known]) -> Anchors:
    """Those of a session's known values: each is its own anchor."""
    entries: dict[str, list[Entry]] = {}
    for one in known:
        entries.setdefault(one.value.translate(LOWER), []).append((one, 0, 0))
    return Anchors(entries)
