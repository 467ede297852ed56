"""One session's sanitizer: raw records in, records that may land out, in the same order.

Holds back what is not decided yet and everything behind it, of all tracks, so that order is
kept. Nothing is dropped: for each record that goes in exactly one comes out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from turnreel.wire.units import Json, JsonUnit, TextUnit, TornUnit, Unit

from .blocks import Blocks
from .compile import Plan, plan_of, public_of
from .fields import FIELDS
from .framing import clean_framing, clean_headers, event_of
from .gate import Gate, Objection
from .known import KnownSecrets
from .opinion import Opinion
from .placeholders import Placeholders
from .policy import Policy, Profile
from .reads import characters, remapped
from .records import PASS, Clean, Raw
from .report import Report, Tally
from .scanner import Scanner
from .scrub import Scrubber
from .slots import Slot, Visit
from .sources import Sources
from .treatments import Public, Treatments

HELD_RECORDS: Final = 4096
HELD_CHARACTERS: Final = 2 << 20
"""More records than this, or more text in them, never wait behind an open block: it is decided as
if it ended, and what follows in it lands as its shape.
"""

_OVER: Final = frozenset({"request", "end", "cut", "open", "close", "exit"})
"""Codes that end every block of their exchange, or of their track if they have none."""


class _Held:
    """A record whose place in the order is taken, until all its slots are decided."""

    __slots__ = ("body", "raw", "size", "slots", "waiting")

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.size = 0
        self.slots: Sequence[Slot] = ()
        self.waiting = 0
        self.body: Unit | dict[str, Json] = {}

    def decided(self) -> None:
        self.waiting -= 1


class _Track:
    """What a track's dialect says, and its blocks being streamed."""

    __slots__ = ("blocks", "plan", "scrubber", "treat")

    def __init__(self, plan: Plan, scrubber: Scrubber, public: Public, profile: Profile) -> None:
        self.plan = plan
        self.scrubber = scrubber
        self.treat = Treatments(plan.policy, scrubber, public)
        self.blocks = Blocks(plan, self.treat, scrubber, profile)


class TextMapping:
    """What the session's sanitizer made of a text or an id (S6): the same engine with the same
    placeholders. A text that the session never held is left as it is.
    """

    def __init__(self, profile: Profile, scrubber: Scrubber, sources: Sources) -> None:
        self._map = scrubber.scrub if profile == "fixture" else sources.find
        self._placeholders = scrubber.placeholders

    def map_text(self, text: str) -> str:
        """A visible text as it landed."""
        return self._map(text)

    def map_id(self, value: str) -> str:
        """A native id as it landed."""
        return self._placeholders.id(value)


class Sanitizer:
    """Sanitizes one session.

    `policies` gives each track its dialect's policy; a track without one passes turnreel's own
    records only, its units are masked. `known` is what the recorder knows to be private, `opinion`
    is asked by the seal gate as well. `marker` is what the host has agents begin a text with that
    asks: there it stays (T5).
    """

    def __init__(
        self,
        policies: Mapping[str, Policy],
        profile: Profile,
        known: KnownSecrets | None = None,
        opinion: Opinion | None = None,
        marker: str | None = None,
    ) -> None:
        self.profile = profile
        self._tally = Tally()
        placeholders = Placeholders()
        notices = [notice for policy in policies.values() for notice in policy.notices]
        if marker is not None:
            notices.append(rf"\A\s*{re.escape(marker)}")
        self._sources = Sources(notices)
        plans = {track: plan_of(policy) for track, policy in policies.items()}
        fields = plan_of(FIELDS)
        public = public_of((*plans.values(), fields))
        literals = (known or KnownSecrets()).literals()
        scanner = Scanner(known=literals, is_public=public.has, words=public.words)
        self._tracks: dict[str, _Track] = {}
        for track, plan in plans.items():
            policy = plan.policy
            inner = (*map(re.escape, policy.inner), *policy.notices)
            scrubber = self._scrubber(scanner, placeholders, policy.literals, inner)
            self._tracks[track] = _Track(plan, scrubber, public, profile)
        self._plain = self._scrubber(scanner, placeholders)
        self._fields = fields
        self._treat = Treatments(FIELDS, self._plain, public)
        self._gate = Gate(scanner, self._tally, opinion)
        self._queue: deque[_Held] = deque()
        self._held = 0  # characters in the queue

    def _scrubber(
        self,
        scanner: Scanner,
        placeholders: Placeholders,
        literals: tuple[str, ...] = (),
        inner: tuple[str, ...] = (),
    ) -> Scrubber:
        return Scrubber(
            scanner, placeholders, self._tally, self.profile, self._sources, literals, inner
        )

    def push(self, raw: Raw) -> list[Clean]:
        """The records that are decided now that `raw` has arrived, in order."""
        held = _Held(raw)
        if raw.code in _OVER and raw.track in self._tracks:
            self._tracks[raw.track].blocks.close_exchange(raw.exchange)
        self._queue.append(held)
        held.body = self._clean(raw, held)
        if self._queue[0].waiting:
            held.size = held.size or characters(raw.body)
            self._held += held.size
            if len(self._queue) > HELD_RECORDS or self._held > HELD_CHARACTERS:
                for track in self._tracks.values():
                    track.blocks.freeze()
        return self._decided()

    def flush(self) -> list[Clean]:
        """The records still held: nothing follows."""
        for track in self._tracks.values():
            track.blocks.close_all()
        return self._decided()

    def report(self) -> Report:
        """What was replaced so far, by rule, and which fields no policy lists (S5)."""
        return self._tally.report()

    def objections(self) -> tuple[Objection, ...]:
        """Records among those given out so far that must not be sealed: what the seal gate found in
        them it finds whatever it masks. None in any session that is not made for it.
        """
        return tuple(self._gate.objections)

    def mapping(self) -> TextMapping:
        """What became of this session's texts and ids."""
        return TextMapping(self.profile, self._plain, self._sources)

    def _decided(self) -> list[Clean]:
        ready: list[_Held] = []
        while self._queue and not self._queue[0].waiting:
            ready.append(self._queue.popleft())
            self._held -= ready[-1].size
        if not ready:
            return []
        slots = [slot for held in ready for slot in held.slots]
        bodies = self._gate.admit([held.body for held in ready], slots)
        return [_landed(held.raw, body) for held, body in zip(ready, bodies, strict=True)]

    def _clean(self, raw: Raw, held: _Held) -> Unit | dict[str, Json]:
        body = raw.body
        if isinstance(body, JsonUnit):  # nearly all are, and a match would cost as much as the rest
            clean = self._value(raw, body.value, event_of(body.framing), held)
            return JsonUnit(clean, clean_framing(body.framing, self._plain), body.style)
        match body:
            case TextUnit(text, framing):
                return TextUnit(self._text(raw, text), clean_framing(framing, self._plain))
            case TornUnit(size, cause, framing):
                return TornUnit(size, cause, clean_framing(framing, self._plain))
            case _:
                return self._record(raw, body)

    def _value(self, raw: Raw, value: Json, event: str, held: _Held) -> Json:
        track = self._tracks.get(raw.track)
        if track is None:
            return self._own("unit", raw, value)
        plan, blocks = track.plan, track.blocks
        variant = plan.frame(value, event)
        visit = Visit(raw.track, plan.label(variant, track.treat), track.treat)
        blocks.before(variant, value, raw.exchange)
        clean = plan.frames.named(variant).clean(value, visit)
        if visit.slots:
            self._await(visit.slots, held)
            for slot in visit.slots:
                blocks.feed(slot, value, raw.exchange, visit)
        blocks.after(variant, value, raw.exchange)
        return clean

    def _own(self, record: str, raw: Raw, value: Json) -> Json:
        """A value by the policy of turnreel's own records."""
        visit = Visit(raw.track, raw.code, self._treat)
        return self._fields.of(record).named("").clean(value, visit)

    def _await(self, slots: list[Slot], held: _Held) -> None:
        held.slots = slots
        held.waiting = len(slots)
        for slot in slots:
            held.size += len(slot.text)
            slot.done = held.decided

    def _text(self, raw: Raw, text: str) -> str:
        track = self._tracks.get(raw.track)
        if track is None:
            return self._plain.shaped(text)
        if track.plan.policy.texts.get(raw.code) == "text":
            return track.scrubber.visible(text)
        return track.scrubber.shaped(text)

    def _record(self, raw: Raw, fields: dict[str, Json]) -> dict[str, Json]:
        rest = {name: value for name, value in fields.items() if name != "headers"}
        clean = self._own(raw.code, raw, rest)
        assert isinstance(clean, dict), "a record's fields are an object"
        if "headers" in fields:
            clean["headers"] = clean_headers(fields["headers"], self._plain)
        return {name: clean[name] for name in fields if name in clean} | clean


def _landed(raw: Raw, body: Unit | dict[str, Json]) -> Clean:
    reads = raw.reads and remapped(raw.reads, raw.body, body)
    return Clean(PASS, raw.at_us, raw.track, raw.code, body, raw.exchange, reads)
