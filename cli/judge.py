"""``turnreel judge``: somebody else's events, held against the contract."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import as_json, counted, document

if TYPE_CHECKING:
    from turnreel.conformance.foreign import Judgement


@click.command(
    "judge",
    epilog="\b\nExamples:\n"
    "  my-adapter < agent.jsonl | turnreel judge\n"
    "  turnreel judge events.jsonl\n"
    "  turnreel judge events.jsonl --json",
)
@click.argument("events", type=click.Path(path_type=Path, allow_dash=True), default="-")
@as_json
def command(events: Path, as_json: bool) -> int:
    """Judge somebody else's events by the contract.

    EVENTS holds one event of turn/1 a line, stdin unless named. Only events are known, so clauses
    about native frames are not judged. Where notices of a session's journal are among them, that is
    judged, too. Unknown fields and unknown non-terminal types are ignored, as every reader ignores
    them. Exit 0 if every clause holds, 1 if one does not, 2 if there is no event at all.
    """
    from turnreel.conformance.foreign import judge
    from turnreel.wire.errors import TurnreelError

    if str(events) == "-":
        told = judge(sys.stdin.buffer, "stdin")
    else:
        try:
            with events.open("rb") as file:
                told = judge(file, str(events))
        except OSError as error:
            reason = (error.strerror or "cannot be read").lower()
            raise TurnreelError(f"{events}: {reason}", "name a file of events") from None
    if as_json:
        import msgspec

        document({"ok": told.ok, **msgspec.to_builtins(told)})
    else:
        _print(told)
    return 0 if told.ok else 1


def _print(told: Judgement) -> None:
    from turnreel.cassettes.render import printable
    from turnreel.conformance.describe import demand

    for one in told.violations:
        place = f"{one.run_id} event {one.seq}: " if one.run_id else ""
        click.echo(printable(f"{one.clause}: {place}{one.message}"))
        if told_of := demand(one.clause):
            click.echo(f"    {told_of}")
    for kind, count in told.ignored.items():
        click.echo(printable(f"ignored: {counted(count, 'event')} of the unknown type {kind}"))
    read = [counted(told.runs, "run"), counted(told.events, "event")]
    if told.notices:
        read.append(counted(told.notices, "notice"))
    click.echo(", ".join([*read, counted(len(told.violations), "violation")]))
