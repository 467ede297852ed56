"""When a live request is a recorded one again: one rule for recorder, replayer and whoever asks.

Rules of this file
- Every feature that was recorded must be equal.
- What the recording does not say does not distinguish: a feature that is not there, and a name or a
  part of a path that nobody knew when it was recorded and that was masked therefore.
- Tools that were called together end in any order: which of them a request answers counts, not in
  which order it does.
- Ids are said, also where placeholders stand for them: a client repeats those that it was given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from turnreel.sanitizers.placeholders import MARKER
from turnreel.wire.units import Json

ANSWERED: Final = "results"
"""The feature that has the ids of the tools which a request answers."""


def fits(recorded: Json, asked: Json) -> bool:
    """Whether a request with the features `asked` is the recorded one again."""
    return recorded is not None and next(differences(recorded, asked), None) is None


def differences(recorded: Json, asked: Json, pointer: str = "") -> Iterator[str]:
    """Where two features differ, as JSON pointers with both values, by the recorded one's keys."""
    match recorded, asked:
        case dict(), dict():
            for key, value in recorded.items():
                other = asked.get(key)
                if key == ANSWERED:
                    value, other = _sorted(value), _sorted(other)
                yield from differences(value, other, f"{pointer}/{key}")
        case list(), list() if len(recorded) == len(asked):
            for index, (left, right) in enumerate(zip(recorded, asked, strict=True)):
                yield from differences(left, right, f"{pointer}/{index}")
        case list(), list():
            yield f"{pointer}: {len(recorded)} recorded, {len(asked)} asked"
        case str(), str() if is_masked(recorded) or same_path(recorded, asked):
            pass
        case _ if recorded != asked:
            yield f"{pointer or '/'}: {_short(recorded)} recorded, {_short(asked)} asked"


def _sorted(answered: Json) -> Json:
    return sorted(answered, key=str) if isinstance(answered, list) else answered


def same_path(recorded: str, asked: str) -> bool:
    """Whether two paths are equal part by part; one that was masked may be any."""
    ours, theirs = recorded.split("/"), asked.split("/")
    return len(ours) == len(theirs) and all(
        part == other or (is_masked(part) and other != "")
        for part, other in zip(ours, theirs, strict=True)
    )


def is_masked(text: str) -> bool:
    """Whether `text` stands for a name or a word that nobody knew when it was recorded."""
    return text.startswith(("name-", "value-")) and MARKER.fullmatch(text) is not None


def _short(value: Json) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}…"
