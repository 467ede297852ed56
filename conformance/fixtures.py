"""Fixtures: a defect that was reported once, as a recording with its right turn beside it."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from turnreel.adapters.steps import Unsayable
from turnreel.cassettes import Existing, open_cassette
from turnreel.cassettes.turnfile import read_turns, render_turns
from turnreel.recorder.project_policy import ProjectPolicy
from turnreel.replayer import refeed
from turnreel.sanitizers import Profile

from . import goldens
from .discovery import ENDINGS
from .errors import ConformanceError
from .scenarios import Scenario, record_scenario
from .shrinking import Shrunk, minimize
from .shrinking.minimize import Progress

NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
URL_LIMIT: Final = 500

CARRIED: Final = "as it stands beside the recording"
ACCEPTED: Final = "as it comes out today: correct it by hand where that is wrong"
SHAPED: Final = (
    "as it comes out today; the right one beside the recording has readable texts, "
    "this fixture has none (--keep-text keeps them)"
)


class Fixture(msgspec.Struct, frozen=True, kw_only=True):
    """A cassette and its turn, written. `golden_is` says where the turn comes from; `shrunk` what
    became of the recording, None for a scenario.
    """

    cassette: Path
    golden: Path
    golden_is: str
    shrunk: Shrunk | None = None


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The fixture `name` in `folder`, made for the report at `issue`. Raises `ConformanceError` for
    a name that is none of a file, an address that nobody can open, and in CI.
    """

    name: str
    folder: Path
    issue: str
    existing: Existing = Existing.REFUSE

    def __post_init__(self) -> None:
        goldens.refuse_in_ci()
        if not NAME.fullmatch(self.name):
            raise ConformanceError(
                f"{self.name!r} is no name for a fixture",
                "name it after what goes wrong, as retry-restarts-message",
            )
        _require_address(self.issue)

    def place(self) -> Path:
        """Where its cassette stands; the folder is made."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = (error.strerror or "cannot be made").lower()
            raise ConformanceError(f"{self.folder}: {reason}", "choose another folder") from None
        return self.folder / f"{self.name}{ENDINGS[0]}"


def from_recording(
    wanted: Wanted,
    source: Path,
    *,
    profile: Profile = "strict",
    policy: ProjectPolicy | None = None,
    keep: Collection[int] = (),
    on_progress: Progress | None = None,
) -> Fixture:
    """Shrink `source` to a fixture, with the turn that somebody said is right: that of the golden
    beside `source` while it is still the same turn, else the one that comes out now.

    Raises as `minimize` does.
    """
    target = wanted.place()
    right = _right_turn(source)
    shrunk = minimize(
        source,
        target,
        profile=profile,
        existing=wanted.existing,
        policy=policy,
        keep=keep,
        issue=wanted.issue,
        on_progress=on_progress,
    )
    text, told = shrunk.turn, ACCEPTED
    if right is not None and shrunk.is_kept:
        if open_cassette(source).header.profile == profile:
            text, told = right, CARRIED
        elif right != goldens.turn_text(refeed.events(open_cassette(source))):
            told = SHAPED
    return _written(target, text, told, shrunk)


def from_scenario(wanted: Wanted, scenario: Scenario, dialect: str) -> Fixture:
    """`scenario`, as an agent that speaks `dialect` would have said it, with the turn that comes
    out. Raises `ConformanceError` where the dialect has no frame for it, else as `record_scenario`.
    """
    target = wanted.place()
    try:
        record_scenario(scenario, dialect, target, wanted.existing, issue=wanted.issue)
    except Unsayable as error:
        raise ConformanceError(
            f"{dialect} cannot say the scenario {scenario.id}: {error}", "choose another dialect"
        ) from None
    text = goldens.turn_text(refeed.events(open_cassette(target)))
    return _written(target, text, ACCEPTED)


def _written(target: Path, text: str, told: str, shrunk: Shrunk | None = None) -> Fixture:
    golden = goldens.golden_path(target)
    golden.write_text(text, encoding="utf-8")
    return Fixture(cassette=target, golden=golden, golden_is=told, shrunk=shrunk)


def _right_turn(source: Path) -> str | None:
    golden = goldens.golden_path(source)
    return render_turns(read_turns(golden)) if golden.exists() else None


def _require_address(issue: str) -> None:
    """A header is read by everybody: no name and password, nothing that does not print."""
    try:
        parts = urlsplit(issue)
        is_address = bool(parts.scheme in ("http", "https") and parts.hostname)
        is_plain = not (parts.username or parts.password)
    except ValueError:
        is_address = is_plain = False
    if not (is_address and is_plain and issue.isascii() and issue.isprintable()) or " " in issue:
        shown = "that" if "@" in issue else repr(issue[:80])
        raise ConformanceError(
            f"{shown} is not the address of a report", "give --issue https://… without credentials"
        )
    if len(issue) > URL_LIMIT:
        raise ConformanceError(
            f"an address of {len(issue)} characters", f"give one of at most {URL_LIMIT}"
        )
