"""``turnreel lint``: is a cassette sound, whole, and clean by today's rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from .output import as_json, document, table

if TYPE_CHECKING:
    from turnreel.cassettes import Cassette, Record
    from turnreel.sanitizers import Raw

COLUMNS: Final = ("cassette", "state", "records", "bytes", "agent", "profile", "policies", "found")
PLAIN_LIMIT: Final = 1 << 20
"""Bytes above which a plain cassette should be a compressed one."""


class Found(msgspec.Struct, frozen=True):
    """One thing that is not as it should be. `line` of the file, where there is one."""

    what: str
    remedy: str = ""
    line: int | None = None


class Linted(msgspec.Struct, frozen=True, kw_only=True):
    """One cassette. `state` is sealed, recovered, interrupted or unreadable."""

    path: str
    state: str
    records: int = 0
    bytes: int = 0
    agent: str = ""
    profile: str = ""
    policies: dict[str, int] = {}
    found: tuple[Found, ...] = ()


@click.command(
    "lint",
    epilog="\b\nExamples:\n"
    "  turnreel lint broken.cassette.jsonl\n"
    "  turnreel lint tests/cassettes\n"
    "  turnreel lint tests/cassettes --json",
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@as_json
def command(paths: tuple[Path, ...], as_json: bool) -> int:
    """Check cassettes for form, seal, digest and leftovers.

    A leftover is what sanitizing again, by today's policies and rules, would still replace. A
    folder is searched for cassettes. Exit 1 if anything was found.
    """
    from turnreel.conformance.discovery import cassettes_under

    results = [lint(path) for path in cassettes_under(paths)]
    if as_json:
        document(msgspec.to_builtins(results))
    else:
        _print(results)
    return 1 if any(result.found for result in results) else 0


def lint(path: Path) -> Linted:
    """Everything that can be said of the cassette at `path`; never raises for its content."""
    from turnreel.cassettes import CassetteError, open_cassette

    try:
        cassette = open_cassette(path)
    except CassetteError as error:
        return Linted(path=str(path), state="unreadable", found=(_told(path, error),))
    found = [*_size(path), *_versions(cassette)]
    records = 0
    state = "interrupted"
    try:
        for records, leftover in _leftovers(cassette):  # noqa: B007  the last one counts
            found += leftover
        seal = cassette.seal
        if seal is not None:
            state = "recovered" if seal.recovered else "sealed"
        else:
            found.append(Found("no seal: its recorder was killed", f"turnreel recover {path}"))
    except CassetteError as error:
        state = "unreadable"
        found.append(_told(path, error))
    header = cassette.header
    return Linted(
        path=str(path),
        state=state,
        records=records,
        bytes=path.stat().st_size,
        agent=" ".join(filter(None, (header.agent.name, header.agent.version))),
        profile=header.profile,
        policies=header.policies,
        found=tuple(found),
    )


def _told(path: Path, error: Exception) -> Found:
    from turnreel.cassettes import CassetteError

    assert isinstance(error, CassetteError)
    head = f"{path}:{error.line}: " if error.line is not None else f"{path}: "
    return Found(error.message.removeprefix(head), error.remedy, error.line)


def _size(path: Path) -> Iterator[Found]:
    size = path.stat().st_size
    if size > PLAIN_LIMIT and path.suffix != ".zst":
        yield Found(f"{size} bytes of plain text", "keep it as .cassette.jsonl.zst")


def _versions(cassette: Cassette) -> Iterator[Found]:
    """What it was sanitized by, against what there is today."""
    from turnreel.adapters import registry
    from turnreel.sanitizers import RULESET_VERSION

    header = cassette.header
    if header.rules < RULESET_VERSION:
        yield Found(
            f"sanitized by rules {header.rules}, today's are {RULESET_VERSION}",
            "record or import it again",
        )
    for dialect, version in header.policies.items():
        if dialect not in registry.dialects():
            continue
        today = registry.policy(dialect).version
        if version < today:
            yield Found(
                f"sanitized by policy {version} of {dialect}, today's is {today}",
                "record or import it again",
            )


def _leftovers(cassette: Cassette) -> Iterator[tuple[int, list[Found]]]:
    """Each record's number with what sanitizing it again would replace. Sanitizing is idempotent,
    so a clean record stays as it is.
    """
    from turnreel.adapters import registry
    from turnreel.sanitizers import Sanitizer

    policies = {
        track.id: registry.policy(track.dialect)
        for track in cassette.header.tracks
        if track.dialect in registry.dialects()
    }
    sanitizer = Sanitizer(policies, cassette.header.profile)
    waiting: list[Raw] = []
    number = 0
    for record in cassette:
        raw = _raw(record)
        waiting.append(raw)
        for clean in sanitizer.push(raw):
            number += 1
            yield number, _changed(waiting.pop(0), clean.body, number)
    for clean in sanitizer.flush():
        number += 1
        yield number, _changed(waiting.pop(0), clean.body, number)


def _raw(record: Record) -> Raw:
    from turnreel.cassettes.records import UNIT_CODES, unit_of
    from turnreel.sanitizers import Raw

    data = record.data
    fields = data if isinstance(data, dict) else {}
    body = unit_of(record) if record.code in UNIT_CODES else fields
    return Raw(record.at_us, record.track, record.code, body, record.exchange, record.reads)


def _changed(raw: Raw, body: object, number: int) -> list[Found]:
    if body == raw.body:
        return []
    what = f"{raw.track} {raw.code}: holds what would be replaced today"
    return [Found(what, "record or import it again", number + 1)]


def _print(results: list[Linted]) -> None:
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
            place = f"{one.path}:{found.line}" if found.line is not None else one.path
            remedy = f" ({found.remedy})" if found.remedy else ""
            click.echo(f"{place}: {found.what}{remedy}")
