"""What a dialect's own stream looks like when it goes wrong: units that were never recorded, for
replays with faults.

A `Forger` builds them with its dialect's builders, from what the stream has said so far. It is
pure. What a dialect has no frame for it refuses with `Unsayable`, whose message says why; the
defaults here refuse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import msgspec

from turnreel.wire.units import Json, JsonUnit, LineFraming, SseFraming, TextUnit, Unit

from .steps import Unsayable

OTHER = "-other"
"""What ids nobody gave out end with."""
OPAQUE = frozenset({"input", "arguments", "args", "result"})
"""Fields whose content is a tool's: names in it are not the dialect's."""
COMMENT = TextUnit(" keep-alive", SseFraming(layout=":{data}\n\n"))
"""A server-sent comment, which readers pass over."""


class Retry(msgspec.Struct, frozen=True):
    """An attempt that fails and comes again. Of what was said so far the attempt is what stands
    behind the first `begins` units. Where the failure `closes` the attempt, `failed` is the attempt
    under other ids and what tells of its failure, and the attempt comes as recorded behind it;
    where it closes the stream, `failed` is the error that ends it, and whoever asks again gets the
    attempt on a new one.
    """

    begins: int
    failed: tuple[Unit, ...]
    closes: Literal["attempt", "stream"] = "attempt"


class Forger:
    """A dialect's forger. `spoken` are a stream's units in order, never empty; what is forged has
    the framing and the ids that fit behind them.
    """

    dialect: ClassVar[str] = "this dialect"
    ids: ClassVar[frozenset[str]] = frozenset()
    """The fields that hold ids the stream itself gives out."""

    def terminal(self, unit: Unit) -> bool:
        """Whether `unit` is one of those with which a stream says that it is over."""
        return False

    def second(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        """The terminal that `spoken` ends with once more, under an identity of its own."""
        raise Unsayable(f"{self.dialect} has no terminal frame")

    def conflicting(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        """A terminal that says otherwise than the one that `spoken` ends with."""
        raise Unsayable(f"{self.dialect} has no terminal frame")

    def error(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        """An error that is no terminal."""
        raise Unsayable(f"{self.dialect} has no error frame beside its terminals")

    def retry(self, spoken: Sequence[Unit]) -> Retry:
        """The attempt that `spoken` ends in fails."""
        raise Unsayable(f"{self.dialect} tells nothing of retries")

    def ping(self, spoken: Sequence[Unit]) -> Unit:
        """A sign of life."""
        if isinstance(spoken[-1].framing, SseFraming):
            return COMMENT
        raise Unsayable(f"{self.dialect} has no sign of life")

    def unknown(self, spoken: Sequence[Unit]) -> Unit:
        """A frame of a type that the dialect does not have."""
        return like(spoken[-1], {"type": "turnreel_unknown"})

    def resumed(self, spoken: Sequence[Unit]) -> tuple[Unit, ...]:
        """What a new process says first that resumes a session in which `spoken` was said."""
        return ()

    def renamed(self, unit: Unit) -> Unit | None:
        """`unit` under ids that nobody gave out; None if it has none."""
        if not isinstance(unit, JsonUnit):
            return None
        value = _renamed(unit.value, self.ids)
        return None if value == unit.value else msgspec.structs.replace(unit, value=value)


PLAIN = Forger()
"""Of a dialect nothing is known of."""


def like(template: Unit, value: Mapping[str, Json], event: str | None = None) -> JsonUnit:
    """`value` in the framing of `template`. A server-sent event is named `event`, by its ``type``
    if `template` was, and else not at all.
    """
    match template.framing:
        case SseFraming(event=name):
            kind = value.get("type")
            named = event or (kind if name is not None and isinstance(kind, str) else None)
            framing: SseFraming | LineFraming = SseFraming(named)
        case _:
            framing = LineFraming()
    style = template.style if isinstance(template, JsonUnit) else "compact"
    return JsonUnit(dict(value), framing, "compact" if style == "other" else style)


def values(units: Sequence[Unit]) -> list[dict[str, Json]]:
    """The JSON objects among the units."""
    return [
        unit.value for unit in units if isinstance(unit, JsonUnit) and isinstance(unit.value, dict)
    ]


def _renamed(value: Json, names: frozenset[str]) -> Json:
    match value:
        case dict():
            return {
                name: f"{one}{OTHER}"
                if name in names and isinstance(one, str)
                else one
                if name in OPAQUE
                else _renamed(one, names)
                for name, one in value.items()
            }
        case list():
            return [_renamed(one, names) for one in value]
        case _:
            return value
