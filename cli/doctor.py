"""``turnreel doctor``: is this machine and installation fit, and for what."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from .output import as_json, document, table

CORE = ("ahocorasick-rs", "aiohttp", "click", "msgspec", "pydantic", "rich", "zstandard")
EXTRAS = {
    "record": ("mitmproxy", "to record"),
    "scan": ("kingfisher-secret-scanner", "for --second-opinion"),
    "vcr": ("vcrpy", "for cassettes of vcrpy"),
}
AGENTS = ("claude",)
FEWEST_DESCRIPTORS = 1_024


class Finding(NamedTuple):
    """One check. `state` is ``ok``, ``limited`` (`detail` says in what) or ``failed``."""

    what: str
    state: str
    detail: str


@click.command("doctor", epilog="\b\nExamples:\n  turnreel doctor\n  turnreel doctor --json")
@as_json
def command(as_json: bool) -> int:
    """Check this machine and installation.

    Exit 0 if everything that is needed works, 1 otherwise. What is only limited is no failure:
    the detail says what for.
    """
    findings = list(examine())
    if as_json:
        document([finding._asdict() for finding in findings])
    else:
        table(Finding._fields, findings)
    return 1 if any(finding.state == "failed" for finding in findings) else 0


def examine() -> Iterator[Finding]:
    """Every check, in the order of the table."""
    yield interpreter()
    yield system()
    yield from packages()
    yield descriptors()
    yield scratch()
    yield from agents()


def interpreter() -> Finding:
    """The running Python: supported, and a program rather than a version switcher's shim."""
    version = platform.python_version()
    detail = f"{version} at {sys.executable}"
    if "shims" in sys.executable:
        return Finding("python", "failed", f"{detail} is a shim; use the interpreter itself")
    return Finding("python", "ok", detail)


def system() -> Finding:
    """Recording and replaying need POSIX pipes and signals."""
    name = f"{platform.system()} {platform.release()}"
    if sys.platform == "win32":
        return Finding("system", "limited", f"{name}: verify and serve only; record through WSL")
    return Finding("system", "ok", name)


def packages() -> Iterator[Finding]:
    """The installed version of every dependency."""
    from importlib import metadata

    for name in CORE:
        try:
            yield Finding(name, "ok", metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Finding(name, "failed", "not installed (pip install turnreel)")
    for extra, (name, purpose) in EXTRAS.items():
        try:
            yield Finding(name, "ok", metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Finding(name, "limited", f"needed {purpose} (pip install 'turnreel[{extra}]')")


def descriptors() -> Finding:
    """How many connections can be open at once."""
    if sys.platform == "win32":
        return Finding("open files", "limited", "no such limit here")
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = "unlimited" if soft == resource.RLIM_INFINITY else str(soft)
    if soft != resource.RLIM_INFINITY and soft < FEWEST_DESCRIPTORS:
        return Finding(
            "open files", "limited", f"{limit} (raise it: ulimit -n {FEWEST_DESCRIPTORS})"
        )
    return Finding("open files", "ok", f"{limit} of at most {hard}")


def scratch() -> Finding:
    """A folder for what `demo` and recordings without --to make."""
    import tempfile

    try:
        with tempfile.TemporaryDirectory() as folder:
            return Finding("temporary folder", "ok", str(Path(folder).parent))
    except OSError as error:
        return Finding("temporary folder", "failed", f"cannot be written: {error.strerror}")


def agents() -> Iterator[Finding]:
    """The agents' programs that turnreel can record here."""
    import shutil

    for name in AGENTS:
        path = shutil.which(name)
        yield (
            Finding(name, "ok", path)
            if path
            else Finding(name, "limited", "not on PATH; only recording it needs it")
        )
