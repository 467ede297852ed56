"""Evidence from a passing run: made, written beside its adapter, and held against what is here."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path

import msgspec

import turnreel.cassettes
from turnreel.adapters import evidence, registry
from turnreel.adapters.evidence import CONTRACT, SET, Counts, Evidence

from .discovery import ENDINGS
from .errors import ConformanceError
from .findings import Report, Result
from .goldens import golden_path
from .requirements import frozen
from .scenarios import required


def recordings(dialect: str) -> tuple[Path, ...]:
    """The recordings of a dialect in the repository's library; none where that is not installed."""
    library = Path(turnreel.cassettes.__file__).resolve().parent / "library" / dialect
    return tuple(sorted(one for one in library.rglob("*") if one.name.endswith(ENDINGS)))


def corpus_of(dialect: str) -> str:
    """The digest of those recordings and their turns. Headers and seals do not count: they tell of
    the sanitizer.
    """
    whole = hashlib.sha256()
    for path in recordings(dialect):
        golden = golden_path(path)
        whole.update(f"{path.name}\n".encode())
        whole.update(b"".join(path.read_bytes().splitlines(keepends=True)[1:-1]))
        whole.update(golden.read_bytes() if golden.exists() else b"")
    return whole.hexdigest()[:16]


def evidence_of(dialect: str, played: Report, verified: Report | None) -> Evidence:
    """Evidence of these runs.

    Raises `ConformanceError` if anything of them failed, even as expected, or was left out (Q1).
    """
    results = [one for one in played.results if dialect in one.dialects]
    missing = {one.id for one in required()} - {one.scenario for one in results}
    failed = [one.path for one in results if one.findings]
    failed += [one.path for one in verified.results if one.findings] if verified else []
    if missing or failed:
        what = f"fails {failed[0]}" if failed else f"was not asked for {sorted(missing)[0]}"
        raise ConformanceError(f"{dialect} {what}", "only what passes everything is qualified")
    info = registry.adapter(dialect).info
    checked = [*results, *(verified.results if verified else ())]
    return Evidence(
        dialect=dialect,
        contract=CONTRACT,
        tier=info.tier,
        versions=info.proven,
        code=evidence.code_of(registry.package(dialect)),
        requirements=frozen().digest,
        set=SET,
        corpus=corpus_of(dialect),
        counts=Counts(
            whole=sum(_is_whole(one) for one in results),
            limited=sum(bool(one.limits) and not one.skipped for one in results),
            unsaid=sum(bool(one.skipped) for one in results),
            recordings=len(verified.results) if verified else 0,
            cases=sum(sum(one.cases.values()) for one in checked),
        ),
        limits=tuple(sorted(info.claims.impossible())) if info.claims is not None else (),
    )


def write(found: Evidence) -> Path:
    """Write evidence beside its adapter. Raises `ConformanceError` if that cannot be written."""
    target = Path(str(resources.files(registry.package(found.dialect)).joinpath(evidence.FILE)))
    try:
        target.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConformanceError(f"{target}: {reason}", "qualify in a checkout") from None
    return target


def stale(dialect: str) -> str:
    """Why the evidence of a dialect is not of what is here; empty if it is."""
    found = evidence.read(registry.package(dialect))
    standing = registry.standing(dialect)
    if standing.state == "refused" or found is None:
        return standing.reason
    if found.requirements != frozen().digest:
        return f"the requirements of {CONTRACT} are others than it was qualified by"
    if found.corpus != corpus_of(dialect) and recordings(dialect):
        return "there are other recordings than it was qualified by"
    return ""


def _is_whole(result: Result) -> bool:
    return not (result.limits or result.skipped)
