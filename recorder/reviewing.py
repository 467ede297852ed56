"""A session that is kept until a person has looked at what no policy lists (``record --review``).

It lands as it is recorded, like any other, so a crash costs nothing; but what was told of it stays
in memory, here in the sealing process and nowhere else. Where lines are approved it lands a second
time, with them, and that cassette takes the first one's place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from turnreel.cassettes import CassetteError

from .intake import Intake
from .landing import Landing
from .messages import Asked, Captured, Chunk, Plan, Review, Sealed
from .project_policy import ProjectPolicy

KEPT_BYTES: Final = 256 << 20
"""How much of a session may be kept for a review."""


class Kept:
    """What was told of a session so far, unless it became too long."""

    def __init__(self, plan: Plan, limit: int = KEPT_BYTES) -> None:
        self._plan = plan
        self._limit = limit
        self._messages: list[Captured] = []
        self._size = 0

    @property
    def is_whole(self) -> bool:
        """Whether all of it is here."""
        return self._size <= self._limit

    def keep(self, messages: Iterable[Captured]) -> None:
        """The next messages, in order."""
        for message in messages:
            if self.is_whole:
                self._messages.append(message)
                self._size += _weight(message)
        if not self.is_whole:
            self._messages.clear()

    def reviewed(
        self, first: Landing, intake: Intake, ask: Callable[[Review], ProjectPolicy]
    ) -> Sealed:
        """Seal the session that landed as `first`, after asking about its unlisted fields."""
        first.end()
        unlisted = first.unlisted()
        if not unlisted:
            return first.seal()
        if not self.is_whole:
            return replace(first.seal(), note="the session is too long for a review")
        policy = ask(Review(unlisted))
        if policy == self._plan.policy:
            return first.seal()
        return self.land_again(first, intake, policy)

    def land_again(self, first: Landing, intake: Intake, policy: ProjectPolicy) -> Sealed:
        """Land the session with `policy` in the place of `first`. If that cannot be written,
        `first` is sealed as it is, and the result says so.
        """
        target = Path(self._plan.target)
        beside = target.with_name(f".reviewed-{target.name}")
        plan = replace(self._plan, target=str(beside), replaces=False, policy=policy)
        try:
            second = Landing(plan)
        except CassetteError as error:
            return _as_it_is(first, error)
        try:
            second.land(raw for message in self._messages for raw in intake.take(message))
            sealed = second.seal()
        except CassetteError as error:
            second.discard()
            return _as_it_is(first, error)
        first.discard()
        beside.replace(target)
        return replace(sealed, path=str(target))


def _as_it_is(first: Landing, error: CassetteError) -> Sealed:
    return replace(first.seal(), note=f"sealed without the approved lines: {error.message}")


def _weight(message: Captured) -> int:
    match message:
        case Chunk():
            return len(message.data) + 64
        case Asked():
            return len(message.body) + 1024
        case _:
            return 256
