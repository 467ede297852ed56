"""The project's policy: which file it is, for every command that sanitizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from turnreel.recorder.project_policy import ProjectPolicy

Command = TypeVar("Command", bound=Callable[..., Any])

POLICY_NAME: Final = "turnreel-policy.txt"
"""How a project's policy file is called where nothing else is said."""


def policy_option(command: Command) -> Command:
    """``--policy``, the same for every command that sanitizes; `policy_of` reads it."""
    return click.option(
        "--policy",
        "policy_file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="The project's own policy lines; [tool.turnreel] policy unless said.",
    )(command)


def policy_path(said: Path | None) -> Path | None:
    """The project's policy file: the one that was named, else the one of the settings."""
    from turnreel.conformance.project import setting
    from turnreel.wire.errors import TurnreelError

    if said is not None:
        return said
    configured = setting(Path(), "policy")
    if configured is None:
        return None
    if not isinstance(configured, str):
        raise TurnreelError(
            "pyproject.toml: [tool.turnreel] policy is not a path",
            f'write it as policy = "{POLICY_NAME}"',
        )
    return Path(configured)


def policy_of(said: Path | None) -> ProjectPolicy:
    """The project's policy, without lines if the project has none. A file that is configured has
    to be there: without it, fields that somebody allowed would be masked in silence.
    """
    from turnreel.recorder.project_policy import ProjectPolicy, read_project_policy

    path = policy_path(said)
    return ProjectPolicy() if path is None else read_project_policy(path)
