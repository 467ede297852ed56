"""A stream that is still coming, performed under a plan: what is new of it, event by event."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Final, Literal

from msgspec.structs import replace

from turnreel.wire.sse import SseFramer
from turnreel.wire.units import BodyFraming, TextUnit, Unit

from .arming import Arming
from .compiling import compiled
from .emitter import Emitter
from .faults import Fault, Plan
from .faults.transport import Refuse, Status
from .outlet import Playing
from .performance import Carriage, framing
from .schedule import schedule
from .script import Closed, Event, Exchange, Finished, Response, Torn
from .steps import Break, Close, End, Linger, Mark, Schedule, Send, Step

FAULTED_EVENTS: Final = 2000
FAULTED_BYTES: Final = 64 * 1024 * 1024
"""A stream that is longer than that is passed on: with faults it has to be remembered."""
FRAME_LIMIT: Final = 1 << 20

_FRAME: Final = re.compile(rb"(?s).*?(?:\r\n\r\n|\n\n|\r\r)")
_BODY: Final = TextUnit("", BodyFraming())


class Live:
    """One answer on its way. `exchange` is what is known of its request. What comes of it came at
    `came_s` on the event loop's clock, or now; never before what came before it.
    """

    def __init__(
        self,
        exchange: Exchange,
        arming: Arming,
        outlet: Playing,
        carriage: Carriage,
        patience_s: float,
    ) -> None:
        self._exchange = exchange
        self._arming = arming
        self._plan: Plan = arming.plan
        self._carriage = carriage
        self._loop = asyncio.get_running_loop()
        self._begun = self._loop.time()
        self._done: list[Step] = []
        self._reserved: frozenset[int] = frozenset()
        self._buffer = bytearray()
        self._size = 0
        self._is_stream = False
        self._passes = not self._armed()
        self._refusal = Schedule(())
        self.emitter = Emitter(outlet, patience_s=patience_s)

    @property
    def is_over(self) -> bool:
        """Whether the answer has ended, whatever may still come."""
        return self.emitter.ended != "open"

    @property
    def is_refused(self) -> bool:
        """Whether a refusal stands in place of the answer."""
        return bool(self._refusal.steps)

    def refuses(self) -> bool:
        """Whether a refusal is armed for this request, which `refuse` then plays."""
        for index in sorted(self._armed()):
            if isinstance(self._plan.faults[index], Status | Refuse):
                made = schedule(self._exchange, self._plan, {index})
                if made.faults:
                    self._reserve(made.faults)
                    self._refusal = made
                    break
        return self.is_refused

    async def refuse(self) -> None:
        """Answer in upstream's place."""
        await self._perform(self._refusal.steps, self._refusal)

    async def begin(self, status: int, headers: tuple[tuple[str, str], ...]) -> None:
        """The head came."""
        named = tuple((name.lower(), value) for name, value in headers)
        media = next((value for name, value in named if name == "content-type"), "")
        self._is_stream = media.startswith("text/event-stream")
        response = Response(self._at_us(None), status, named)
        self._exchange = replace(self._exchange, response=response)
        await self._grow(Mark(0, "the head", ()))

    async def feed(self, data: bytes, came_s: float | None = None) -> None:
        """More of the body came."""
        if not self._is_stream or self._passes:
            await self._event(data, _BODY, came_s)
            return
        self._buffer += data
        while (frame := _FRAME.match(self._buffer)) is not None and not self.is_over:
            raw = frame[0]
            del self._buffer[: len(raw)]
            await self._event(raw, _unit(raw), came_s)
        if len(self._buffer) > FRAME_LIMIT:
            await self._rest(came_s)

    async def message(
        self, data: bytes, unit: Unit, carriage: Carriage, came_s: float | None = None
    ) -> None:
        """A whole message came on a WebSocket, and says `unit`."""
        if not self.is_over:
            self._carriage = carriage
            await self._event(data, unit, came_s)

    async def closed(self, code: int, reason: bytes, came_s: float | None = None) -> None:
        """Upstream closed the WebSocket."""
        now_us = self._at_us(came_s)
        await self._last(Close(now_us, code, reason=reason), Closed(now_us, code, reason))

    async def end(self, cut_by: Literal["upstream"] | None, came_s: float | None = None) -> None:
        """Nothing more comes: the body has ended, or was cut."""
        await self._rest(came_s)
        now_us = self._at_us(came_s)
        if cut_by is None:
            await self._last(End(now_us), Finished(now_us))
        else:
            await self._last(Break(now_us, "clean"), Torn(now_us, cut_by))

    async def _last(self, last: Step, end: Finished | Torn | Closed) -> None:
        if self.is_over:
            return
        if self._passes:
            await self._perform((last,), Schedule(tuple(self._done)))
            return
        self._exchange = replace(self._exchange, end=end)
        await self._grow(last)

    def settle(self) -> list[Fault]:
        """The answer is over for good, if not by its end because its client left; the faults that
        it met.
        """
        if self.emitter.ended == "open":
            self.emitter.ended = "left"
        self._arming.settle(self._reserved, self.emitter.fired)
        return [self._plan.faults[index] for index in dict.fromkeys(self.emitter.fired)]

    async def _rest(self, came_s: float | None) -> None:
        raw = bytes(self._buffer)
        self._buffer.clear()
        if raw and not self.is_over:
            await self._event(raw, _BODY, came_s)

    async def _event(self, data: bytes, unit: Unit, came_s: float | None) -> None:
        now_us, number = self._at_us(came_s), len(self._exchange.events) + 1
        send = Send(now_us, data, unit, completes=(number,))
        self._size += len(data)
        if self._passes or number > FAULTED_EVENTS or self._size > FAULTED_BYTES:
            self._passes = True
            await self._perform((send,), Schedule(tuple(self._done)))
            return
        events = (*self._exchange.events, Event(number, now_us, data, unit))
        self._exchange = replace(self._exchange, events=events)
        await self._grow(send)

    async def _grow(self, latest: Step) -> None:
        """Send what is new in the schedule of what is known by now; `latest` is that without any
        fault.
        """
        if self.is_over:
            return
        made = self._scheduled()
        if _told(made.steps[: len(self._done)]) != _told(self._done):
            self._passes = True  # what was sent already would have to be other
            await self._perform((latest,), made)
            return
        self._reserve(made.faults)
        new = made.steps[len(self._done) :]
        self._done += new
        await self._perform(new, made)

    def _scheduled(self) -> Schedule:
        made = schedule(self._exchange, self._plan, self._armed())
        last = made.steps[-1] if made.steps else None
        if isinstance(last, Linger) and not last.faults:
            return Schedule(made.steps[:-1])  # more may come
        return made

    def _armed(self) -> frozenset[int]:
        armed = self._arming.armed | self._reserved
        return frozenset(index for index in armed if index < len(self._plan.faults))

    def _reserve(self, faults: frozenset[int]) -> None:
        self._arming.reserve(faults - self._reserved)
        self._reserved |= faults

    async def _perform(self, steps: tuple[Step, ...], made: Schedule) -> None:
        moves = compiled(Schedule(tuple(steps)), framing(made, self._carriage))
        passed = self._at_us(None)
        await self.emitter.play(
            [replace(move, at_us=max(0, move.at_us - passed)) for move in moves]
        )

    def _at_us(self, came_s: float | None) -> int:
        """When that is since the request: now, or when something came."""
        at_s = self._loop.time() if came_s is None else max(came_s, self._begun)
        return int((at_s - self._begun) * 1e6)


def _told(steps: Sequence[Step]) -> list[Step]:
    """The steps but for what is not seen of them: of how many events a mark is the place."""
    return [replace(step, completes=()) if isinstance(step, Mark) else step for step in steps]


def _unit(frame: bytes) -> Unit:
    """What a frame says; of several, the last: comments stand in front."""
    return ([*SseFramer().feed(frame)] or [_BODY])[-1]
