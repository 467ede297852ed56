"""The native side of a recording, as checkers see it."""

from __future__ import annotations

from .recording import Recording
from .watching import Native


def native_of(recording: Recording) -> Native:
    """The arrivals of a recording and what its adapters observe in them."""
    translator, observed = recording.witness()
    for arrival in recording.arrivals:
        translator.feed(arrival)
    bounds = {
        adapter.info.dialect: adapter.info.retry_bound
        for adapter in recording.adapters.values()
        if adapter.info.retry_bound is not None
    }
    return Native(
        arrivals={arrival.number: arrival for arrival in recording.arrivals},
        observed=observed,
        retry_bounds=bounds,
    )
