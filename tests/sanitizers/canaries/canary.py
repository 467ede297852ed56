"""A canary: one made-up secret, told apart from all others by the characters it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from turnreel.sanitizers.forms import expand, filled
from turnreel.sanitizers.ruleset import RULES

LEAST: Final = 6
"""Shorter secrets cannot be told from chance."""


class Canary(NamedTuple):
    """A secret of `rule`: `text` as it is written, `core` the part that nobody may learn."""

    rule: str
    text: str
    core: str

    def needles(self) -> tuple[str, ...]:
        """The core, and each half of it that is long enough to be told from chance."""
        half = len(self.core) // 2
        halves = (self.core[:half], self.core[half:]) if half >= 8 else ()
        return self.core, *halves


def canary(rule: str, form: str, seed: int) -> Canary:
    """The canary of `form` with that seed."""
    return Canary(rule, expand(form, seed), max(filled(form, seed), key=len))


FORMS: Final = tuple(
    (rule.name, form)
    for rule in RULES
    for form in rule.forms
    if any(len(part) >= LEAST for part in filled(form))
)
"""Every published form that has a secret part of its own."""


def canaries(seed: int) -> Iterator[Canary]:
    """Canaries of all forms, over and over, each with characters of its own."""
    order = list(FORMS)
    shuffled = Random(seed)
    number = seed * 1_000_003
    while True:
        shuffled.shuffle(order)
        for rule, form in order:
            number += 1
            yield canary(rule, form, number)
