"""What a release hands over: exactly what was run, on what, what came of it, and what is left."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from turnreel.adapters import registry
from turnreel.adapters.evidence import CONTRACT
from turnreel.lifecycle.describe import table

from .findings import Report
from .matrix import LEGEND, columns, rows, word
from .requirements import frozen
from .telling import summary


def as_markdown(report: Report, commands: Sequence[str], folder: Path) -> bytes:
    """The hand-off of a run in Markdown, UTF-8. `commands` are what was called, `folder` where."""
    parts = [
        f"# turnreel {metadata.version('turnreel')}: conformance to {CONTRACT}",
        table(("what", "which"), _versions(folder)),
        "## Commands\n```sh\n" + "\n".join(commands) + "\n```",
        f"## Results\n{summary(report)}, {report.seconds:.1f} s",
        table(("scenario", *columns(report)), rows(report)),
        LEGEND,
        "## Adapters",
        table(
            ("dialect", "standing", "reason"),
            [(one.dialect, one.state, one.reason or "-") for one in registry.standings()],
        ),
        "## Skipped and known to fail\n" + ("\n".join(_excuses(report)) or "Nothing."),
        "## Residual limits\n" + ("\n".join(_limits(report)) or "None."),
    ]
    failed = [f"- {one.path}: {finding.message}" for one in report.results if not one.ok
              for finding in one.findings]  # fmt: skip
    if failed:
        parts.append("## Failures\n" + "\n".join(failed))
    return ("\n\n".join(parts) + "\n").encode()


def _versions(folder: Path) -> Iterator[tuple[str, str]]:
    yield "commit", _commit(folder)
    yield "requirements", frozen().digest
    yield "Python", platform.python_version()
    yield "system", f"{platform.system()} {platform.machine()}"
    for dialect in registry.dialects():
        info = registry.adapter(dialect).info
        if info.has_runs:
            yield dialect, f"{info.agent} {', '.join(info.proven)}"


def _commit(folder: Path) -> str:
    """The commit that is checked out, and whether anything in it was changed."""
    try:
        told = [
            subprocess.run(
                ["git", "-C", str(folder), *asked], capture_output=True, text=True, check=True
            ).stdout.strip()
            for asked in (("rev-parse", "HEAD"), ("status", "--porcelain", "--untracked-files=no"))
        ]
    except (OSError, subprocess.CalledProcessError):
        return "no git repository"
    commit, changed = told
    return f"{commit}, with changes" if changed else commit


def _excuses(report: Report) -> Iterator[str]:
    for result in report.results:
        if excuse := result.skipped or result.expected:
            yield f"- {result.path}: {word(result)}: {excuse}"


def _limits(report: Report) -> Iterator[str]:
    for dialect in columns(report):
        info = registry.adapter(dialect).info
        if (claims := info.claims) is not None:
            for subject in sorted(claims.impossible()):
                yield f"- {dialect}: {subject.replace('_', ' ')}: {claims.of(subject).why}"
        yield from (f"- {dialect}: {limit}" for limit in info.limits)
