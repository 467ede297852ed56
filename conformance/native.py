"""The native side of a recording, as checkers see it."""

from __future__ import annotations

from .recording import Recording
from .testimony import gathered, turns_of
from .watching import Native


def native_of(recording: Recording) -> Native:
    """The arrivals of a recording and what its adapters observe in them."""
    translator, observed = recording.witness()
    events = {one.number: translator.feed(one) for one in recording.arrivals}
    infos = [adapter.info for adapter in recording.adapters.values()]
    turns = turns_of(events, observed)
    return Native(
        arrivals={arrival.number: arrival for arrival in recording.arrivals},
        observed=observed,
        retry_bounds={i.dialect: i.retry_bound for i in infos if i.retry_bound is not None},
        secondary=frozenset(info.dialect for info in infos if info.tier == "secondary"),
        turns=turns,
        testimony=gathered(turns, observed),
    )
