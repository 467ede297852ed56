"""This package's own adapters as a child of the lock-step protocol: ``translate --lockstep``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from turnreel.adapters import registry
from turnreel.adapters.translator import Checkpoint, Translator

from .lockstep import PROTOCOL, Answer, Begin, Request, arrival_of, decode_request, encode


def answers(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The answer to each request, one line for one line. Never raises for what a line holds: a
    request that cannot be read, or that comes before ``begin``, is answered with an error.
    """
    child = _Child()
    for line in lines:
        try:
            answer = child.answer(decode_request(line))
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            answer = Answer(error=f"no request: {error}")
        yield encode(answer) + b"\n"


class _Child:
    def __init__(self) -> None:
        self._translator: Translator | None = None
        self._marks: dict[int, tuple[Translator, Checkpoint]] = {}

    def answer(self, request: Request) -> Answer:
        if request.begin is not None:
            return self._begin(request.begin)
        if self._translator is None:
            return Answer(error="nothing has begun")
        if request.snapshot is not None:
            mark = (self._translator, self._translator.checkpoint())
            self._marks[request.snapshot] = mark
            return Answer(events=())
        if request.restore is not None:
            return self._restore(request.restore)
        arrival = arrival_of(request)
        if arrival is None:
            return Answer(error="no request of this protocol")
        return Answer(events=tuple(self._translator.feed(arrival)))

    def _begin(self, begin: Begin) -> Answer:
        if begin.protocol > PROTOCOL:
            return Answer(error=f"protocol {begin.protocol}; this is {PROTOCOL}")
        adapters = {
            track.id: registry.adapter(track.dialect)
            for track in begin.tracks
            if registry.knows(track.dialect)
        }
        self._translator = Translator(
            adapters, session=begin.session, agent=begin.agent, terms=begin.terms
        )
        self._marks = {}
        return Answer(events=())

    def _restore(self, name: int) -> Answer:
        if name not in self._marks:
            return Answer(error=f"no snapshot {name}")
        translator, mark = self._marks[name]
        self._translator = translator.branch(mark)
        return Answer(events=())
