"""Import of vcrpy cassettes. The file is read twice, interaction by interaction, so that nothing is
written before all of it was understood.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from turnreel.cassettes import AgentInfo, Existing, Origin, TrackSpec
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.imports import land
from turnreel.recorder.interactions import SYNTHESIZED, Telling, Tracks, intake_of
from turnreel.recorder.knowledge import known_secrets
from turnreel.recorder.messages import Plan, Sealed
from turnreel.recorder.project_policy import ProjectPolicy
from turnreel.sanitizers import OpinionName, Profile, Raw

from .reading import read_interactions

SOURCE: Final = "vcrpy"
LACKS: Final = (
    SYNTHESIZED,
    "read boundaries",
    "streams that were cut: only whole bodies are kept",
)


def import_vcr(
    path: Path,
    target: Path,
    *,
    profile: Profile = "fixture",
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
    opinions: tuple[OpinionName, ...] = (),
) -> Sealed:
    """Make a sealed cassette of the vcrpy cassette at `path`, YAML or JSON.

    The same file gives the same cassette, its id included. All times are zero. Raises
    `RecorderError`: no vcrpy cassette, a hostile one, a bad interaction, the extra is missing;
    `CassetteError`: the target exists or cannot be written.
    """
    tracks = Tracks()
    seen = False
    for one in read_interactions(path):
        seen = True
        tracks.see(one)
    if not seen:
        raise RecorderError(f"{path}: holds no interaction", "record one first")
    specs = tracks.specs()
    plan = plan_of(target, specs, profile, existing, policy or ProjectPolicy())
    return land(replace(plan, opinions=opinions), _raws(path, specs))


def plan_of(
    target: Path,
    tracks: tuple[TrackSpec, ...],
    profile: Profile,
    existing: Existing,
    policy: ProjectPolicy,
) -> Plan:
    """The plan of a cassette whose exchanges vcrpy recorded."""
    return Plan(
        target=str(target),
        replaces=existing is Existing.REPLACE,
        agent=AgentInfo("client"),
        tracks=tracks,
        profile=profile,
        origin=Origin(kind="imported", source=SOURCE),
        known=known_secrets(os.environ),
        lacks=LACKS,
        policy=policy,
    )


def _raws(path: Path, tracks: tuple[TrackSpec, ...]) -> Iterator[Raw]:
    telling, intake = Telling(tracks), intake_of(tracks)
    for one in read_interactions(path):
        for message in telling.told(one):
            yield from intake.take(message)
