"""``turnreel completion``: the script that makes a shell complete commands, options and paths."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog="\b\nExamples:\n"
    '  eval "$(turnreel completion bash)"       in ~/.bashrc\n'
    '  eval "$(turnreel completion zsh)"        in ~/.zshrc\n'
    "  turnreel completion fish > ~/.config/fish/completions/turnreel.fish",
)
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
def command(shell: str) -> None:
    """Print the completion script of a shell."""
    from .root import COMPLETE, root

    kind = get_completion_class(shell)
    assert kind is not None, "click completes each of SHELLS"
    click.echo(kind(root, {}, "turnreel", COMPLETE).source())
