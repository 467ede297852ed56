"""``turnreel faults``: everything that can be made to go wrong, and how it is written."""

from __future__ import annotations

import click

from .output import as_json, document, table


@click.command(
    "faults",
    epilog="\b\nExamples:\n"
    "  turnreel faults\n"
    "  turnreel faults cut\n"
    "  turnreel faults --schema > plan.schema.json",
)
@click.argument("names", nargs=-1, metavar="[FAULT]...")
@click.option("--schema", is_flag=True, help="Print the JSON schema of a plan file.")
@as_json
def command(names: tuple[str, ...], schema: bool, as_json: bool) -> None:
    """List what can be made to go wrong, and how it is written.

    With names, those faults alone. Where a fault may be placed: behind an event (event=3,
    event=terminal, type=message_delta,nth=2), at a byte of the body or of stdout (byte=812), or at
    a time of the recording (time=2.5).
    """
    from turnreel.replayer.describe import row
    from turnreel.replayer.faults import WORDS
    from turnreel.replayer.plan import word_named

    if schema:
        from turnreel.replayer.plan_schema import plan_schema

        document(plan_schema())
        return
    words = [word_named(name) for name in names] if names else WORDS
    if as_json:
        document(
            [
                {
                    "fault": word.name,
                    "family": word.family,
                    "played_by": sorted(word.sides),
                    "places": word.places,
                    "meaning": word.meaning,
                    "examples": word.examples,
                    "leaves": word.leaves,
                }
                for word in words
            ]
        )
        return
    rows = [row(word) for word in words]
    table(
        ("fault", "played by", "place", "example", "what happens"),
        [
            (name, players, places, "  ".join(examples), meaning)
            for name, players, places, meaning, examples in rows
        ],
    )
