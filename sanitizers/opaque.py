"""Opaque runs: strings without meaning to a reader, which is what most secrets look like.

A run is 20 or more characters of the alphabets that tokens use, with a letter and a digit among
them. It is not opaque if all its parts read like words, versions or dates:
``claude-sonnet-4-5-20250929``, ``src/http2/parser``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .placeholders import UUID, is_own_id

LEAST: Final = 20
RUN: Final = re.compile(r"[A-Za-z0-9+/_=\-]{20,}")
_PART: Final = re.compile(r"[+/_=\-]+")
_WORDLIKE: Final = re.compile(
    r"(?:[A-Za-z]?[a-z]{1,15}(?:[A-Z][a-z]{1,15}){0,6}|[A-Z]{1,15})"  # words, camel case
    r"(?:[0-9]{1,3}(?:[a-z]{0,2}(?:[A-Z][a-z]{1,15}){0,6}))?"  # a number, and words again
    r"|[vV]?[0-9]{1,8}|"  # a version, a date, nothing
)
_VALUE: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9+/_\-]*[A-Za-z0-9+/])?")
_SHAPED: Final = re.compile(r"(?:[+/_=\-]*[A-Za-z0-9]){0,4}[xX0+/_=\-]+")
"""A shape, of which the first characters may tell it apart from another."""

_LETTER: Final = re.compile(r"[A-Za-z]")
_DIGIT: Final = re.compile(r"[0-9]")


def is_opaque(run: str) -> bool:
    """Whether `run`, characters of the token alphabets alone, must be masked."""
    if len(run) < LEAST or not _DIGIT.search(run) or not _LETTER.search(run):
        return False
    return not is_own_id(run) and not reads(run)


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
        if not reads(value[0]):
            yield value.span()
