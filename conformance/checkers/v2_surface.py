"""V2: one surface, nothing twice, nothing made up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, Commentary
from turnreel.lifecycle.fold import CommentaryEntry, Entry, fold


class Checker(Watch):
    """One surface, nothing twice, nothing made up."""

    clause = "V2"
    sentence = (
        "A run is one view; two neighbouring lines of Thinking are never the same words; every "
        "line of it was said."
    )

    def whole(self, events: Sequence[AnyEvent]) -> Iterator[str]:
        views = fold(events)
        if len(views) != 1:
            yield f"{len(views)} surfaces"
            return
        entries = views[0].entries
        said = _said(events)
        if any(isinstance(one, CommentaryEntry) and one.text not in said for one in entries):
            yield "a line that no message said"
        if any(_same(one, other) for one, other in pairwise(entries)):
            yield "the same line twice"


def _said(events: Sequence[AnyEvent]) -> set[str]:
    """What each message said in the end, put together anew from its events."""
    texts: dict[str, str] = {}
    for event in sorted({event.seq: event for event in events}.values(), key=lambda one: one.seq):
        if not isinstance(event, Commentary):
            continue
        if event.retracted:
            texts.pop(event.message_id, None)
        else:
            texts[event.message_id] = texts.get(event.message_id, "")[: event.offset] + event.text
    return set(texts.values())


def _same(one: Entry, other: Entry) -> bool:
    return (
        isinstance(one, CommentaryEntry)
        and isinstance(other, CommentaryEntry)
        and _plain(one) == _plain(other)
    )


def _plain(entry: CommentaryEntry) -> str:
    return " ".join(entry.text.casefold().split()).rstrip(".!?…:;, ")
