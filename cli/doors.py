"""Where a proxy listens: the options of every command that starts one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def door_options(command: Command) -> Command:
    """``--listen`` and ``--token``, as `address` and `token`: what `recorder.door` takes."""
    token = click.option(
        "--token",
        envvar="TURNREEL_TOKEN",
        metavar="TOKEN",
        help="What clients have to say, in the URL; made up where others can reach the address.",
    )
    listen = click.option(
        "--listen",
        "address",
        metavar="HOST:PORT",
        help="Address of the proxy; a free port on loopback unless said.",
    )
    return listen(token(command))
