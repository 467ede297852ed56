"""The expected turn beside a cassette: compared, or accepted by a person."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from turnreel.cassettes import CassetteError
from turnreel.cassettes.turnfile import read_turns, render_turns
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import fold

from .discovery import ENDINGS
from .errors import AcceptRefused
from .findings import Acceptance, Finding

ACCEPT: Final = "turnreel verify --accept {path} writes it as the turn now comes out"


def golden_path(cassette: Path) -> Path:
    """Where the expected turn of `cassette` stands: the same name, ending in ``.turn``."""
    name = cassette.name
    for ending in sorted(ENDINGS, key=len, reverse=True):
        name = name.removesuffix(ending)
    return cassette.with_name(f"{name}.turn")


def turn_text(events: Iterable[AnyEvent]) -> str:
    """The turn of these events as a golden holds it."""
    return render_turns(fold(events))


def compare(cassette: Path, events: Iterable[AnyEvent]) -> list[Finding]:
    """The finding if the turn is not the expected one, or nobody said what is expected."""
    golden = golden_path(cassette)
    remedy = ACCEPT.format(path=cassette)
    if not golden.exists():
        return [Finding(check="golden", message=f"{golden.name} is missing", remedy=remedy)]
    try:
        expected = render_turns(read_turns(golden))
    except CassetteError as error:
        return [Finding(check="golden", message=error.message, remedy=error.remedy)]
    actual = turn_text(events)
    if actual == expected:
        return []
    return [
        Finding(
            check="golden",
            message=f"the turn is not the one in {golden.name}",
            remedy=f"if it is right as it is: {remedy}",
            expected=tuple(expected.splitlines()),
            actual=tuple(actual.splitlines()),
        )
    ]


def write(cassette: Path, events: Iterable[AnyEvent]) -> Acceptance:
    """Write the golden of `cassette`, if it changes."""
    golden = golden_path(cassette)
    text = turn_text(events)
    try:
        former = golden.read_text(encoding="utf-8") if golden.exists() else None
    except UnicodeDecodeError:
        former = ""
    if former == text:
        return Acceptance(cassette=str(cassette), golden=str(golden), state="unchanged")
    part = golden.with_name(f"{golden.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(golden)
    lines = difflib.unified_diff(
        (former or "").splitlines(), text.splitlines(), "expected", "accepted", lineterm=""
    )
    return Acceptance(
        cassette=str(cassette),
        golden=str(golden),
        state="new" if former is None else "changed",
        difference="\n".join(lines),
    )


def refuse_in_ci() -> None:
    """Raises `AcceptRefused` where the environment says CI."""
    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise AcceptRefused(
            "a turn is not accepted in CI", "accept it where a person sees the difference"
        )
