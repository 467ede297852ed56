"""Sanitizing a cassette again, under today's policies and rules.

A cassette's records are as good as raw ones: they go the way of every recording, and what was
clean stays as it is. So the result of this is left alone by doing it twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from turnreel.adapters import registry
from turnreel.cassettes import Cassette, Existing, Header, Record, Seal, open_cassette
from turnreel.cassettes.records import UNIT_CODES, unit_of
from turnreel.cassettes.timing import Timing
from turnreel.sanitizers import (
    Clean,
    KnownSecrets,
    Opinion,
    OpinionName,
    Profile,
    Raw,
    Report,
    Sanitizer,
)

from .errors import RecorderError
from .knowledge import known_secrets
from .landing import Landing
from .messages import Plan, Sealed
from .project_policy import ProjectPolicy

_CHECK: Final = "a check against the recorder's own secrets"


def sanitize(
    source: Path,
    target: Path,
    *,
    profile: Profile,
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
    opinions: tuple[OpinionName, ...] = (),
) -> Sealed:
    """Write the cassette at `source` anew to `target`, in `profile`, with today's policies, the
    project's lines among them, and today's rules.

    Times, order and everything that may stay are kept; the header names the cassette it comes
    from, the report adds up what was replaced then and now. Doing it to the result gives the same
    bytes. Raises `RecorderError`: `source` has no seal, or is strict and `profile` is not;
    `CassetteError`: `source` cannot be read, `target` exists or cannot be written.
    """
    cassette = open_cassette(source)
    again = plan_again(cassette, target, profile=profile, existing=existing, policy=policy)
    again = msgspec.structs.replace(again, opinions=opinions)
    return land_again(cassette, again, raws(cassette))


def plan_again(
    cassette: Cassette,
    target: Path,
    *,
    profile: Profile,
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
) -> Plan:
    """The cassette that `cassette` becomes when its records are sanitized again, as `sanitize`
    says. Raises as it does.
    """
    header, seal = cassette.header, _checked(cassette, profile)
    return Plan(
        target=str(target),
        replaces=existing is Existing.REPLACE,
        agent=header.agent,
        tracks=header.tracks,
        profile=profile,
        origin=header.origin,
        known=known_secrets(os.environ),
        tags=header.tags,
        terms=header.declared,
        lacks=_lacks(header, seal),
        policy=policy or ProjectPolicy(),
        sanitized_from=header.sanitized_from or header.id,
        issue=header.issue,
        minimized_from=header.minimized_from,
    )


def land_again(
    cassette: Cassette, plan: Plan, records: Iterable[Raw], timing: Timing = Timing.EXACT
) -> Sealed:
    """Write `records`, which come of `cassette`, as `plan` says. Raises as `sanitize` does."""
    landing = Landing(plan, timing)
    try:
        landing.land(records)
        return landing.seal(report_of(_checked(cassette, plan.profile)))
    except BaseException:
        landing.discard()  # the source is still there
        raise


def sanitizer(
    header: Header,
    profile: Profile,
    policy: ProjectPolicy,
    opinion: Opinion | None = None,
    known: KnownSecrets | None = None,
) -> Sanitizer:
    """A sanitizer of today for the tracks of a cassette, with the project's lines of `policy`."""
    policies = {
        track.id: policy.extended(registry.policy(track.dialect))
        for track in header.tracks
        if registry.knows(track.dialect)
    }
    return Sanitizer(policies, profile, known, opinion, marker=header.declared.marker)


def sanitized(records: Iterable[Raw], by: Sanitizer) -> Iterator[Raw]:
    """What `by` makes of `records`, in memory, one for each."""
    for raw in records:
        yield from map(_raw, by.push(raw))
    yield from map(_raw, by.flush())


def raws(cassette: Cassette) -> Iterator[Raw]:
    """A cassette's records as the sanitizer takes them."""
    return map(raw_of, cassette)


def raw_of(record: Record) -> Raw:
    """A record as the sanitizer takes it."""
    data = record.data
    fields = data if isinstance(data, dict) else {}
    body = unit_of(record) if record.code in UNIT_CODES else fields
    return Raw(record.at_us, record.track, record.code, body, record.exchange, record.reads)


def _raw(clean: Clean) -> Raw:
    return Raw(clean.at_us, clean.track, clean.code, clean.body, clean.exchange, clean.reads)


def _checked(cassette: Cassette, profile: Profile) -> Seal:
    """The seal of a cassette that may be sanitized in `profile`."""
    if cassette.header.profile == "strict" and profile == "fixture":
        raise RecorderError(
            f"{cassette.path}: strict, and its texts cannot be had back for a fixture",
            "record it again with --keep-text, or sanitize with --profile strict",
        )
    seal = cassette.seal
    if seal is None:
        raise RecorderError(
            f"{cassette.path}: has no seal: its recorder was killed",
            f"turnreel recover {cassette.path}",
        )
    return seal


def _lacks(header: Header, seal: Seal) -> tuple[str, ...]:
    """What a recovered cassette never had does not come by sanitizing it again."""
    if not seal.recovered or _CHECK in header.lacks:
        return header.lacks
    return (*header.lacks, _CHECK)


def report_of(seal: Seal) -> Report:
    """What the seal says was replaced; nothing where it says so in no way that is known."""
    try:
        return msgspec.convert(seal.report or {}, _Former).report()
    except msgspec.ValidationError:
        return _Former().report()


class _Former(msgspec.Struct, frozen=True):
    replaced: dict[str, int] = {}
    gate: dict[str, int] = {}

    def report(self) -> Report:
        return Report(replaced=self.replaced, unlisted=(), gate=self.gate)
