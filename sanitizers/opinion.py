"""A second opinion at the seal gate: somebody else's rules over what is about to land.

Offline, and only if asked for; it needs the ``scan`` extra. Of that package nothing but its scanner
is used, never what checks a credential with its vendor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal

from turnreel.wire.errors import TurnreelError

Opinion = Callable[[str], Iterable[str]]
"""The names of the rules that object to a text."""


OpinionName = Literal["kingfisher"]
"""Whose opinion can be asked for."""


class NoOpinion(TurnreelError):
    """A second opinion was asked for and its package is not installed."""


@cache
def opinion_of(names: tuple[OpinionName, ...]) -> Opinion | None:
    """The opinion of all that are named, None of none. Asked for once: compiling others' rules
    takes its time. Raises `NoOpinion`.
    """
    return kingfisher() if "kingfisher" in names else None


def kingfisher() -> Opinion:
    """The opinion of Kingfisher's rules. Raises `NoOpinion`."""
    try:
        from kingfisher_sdk import Scanner
    except ImportError as error:
        raise NoOpinion(
            "a second opinion needs Kingfisher's scanner", "pip install 'turnreel[scan]'"
        ) from error
    scanner: Any = Scanner(redact=True)

    def opinion(text: str) -> list[str]:
        found = scanner.scan(text.encode("utf-8", "replace"))
        return [one.rule_id for one in found if one.visible]

    return opinion
