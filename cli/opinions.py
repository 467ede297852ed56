"""``--second-opinion``: the same for every command that sanitizes or judges what was sanitized."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from turnreel.sanitizers import OpinionName

Command = TypeVar("Command", bound=Callable[..., Any])


def opinions_option(command: Command) -> Command:
    """Gives `command` the parameter `opinions`: the names of whom the seal gate asks as well."""
    return click.option(
        "--second-opinion",
        "opinions",
        is_flag=True,
        callback=_asked,
        help="Ask Kingfisher's rules as well, offline: pip install 'turnreel[scan]'.",
    )(command)


def _asked(_: click.Context, __: click.Parameter, is_asked: bool) -> tuple[OpinionName, ...]:
    """Raises `NoOpinion` before anything is done if the scanner is not installed."""
    if not is_asked:
        return ()
    from turnreel.sanitizers import opinion_of

    opinions: tuple[OpinionName, ...] = ("kingfisher",)
    opinion_of(opinions)
    return opinions
