"""Documents with something wrong in them, anywhere."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

WRONG = (
    *(None, True, 0, -1, 1e308, 10**30, 101, 599),
    *("", "x", "://[", "http://a:99999999/v1/messages", "2026-13-99", "net::ERR_ABORTED"),
    *("base64", "gzip", "text/event-stream", "\x00\n", "ü", "\N{PILE OF POO}"),
    *([], {}, [1], [[]], {"a": None}, {"text": 1}),
)
Place = tuple[str | int, ...]


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Where something stands in a document."""
    yield place
    match value:
        case dict():
            inner = list(value.items())
        case list():
            inner = list(enumerate(value))
        case _:
            inner = []
    for key, one in inner:
        yield from places(one, (*place, key))


@st.composite
def mutated(draw: st.DrawFn, document: Any) -> Any:
    """`document` with up to three values that do not belong there."""
    made = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from([place for place in places(made) if place]))
        inner = made
        for key in way:
            inner = inner[key]
        inner[last] = copy.deepcopy(draw(st.sampled_from(WRONG)))
    return made
