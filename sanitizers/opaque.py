"""Opaque runs: strings without meaning to a reader, which is what most secrets look like.

A run is 20 or more characters of the alphabets that tokens use, with a letter and a digit among
them. It is not opaque if all its parts read like words, versions or dates:
``claude-sonnet-4-5-20250929``, ``src/http2/parser``. A shorter run is opaque if letters, capitals
and digits change places in it as they do in no word; one without a digit, if its letters follow
each other as they do in no words. What stands beside an opaque run behind a dot belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from operator import add
from typing import Final

from .placeholders import UUID, is_own_id

LEAST: Final = 20
RUN: Final = re.compile(r"[A-Za-z0-9+/_=\-]{14,}")
_DENSE: Final = re.compile(r"[A-Za-z0-9]{14,19}")
_CHANGES: Final = 5
"""How often letters, capitals and digits change places in a short opaque run, at least."""

_CAPITAL: Final = (2, 0)
"""A capital that begins a word is no change."""

_LETTERS: Final = re.compile(r"[A-Za-z]{14,}")
_PAIRS: Final = """
ajoq bghkqvwxz cjqwxz djqxz ej fhjkqvwxz gjkqvwxz hbgjkqvwxz ijwy jbcdfghilmnpqrtvwxyz kbhjqvxyz
ljqxz mhjkvwz njqxz oqyz pjqxz qabcdefghijkmnopstvwxyz rjqxz sjxz tjq uhjkqvwxyz vghjklmnqruxyz
wbgjkmquvyz xghjknqruvwz yhjkqx zbcdfghjklmnpqrstuvwxy
"""
_RARE: Final = frozenset(line[0] + second for line in _PAIRS.split() for second in line[1:])
"""The pairs of letters (each letter with those that hardly ever follow it) that are rarest in
identifiers, without those of the alphabet. Of letters drawn at random, 3 in 10 pairs are among
them.
"""

_LEAST_RARE: Final = 3
_LEAST_SHARE: Final = 0.12
"""How many rare pairs there are in letters that are no words, and their share at least."""

_BEHIND: Final = re.compile(r"\.([A-Za-z0-9+/_=\-]{4,19})(?![A-Za-z0-9+/_=\-])")
_BEFORE: Final = re.compile(r"(?<![A-Za-z0-9+/_=\-])([A-Za-z0-9+/_=\-]{4,19})\.\Z")
_PART: Final = re.compile(r"[+/_=\-]+")
_WORDLIKE: Final = re.compile(
    r"(?:[A-Za-z]?[a-z]{1,15}(?:[A-Z][a-z]{1,15}){0,6}|[A-Z]{1,15})"  # words, camel case
    r"(?:[0-9]{1,3}(?:[a-z]{0,2}(?:[A-Z][a-z]{1,15}){0,6}))?"  # a number, and words again
    r"|[vV]?0*[0-9]{1,8}|"  # a version, a date, an id of ours, nothing
)
_VALUE: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9+/_\-]*[A-Za-z0-9+/])?")
_SHAPED: Final = re.compile(r"(?:[+/_=\-]*[A-Za-z0-9]){0,4}[xX0+/_=\-]+")
"""A shape, of which the first characters may tell it apart from another."""

_LETTER: Final = re.compile(r"[A-Za-z]")
_DIGIT: Final = re.compile(r"[0-9]")


def is_opaque(run: str) -> bool:
    """Whether `run`, characters of the token alphabets alone, must be masked."""
    if len(run) < LEAST:
        return is_dense(run)
    if not _LETTER.search(run):
        return False
    if not _DIGIT.search(run):
        parts = () if run.isalpha() else _LETTERS.findall(run)
        return is_unspeakable(run) or any(map(is_unspeakable, parts))
    return not is_own_id(run) and (not reads(run) or is_unspeakable(run))


def is_dense(run: str) -> bool:
    """Whether a part of `run`, which is short, mixes letters and digits as no name does, or is
    made of letters that nobody could say.
    """
    return any(_is_mixed(part) or is_unspeakable(part) for part in _DENSE.findall(run))


def _is_mixed(part: str) -> bool:
    kinds = [1 if character.isdigit() else 2 * character.isupper() for character in part]
    changes = sum(one != other for one, other in pairwise(kinds) if (one, other) != _CAPITAL)
    return changes >= _CHANGES and kinds.count(1) > 1 and not reads(part)


def is_unspeakable(run: str) -> bool:
    """Whether the letters of `run` are no words written together."""
    letters = run.lower()
    rare = sum(map(_RARE.__contains__, map(add, letters, letters[1:])))
    return rare >= _LEAST_RARE and rare >= _LEAST_SHARE * len(run)


def beside(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The places of the parts beside the opaque run `text[start:end]`, behind or before a dot,
    that are no words.
    """
    before = _BEFORE.search(text, max(0, start - LEAST - 1), start)
    if before and _is_beside(before[1]):
        yield before.span(1)
    while (after := _BEHIND.match(text, end)) and _is_beside(after[1]):
        yield after.span(1)
        end = after.end()


def _is_beside(part: str) -> bool:
    """Whether a part beside an opaque run is one of its kind."""
    return bool(_DIGIT.search(part)) and bool(_LETTER.search(part)) and not reads(part)


def reads(run: str) -> bool:
    """Whether all parts of `run` are words, versions or dates."""
    return all(_WORDLIKE.fullmatch(part) for part in _PART.split(run))


def within(run: str) -> Iterator[tuple[int, int]]:
    """The places inside `run` that must be masked: its uuids, then what of the rest is opaque.

    In an assignment (``key=VALUE``) name and value are masked apart, and a name that reads stays:
    so a value has one placeholder with and without its name.
    """
    if _SHAPED.fullmatch(run):
        return
    at = 0
    for uuid in UUID.finditer(run) if len(run) >= 36 else ():
        yield from _opaque(run, at, uuid.start())
        if not is_own_id(uuid[0]):
            yield uuid.span()
        at = uuid.end()
    yield from _opaque(run, at, len(run))


def _opaque(run: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if not is_opaque(run[start:end]):
        return
    for value in _VALUE.finditer(run, start, end):
        if not reads(value[0]) or is_unspeakable(value[0]):
            yield value.span()
