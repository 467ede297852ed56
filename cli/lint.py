"""``turnreel lint``: is a cassette sound, whole, and clean by today's rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from .opinions import opinions_option
from .output import as_json, document, table
from .project import policy_of, policy_option
from .sizes import SIZE

if TYPE_CHECKING:
    from turnreel.recorder.linting import Found, Linted
    from turnreel.sanitizers import OpinionName

COLUMNS: Final = ("cassette", "state", "records", "bytes", "agent", "profile", "policies", "found")


@click.command(
    "lint",
    epilog="\b\nExamples:\n"
    "  turnreel lint broken.cassette.jsonl\n"
    "  turnreel lint tests/cassettes --json\n"
    "  turnreel lint tests/cassettes --sarif > lint.sarif",
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@policy_option
@opinions_option
@click.option(
    "--max-size", type=SIZE, default="1MiB", show_default=True, help="Bytes a cassette may have."
)
@as_json
@click.option("--sarif", "as_sarif", is_flag=True, help="Print SARIF for a code host.")
def command(
    paths: tuple[Path, ...],
    policy_file: Path | None,
    opinions: tuple[OpinionName, ...],
    max_size: int,
    as_json: bool,
    as_sarif: bool,
) -> int:
    """Check cassettes for form, seal, digest and leftovers.

    A leftover is what sanitizing again, by today's policies and rules, would still replace. Fields
    that no policy lists are told with the line that would allow them, never with their value. A
    folder is searched for cassettes. Exit 1 if anything was found; warnings (older policies or
    rules) leave 0.
    """
    from turnreel.conformance.discovery import cassettes_under
    from turnreel.recorder.linting import lint

    from .sarif import sarif

    policy = policy_of(policy_file)
    results = [lint(path, policy, max_size, opinions) for path in cassettes_under(paths)]
    if as_sarif:
        document(sarif(results))
    elif as_json:
        document([_document(one) for one in results])
    else:
        _print(results)
    return 0 if all(one.is_clean for one in results) else 1


def _document(one: Linted) -> dict[str, object]:
    found = [{**msgspec.to_builtins(each), "level": each.level} for each in one.found]
    return {**msgspec.to_builtins(one), "found": found}


def _print(results: Sequence[Linted]) -> None:
    table(
        COLUMNS,
        [
            (
                Path(one.path).name, one.state, str(one.records), str(one.bytes), one.agent or "-",
                one.profile or "-",
                " ".join(f"{name}@{version}" for name, version in one.policies.items()) or "-",
                str(len(one.found)),
            )
            for one in results
        ],
    )  # fmt: skip
    for one in results:
        for found in one.found:
            click.echo(_line(one.path, found))


def _line(path: str, found: Found) -> str:
    place = f"{path}:{found.line}" if found.line is not None else path
    warning = "warning: " if found.level == "warning" else ""
    remedy = f" ({found.remedy})" if found.remedy else ""
    return f"{place}: {warning}{found.what}{remedy}"
