"""The one line with which a suite that uses vcrpy goes on with our cassettes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from turnreel.recorder.project_policy import ProjectPolicy, read_project_policy

from .matching import matchers
from .persister import Persister

if TYPE_CHECKING:
    from vcr import VCR

_USUAL: Final = ("method", "scheme", "host", "port", "path", "query")
"""What vcrpy matches on unless it is told."""


def use(vcr: VCR, *, policy: Path | None = None) -> VCR:
    """Have `vcr` keep its cassettes as sanitized cassettes of ours, and find requests by their
    features. Returns it.

    Matchers keep their names and ask only for what was kept; ``body`` asks for the features, as do
    the usual matchers together. Whatever else `vcr` was told stays. `policy` is the file of the
    project's own lines. Raises `RecorderError` for a policy that cannot be read.
    """
    lines = ProjectPolicy() if policy is None else read_project_policy(policy)
    extra_paths = getattr(vcr.persister, "extra_paths", ())
    vcr.register_persister(Persister(extra_paths, lines))
    for name, matcher in matchers().items():
        vcr.register_matcher(name, matcher)
    if tuple(vcr.match_on) == _USUAL:
        vcr.match_on = (*_USUAL, "features")
    return vcr
