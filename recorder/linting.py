"""Lint: is a cassette what the recorder would write today?

Form, seal and digest are the reader's to judge; what may stand in it is the sanitizer's: a record
that sanitizing again would change holds something that must not be there. Findings never hold a
value.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from turnreel.adapters import registry
from turnreel.cassettes import Cassette, CassetteError, open_cassette
from turnreel.sanitizers import (
    RULESET_VERSION,
    KnownSecrets,
    Opinion,
    OpinionName,
    Raw,
    Report,
    Unlisted,
    opinion_of,
)

from .project_policy import ProjectPolicy, allowing
from .sanitizing import raw_of, sanitizer

SIZE_LIMIT: Final = 1 << 20
"""Bytes a cassette that is kept in a repository may have, unless said otherwise."""

Rule = Literal["unreadable", "no-seal", "leftover", "unlisted", "outdated", "size"]
Level = Literal["error", "warning"]

RULES: Final[dict[Rule, str]] = {
    "unreadable": "A cassette is whole, in form, and what its seal says.",
    "no-seal": "A cassette was recorded to its end and checked.",
    "leftover": "Sanitizing again changes no record.",
    "unlisted": "Every field that was met is listed by a policy, or masked on purpose.",
    "outdated": "A cassette was sanitized by today's policies and rules.",
    "size": "A cassette in a repository is small.",
}
"""What each rule asks for."""


class Found(msgspec.Struct, frozen=True):
    """One thing that is not as it should be. `line` of the file, where there is one."""

    rule: Rule
    what: str
    remedy: str = ""
    line: int | None = None

    @property
    def level(self) -> Level:
        """A warning asks for nothing now: what is there is safe."""
        return "warning" if self.rule == "outdated" else "error"


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

    @property
    def is_clean(self) -> bool:
        """Nothing was found but warnings."""
        return all(found.level == "warning" for found in self.found)


def lint(
    path: Path,
    policy: ProjectPolicy | None = None,
    size_limit: int = SIZE_LIMIT,
    opinions: tuple[OpinionName, ...] = (),
) -> Linted:
    """Everything that can be said of the cassette at `path`, under today's policies with the lines
    of `policy` among them; `opinions` are asked what is a leftover too. Never raises for its
    content.
    """
    try:
        cassette = open_cassette(path)
    except CassetteError as error:
        return Linted(path=str(path), state="unreadable", found=(_told(path, error),))
    again = Again(cassette, policy or ProjectPolicy(), opinion_of(opinions))
    found = [*_size(path, size_limit), *_outdated(cassette, policy or ProjectPolicy())]
    state = "interrupted"
    try:
        found += again.leftovers()
        found += again.unlisted()
        if (seal := cassette.seal) is not None:
            state = "recovered" if seal.recovered else "sealed"
        else:
            found.append(
                Found("no-seal", "no seal: its recorder was killed", f"turnreel recover {path}")
            )
    except CassetteError as error:
        state = "unreadable"
        found.append(_told(path, error))
    header = cassette.header
    return Linted(
        path=str(path),
        state=state,
        records=again.records,
        bytes=path.stat().st_size,
        agent=" ".join(filter(None, (header.agent.name, header.agent.version))),
        profile=header.profile,
        policies=header.policies,
        found=tuple(found),
    )


class Again:
    """A cassette, sanitized again in memory, by today's policies and the project's lines in
    `policy`. `opinion` is asked as well, and `known` must not stand in it.
    """

    def __init__(
        self,
        cassette: Cassette,
        policy: ProjectPolicy,
        opinion: Opinion | None = None,
        known: KnownSecrets | None = None,
    ) -> None:
        self._cassette = cassette
        self._dialects = {track.id: track.dialect for track in cassette.header.tracks}
        header = cassette.header
        self._sanitizer = sanitizer(header, header.profile, policy, opinion, known)
        self.records = 0

    def leftovers(self) -> Iterator[Found]:
        """Records that sanitizing again would change, which is idempotent, so a clean one stays;
        and those in which something is found whatever becomes of them.
        """
        waiting: list[Raw] = []
        for record in self._cassette:
            raw = raw_of(record)
            waiting.append(raw)
            for clean in self._sanitizer.push(raw):
                yield from self._changed(waiting.pop(0), clean.body)
        for clean in self._sanitizer.flush():
            yield from self._changed(waiting.pop(0), clean.body)
        for objection in self._sanitizer.objections():
            what = f"the seal gate finds {objection.rule}, whatever it masks"
            yield Found("leftover", what, "record again", objection.record + 1)

    def unlisted(self) -> Iterator[Found]:
        """Fields that no policy lists today, each with the line that would allow it."""
        report: Report = self._sanitizer.report()
        for met in report.unlisted:
            if self._dialects.get(met.track) == registry.NO_DIALECT:
                continue  # no policy speaks of it: it is masked, and nothing else can be asked for
            yield Found("unlisted", described(met), self._remedy(met))

    def _remedy(self, met: Unlisted) -> str:
        allowed = allowing(met, self._dialects)
        if allowed is None:
            return "the policy lists it with another type: has the agent changed?"
        dialect, line = allowed
        return f"to allow it, write under [{dialect}]: {line}"

    def _changed(self, raw: Raw, body: object) -> Iterator[Found]:
        self.records += 1
        if body != raw.body:
            what = f"{raw.track} {raw.code}: holds what would be replaced today"
            yield Found("leftover", what, "turnreel sanitize, or record again", self.records + 1)


def described(met: Unlisted) -> str:
    """A field that no policy lists, for people: where it stood, its type and count."""
    times = "once" if met.count == 1 else f"{met.count} times"
    frame = f"{met.frame} " if met.frame else ""
    return f"{met.track}: {frame}{met.path} ({met.type}) is in no policy, met {times}, masked"


def _told(path: Path, error: CassetteError) -> Found:
    head = f"{path}:{error.line}: " if error.line is not None else f"{path}: "
    return Found("unreadable", error.message.removeprefix(head), error.remedy, error.line)


def _size(path: Path, limit: int) -> Iterator[Found]:
    size = path.stat().st_size
    if size > limit:
        smaller = "record less" if path.suffix == ".zst" else "keep it as .cassette.jsonl.zst"
        yield Found("size", f"{size} bytes, more than {limit}", smaller)


def _outdated(cassette: Cassette, policy: ProjectPolicy) -> Iterator[Found]:
    """What it was sanitized by, against what there is today."""
    header = cassette.header
    remedy = "turnreel sanitize"
    if header.rules < RULESET_VERSION:
        what = f"sanitized by rules {header.rules}, today's are {RULESET_VERSION}"
        yield Found("outdated", what, remedy)
    for dialect, version in header.policies.items():
        if registry.knows(dialect) and version < registry.policy(dialect).version:
            today = registry.policy(dialect).version
            what = f"sanitized by policy {version} of {dialect}, today's is {today}"
            yield Found("outdated", what, remedy)
    if header.project_policy != policy.digest:
        yield Found("outdated", "sanitized by another project policy than today's", remedy)
