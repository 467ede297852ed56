"""The root command: knows the catalogue, imports a command when it is invoked."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from turnreel import __version__

from .catalogue import ENTRIES, GROUPS

COMPLETE: Final = "_TURNREEL_COMPLETE"
"""The variable in which a shell asks for completions."""


class CatalogueGroup(click.Group):
    """A group whose commands stand in the catalogue and are imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(ENTRIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = ENTRIES.get(cmd_name)
        if entry is None:
            return None
        command = import_module(f".{entry.module}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but a name that is nearly a command's is answered with it."""
        if args and args[0] not in ENTRIES and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], ENTRIES, n=1)
            hint = f"did you mean `turnreel {near[0]}`?" if near else "see turnreel --help"
            raise click.UsageError(f"no such command: {args[0]} ({hint})")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, entries in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(entry.name, entry.summary) for entry in entries])


@click.group(
    cls=CatalogueGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\nExamples:\n"
    "  turnreel record --to broken.cassette.jsonl -- \\\n"
    "    claude -p --output-format stream-json --verbose -- 'Why is the build red?'\n"
    "  turnreel show broken.cassette.jsonl\n"
    "  turnreel serve broken.cassette.jsonl --fault cut:reset@event=5\n"
    "  turnreel verify",
)
@click.version_option(__version__, "-V", "--version", message="turnreel %(version)s")
def root() -> None:
    """Record what an agent really emitted, play it back as badly as the world does, and prove
    that the turn which comes out is the same.
    """
