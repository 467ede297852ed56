"""Which recorded exchange answers a live request.

Rules of this file
- A request may name its exchange (`EXCHANGE_HEADER`): the replay client does.
- Only exchanges of the same method and path compete; queries do not count.
- Where the recording has request features, they decide, as `adapters.recognition` says.
- Where it has none (imported cassettes), the recorded order decides.
- Of several that fit, the next one not served yet answers. With features, when all were served
  the last one answers again: the same step asked again gets what it got. By order there is none.
- An exchange whose answer a planned fault spoilt counts as not served: the retry gets it.
- A request for the unstreamed form of a recorded streamed step gets it, derived.
- Probes beside the conversation are answered without a recording; anything else is a miss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

from turnreel.adapters.recognition import differences, fits, same_path
from turnreel.adapters.registry import provider
from turnreel.wire.units import Json, Unit

from .script import Exchange

EXCHANGE_HEADER: Final = "x-turnreel-exchange"
SHOWN_DIFFERENCES: Final = 3


class Asked(msgspec.Struct, frozen=True):
    """A live request. `features` as the dialect folder derives them, None if it does not."""

    method: str
    path: str
    features: Json = None
    exchange: int | None = None


class Hit(msgspec.Struct, frozen=True):
    """`exchange` answers, in its recorded form or as a whole message."""

    exchange: Exchange
    form: Literal["recorded", "whole"] = "recorded"


class Probe(msgspec.Struct, frozen=True):
    """Answered without a recording."""

    unit: Unit


class Miss(msgspec.Struct, frozen=True):
    """Nothing recorded answers. `reason` names the nearest recording and the difference; it
    holds no content, for features hold none.
    """

    reason: str
    nearest: int | None = None


class Matcher:
    """The recorded exchanges of a track and which of them were served."""

    def __init__(self, exchanges: Sequence[Exchange], dialect: str) -> None:
        self._exchanges = exchanges
        self._dialect = dialect
        self._served: set[int] = set()

    def find(self, asked: Asked) -> Hit | Probe | Miss:
        """What answers `asked`. The exchange found counts as served from now on."""
        found = self._find(asked)
        if isinstance(found, Hit):
            self._served.add(found.exchange.number)
        return found

    def spoilt(self, exchange: Exchange) -> None:
        """A planned fault kept `exchange` from being answered whole: it may answer again."""
        self._served.discard(exchange.number)

    def _find(self, asked: Asked) -> Hit | Probe | Miss:
        if asked.exchange is not None:
            named = [e for e in self._exchanges if e.number == asked.exchange]
            return Hit(named[0]) if named else Miss(f"there is no exchange {asked.exchange}")
        pool = [exchange for exchange in self._exchanges if _same_target(exchange, asked)]
        if asked.features is None or not any(exchange.features for exchange in pool):
            fresh = self._fresh(pool)
            if fresh:
                return _hit(fresh[0], asked)
            return self._probe(asked) or self._exhausted(asked, pool)
        for form in (asked.features, _as_streamed(asked.features)):
            fitting = [exchange for exchange in pool if fits(exchange.features, form)]
            if fitting:
                return _hit((self._fresh(fitting) or fitting[-1:])[0], asked)
        return self._probe(asked) or self._nearest(asked, pool)

    def _fresh(self, pool: Sequence[Exchange]) -> list[Exchange]:
        return [exchange for exchange in pool if exchange.number not in self._served]

    def _probe(self, asked: Asked) -> Probe | None:
        unit = provider(self._dialect).probe(asked.method, _target(asked.path))
        return None if unit is None else Probe(unit)

    def _exhausted(self, asked: Asked, pool: Sequence[Exchange]) -> Miss:
        target = f"{asked.method} {_target(asked.path)}"
        if not pool:
            recorded = sorted({f"{e.method} {_target(e.path)}" for e in self._exchanges})
            return Miss(f"{target} was not recorded; recorded: {', '.join(recorded) or 'nothing'}")
        return Miss(
            f"the {len(pool)} recorded answers to {target} are used up; "
            "without request features they match by order",
            pool[-1].number,
        )

    def _nearest(self, asked: Asked, pool: Sequence[Exchange]) -> Miss:
        ranked = [
            (list(differences(exchange.features, asked.features)), exchange) for exchange in pool
        ]
        found, nearest = min(ranked, key=lambda pair: (len(pair[0]), pair[1].number))
        shown = "; ".join(found[:SHOWN_DIFFERENCES])
        more = len(found) - SHOWN_DIFFERENCES
        return Miss(
            f"nearest is exchange {nearest.number}, which differs at {shown}"
            + (f" and {more} more" if more > 0 else ""),
            nearest.number,
        )


def _hit(exchange: Exchange, asked: Asked) -> Hit:
    """`exchange` in the form that `asked` wants and the recording can give."""
    if exchange.streamed and _as_streamed(asked.features) != asked.features:
        units = (event.unit for event in exchange.events)
        if provider(exchange.dialect).whole(units) is not None:
            return Hit(exchange, "whole")
    return Hit(exchange)


def _as_streamed(features: Json) -> Json:
    """The features of the same step, streamed."""
    if isinstance(features, dict) and features.get("stream") is False:
        return {**features, "stream": True}
    return features


def _same_target(exchange: Exchange, asked: Asked) -> bool:
    return exchange.method == asked.method and same_path(
        _target(exchange.path), _target(asked.path)
    )


def _target(path: str) -> str:
    return urlsplit(path).path or "/"
