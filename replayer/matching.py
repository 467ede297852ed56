"""Which recorded exchange answers a live request of one client.

Rules of this file
- A request may name its exchange (`EXCHANGE_HEADER`): the replay client does.
- Only exchanges of the same dialect, method and path compete; queries do not count.
- Where a recording has request features, they decide, as `adapters.recognition` says.
- Where none that competes has any (imported cassettes), the recorded order decides.
- Of those that fit, the ones of the cassette that answered this client last come first.
- Of those, the next one not served yet answers. With features, when all were served the last one
  answers again: the same step asked again gets what it got. By order there is none.
- An exchange whose answer a planned fault spoilt counts as not served: the retry gets it. So does a
  request that fits nothing else and asks for the same step with more behind its history: an agent
  kept what had come before the cut and asks for the rest. From then on, a history that begins with
  the longer one counts as beginning with the recorded one.
- A client that comes back for the rest of a stream (`resuming`) gets the rest of the last one that
  fits, if what it came back for was not recorded as an exchange of its own, or from a later place.
- A request for the unstreamed form of a recorded streamed step gets it, derived.
- Probes beside the conversation are answered without a recording; anything else is a miss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from turnreel.adapters.recognition import differences, fits
from turnreel.adapters.registry import provider
from turnreel.wire.units import Json, Unit

from .clients import CLIENT_HEADER
from .forms import as_streamed, cut_to, history_of
from .resuming import Since, retrieval, serves
from .script import Exchange
from .shelf import Carrier, Entry, Shelf, target
from .unstreamed import unstreamed

EXCHANGE_HEADER: Final = "x-turnreel-exchange"
SHOWN_DIFFERENCES: Final = 3
DETOURS: Final = 32
"""How many lengthened histories of a client are remembered."""


class Asked(msgspec.Struct, frozen=True):
    """A live request, or a message on a WebSocket. `features` as the dialect folder derives them,
    None if it does not; `exchange` is the one it names, and `turn` which message it is there.
    """

    method: str
    path: str
    features: Json = None
    exchange: int | None = None
    dialect: str | None = None
    carrier: Carrier = "http"
    turn: int = 0
    last_id: str | None = None


class Hit(msgspec.Struct, frozen=True):
    """`entry` answers, in its recorded form, what of that comes behind `since`, or as a whole
    message.
    """

    entry: Entry
    form: Literal["recorded", "whole"] = "recorded"
    since: Since | None = None

    @property
    def exchange(self) -> Exchange:
        """The recorded exchange."""
        return self.entry.exchange


class Probe(msgspec.Struct, frozen=True):
    """Answered without a recording."""

    unit: Unit


class Miss(msgspec.Struct, frozen=True):
    """Nothing recorded answers. `reason` names the nearest recording and the difference; it
    holds no content, for features hold none. `remedy` is what may help.
    """

    reason: str
    nearest: int | None = None
    cassette: str | None = None
    remedy: str = ""


class _Detour(msgspec.Struct, frozen=True):
    """A history of the client that stands for a recorded one."""

    live: list[Json]
    recorded: list[Json]


class Matcher:
    """One client's way through a shelf: which exchanges it was served."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._served: set[int] = set()
        self._spoilt: dict[int, None] = {}
        """Places, the latest last."""
        self._detours: list[_Detour] = []
        self._last: str | None = None

    def find(self, asked: Asked) -> Hit | Probe | Miss:
        """What answers `asked`. The exchange found counts as served from now on."""
        found = self._find(asked)
        if isinstance(found, Hit):
            known = found.entry.place in self._served or found.entry.place in self._spoilt
            if asked.last_id is not None and known:
                found = Hit(found.entry, since=Since(id=asked.last_id))
            self._served.add(found.entry.place)
            self._spoilt.pop(found.entry.place, None)
            self._last = found.entry.cassette
        return found

    def spoilt(self, entry: Entry) -> None:
        """A planned fault kept `entry` from being answered whole: it may answer again."""
        self._served.discard(entry.place)
        self._spoilt[entry.place] = None

    def _find(self, asked: Asked) -> Hit | Probe | Miss:
        if asked.exchange is not None:
            for entry in self._shelf.entries:
                if (entry.exchange.number, entry.exchange.turn) == (asked.exchange, asked.turn):
                    wanted = retrieval(asked.method, asked.path)
                    return Hit(entry, since=None if wanted is None else wanted.since)
            named = f"there is no exchange {asked.exchange}"
            return Miss(named, remedy=f"{EXCHANGE_HEADER} is the number of a recorded one")
        dialect = asked.dialect or self._shelf.dialects[0]
        path = target(asked.path)
        pool = self._near(self._shelf.competing(dialect, asked.method, path, asked.carrier))
        if (retrieved := self._retrieved(asked, pool, dialect)) is not None:
            return retrieved
        if asked.features is None or not any(entry.exchange.features for entry in pool):
            return (
                self._in_order(asked, pool)
                or _probe(asked, dialect)
                or self._exhausted(asked, pool)
            )
        for form in self._forms(asked.features):
            fitting = [entry for entry in pool if fits(entry.exchange.features, form)]
            if fitting:
                return _hit(self._next(fitting), asked)
        return (
            self._goes_on(asked, pool)
            or self._in_order(asked, [entry for entry in pool if not entry.exchange.features])
            or _probe(asked, dialect)
            or self._nearest(asked, pool)
        )

    def _in_order(self, asked: Asked, pool: Sequence[Entry]) -> Hit | None:
        fresh = self._fresh(pool) or (pool[-1:] if asked.last_id is not None else [])
        return _hit(fresh[0], asked) if fresh else None

    def _retrieved(self, asked: Asked, pool: Sequence[Entry], dialect: str) -> Hit | None:
        """What `asked` calls by its name: a recorded retrieval that serves, else the answer."""
        wanted = retrieval(asked.method, asked.path)
        if wanted is None or asked.carrier != "http":
            return None
        if fresh := self._fresh([entry for entry in pool if serves(entry.exchange, wanted)]):
            return Hit(fresh[0], since=wanted.since)
        for entry in self._near(self._shelf.entries):
            if entry.exchange.dialect == dialect and entry.exchange.carrier == "http":
                told = provider(dialect).told(event.unit for event in entry.exchange.events)
                if told is not None and told.id == wanted.name:
                    if wanted.since is not None:
                        return Hit(entry, since=wanted.since)
                    return Hit(entry, "whole") if unstreamed(entry.exchange) else None
        return None

    def _near(self, pool: Sequence[Entry]) -> list[Entry]:
        """`pool` with the cassette that answered last in front."""
        return sorted(pool, key=lambda entry: entry.cassette != self._last)

    def _fresh(self, pool: Sequence[Entry]) -> list[Entry]:
        return [entry for entry in pool if entry.place not in self._served]

    def _next(self, fitting: Sequence[Entry]) -> Entry:
        """Of the first one's cassette: the first not served yet, else the last."""
        same = [entry for entry in fitting if entry.cassette == fitting[0].cassette]
        return (self._fresh(same) or same[-1:])[0]

    def _forms(self, features: Json) -> Iterator[Json]:
        """What a request may mean: itself, the same step streamed, and either with the history that
        was recorded where the client's was lengthened.
        """
        yield features
        yield as_streamed(features)
        history = history_of(features)
        for detour in reversed(self._detours):
            if isinstance(features, dict) and history[: len(detour.live)] == detour.live:
                short = {**features, "history": detour.recorded + history[len(detour.live) :]}
                yield short
                yield as_streamed(short)

    def _goes_on(self, asked: Asked, pool: Sequence[Entry]) -> Hit | None:
        """A spoilt exchange that `asked` asks for again, with what the client kept of it."""
        for place in reversed(self._spoilt):
            for entry in pool:
                if entry.place != place:
                    continue
                shape = entry.exchange.features
                recorded = history_of(shape)
                for form in self._forms(asked.features):
                    longer = len(history_of(form)) > len(recorded) > 0
                    if longer and fits(shape, cut_to(form, shape)):
                        lengthened = _Detour(history_of(asked.features), recorded)
                        self._detours = [*self._detours[1 - DETOURS :], lengthened]
                        return _hit(entry, asked)
        return None

    def _exhausted(self, asked: Asked, pool: Sequence[Entry]) -> Miss:
        wanted = f"{asked.method} {target(asked.path)}"
        if not pool:
            recorded = sorted(
                {f"{e.exchange.method} {target(e.exchange.path)}" for e in self._shelf.entries}
            )
            return Miss(
                f"{wanted} was not recorded; recorded: {', '.join(recorded)}",
                remedy="serve a cassette that holds it as well, or record it with turnreel proxy",
            )
        return Miss(
            f"the {len(pool)} recorded answers to {wanted} are used up; "
            "without request features they match by order",
            pool[-1].exchange.number,
            pool[-1].cassette,
            f"ask as another client ({CLIENT_HEADER}) to begin anew",
        )

    def _nearest(self, asked: Asked, pool: Sequence[Entry]) -> Miss:
        ranked = [
            (list(differences(entry.exchange.features, asked.features)), entry) for entry in pool
        ]
        asked_for = len(history_of(asked.features))

        def distance(pair: tuple[list[str], Entry]) -> tuple[int, int, int]:
            found, entry = pair
            recorded = len(history_of(entry.exchange.features))
            return len(found), abs(recorded - asked_for), entry.place

        found, nearest = min(ranked, key=distance)
        shown = "; ".join(found[:SHOWN_DIFFERENCES])
        more = len(found) - SHOWN_DIFFERENCES
        return Miss(
            f"nearest is {self._shelf.called(nearest)}, which differs at {shown}"
            + (f" and {more} more" if more > 0 else ""),
            nearest.exchange.number,
            nearest.cassette,
            _remedy(found),
        )


def _remedy(found: Sequence[str]) -> str:
    """What may help against these differences."""
    places = [difference.partition(":")[0] for difference in found]
    if places == ["/model"]:
        return "ask for the recorded model"
    if any(place.startswith(("/history", "/results")) for place in places):
        return "no recorded conversation went that way: record this one, or serve its cassette too"
    return "ask as it was recorded, or record it with turnreel proxy"


def _probe(asked: Asked, dialect: str) -> Probe | None:
    unit = provider(dialect).probe(asked.method, target(asked.path))
    return None if unit is None else Probe(unit)


def _hit(entry: Entry, asked: Asked) -> Hit:
    """`entry` in the form that `asked` wants and the recording can give."""
    unasked = as_streamed(asked.features) != asked.features
    if unasked and entry.exchange.streamed and unstreamed(entry.exchange) is not None:
        return Hit(entry, "whole")
    return Hit(entry)
