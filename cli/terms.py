"""What a host declares of its agents' turns: the options of commands that record or translate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from turnreel.lifecycle.terms import Terms

Command = TypeVar("Command", bound=Callable[..., Any])

MARKER_LIMIT = 64
"""Characters a marker may have: it is written as it stands."""


def terms_options(command: Command) -> Command:
    """``--marker`` and ``--empty-finals``, as `marker` and `empty_finals`."""
    marker = click.option(
        "--marker",
        metavar="TEXT",
        help="What agents are told to begin a final with that waits for a person (T5).",
    )
    empty = click.option(
        "--empty-finals", is_flag=True, help="A success without any text is a final (C5)."
    )
    return marker(empty(command))


def terms(marker: str | None, empty_finals: bool) -> Terms:
    """The declaration. Raises `click.UsageError` for a marker that cannot be one."""
    from turnreel.lifecycle.terms import Terms

    if marker is not None and (
        not marker.isprintable() or not marker.strip() or len(marker) > MARKER_LIMIT
    ):
        raise click.UsageError(f"--marker is printable and has 1 to {MARKER_LIMIT} characters")
    return Terms(marker=marker and marker.strip(), empty_finals=empty_finals)
