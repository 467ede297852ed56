"""A package for a dialect of one's own, to begin with: an adapter that passes the gate, its policy,
claims and renderer, and tests that run.

`template` holds the files, with ``@dialect@`` and ``@package@`` for the names. They speak a small
dialect made for this: numbered lines of JSON, one kind for each thing that an agent does.
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Final

from turnreel.conformance.errors import ConformanceError

PLACES: Final = {
    "pyproject.toml": "pyproject.toml",
    "init.py": "src/@package@/__init__.py",
    "adapter.py": "src/@package@/adapter.py",
    "claims.py": "src/@package@/claims.py",
    "policy.py": "src/@package@/policy.py",
    "render.py": "src/@package@/render.py",
    "test_conformance.py": "tests/test_conformance.py",
}
"""Template to where it stands in the new folder."""

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def scaffold(dialect: str, folder: Path) -> tuple[Path, ...]:
    """Write a package for `dialect` into `folder`, which must not exist or be empty.

    Raises `ConformanceError` for a name that is none, and for a folder in which something stands.
    """
    if not _NAME.fullmatch(dialect):
        raise ConformanceError(f"{dialect!r} is no name", "write it as acme-stream")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConformanceError(f"{folder}: something stands there", "name another folder")
    package = f"{dialect.replace('-', '_')}_turnreel"
    written = []
    for name, place in PLACES.items():
        text = resources.files(__name__).joinpath("template", f"{name}.txt").read_text("utf-8")
        target = folder / place.replace("@package@", package)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(
                text.replace("@dialect@", dialect).replace("@package@", package), "utf-8"
            )
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ConformanceError(f"{target}: {reason}", "name another folder") from None
        written.append(target)
    return tuple(written)
