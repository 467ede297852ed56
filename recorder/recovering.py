"""Sealing what stayed beside its target, as a file ``NAME.part``.

Such a file is what the seal gate objected to, or what a killed recorder that was to replace a
cassette left. Somebody may have edited it since. So it is looked at once more, by today's rules and
for what this machine knows to be private, before it gets the name of a cassette.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from turnreel.cassettes import Seal, open_cassette
from turnreel.cassettes.recover import recover
from turnreel.sanitizers import OpinionName, opinion_of

from .errors import RecorderError
from .knowledge import known_secrets
from .linting import Again
from .project_policy import ProjectPolicy

PART: Final = ".part"
_NUMBERED: Final = re.compile(r"(.+\.cassette\.jsonl(?:\.zst)?)\.[0-9]+")
"""A further part beside the same target."""


def is_part(path: Path) -> bool:
    """Whether `path` is called like what stays beside a target."""
    return path.suffix == PART


def named(part: Path) -> Path:
    """The cassette beside which `part` stays."""
    name = part.name.removesuffix(PART)
    numbered = _NUMBERED.fullmatch(name)
    return part.with_name(numbered[1] if numbered else name)


def release(
    part: Path,
    out: Path | None = None,
    policy: ProjectPolicy | None = None,
    opinions: tuple[OpinionName, ...] = (),
) -> Seal:
    """Seals the session in `part` as `out`, else under the name it was recorded for, and removes
    `part`. `policy` are the project's lines, `opinions` whom to ask as well. A check against what
    the recorder itself knew cannot be repeated (`recover`).

    Raises:
        RecorderError: a line still holds what would be replaced today. Nothing was written.
        CassetteError: as of `recover`; the cassette exists already.
    """
    cassette = open_cassette(part)
    known = known_secrets(os.environ)
    again = Again(cassette, policy or ProjectPolicy(), opinion_of(opinions), known)
    for found in again.leftovers():
        raise RecorderError(
            f"{part}:{found.line}: {found.what}", "take it out of that line, then recover again"
        )
    target = out or named(part)
    seal = recover(part, target)
    if not target.samefile(part):
        part.unlink()
    return seal
