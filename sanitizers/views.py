"""The views of a text: as it stands, and as it reads when its encodings are taken off, three times.

A secret may stand in a text escaped, in JSON inside JSON, in percent, cut by colour codes. Each
view is scanned like a text of its own; what is found is told in places of the text as it stands,
with the value as it reads. What the last of the `LAYERS` leaves encoded is masked. A placeholder
is one in all views.

Views stream: `Reading` finds in a growing text what it finds in the whole, since a view of it
grows as well and every one is decided as `Scanner.decide` decides.

What several views see becomes one in `sightings`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from .lenses import ESCAPES, PERCENT, TOKEN, Layer, Lens, is_encoded
from .matches import Candidate, Span
from .places import Place
from .sightings import Sighting, merged

if TYPE_CHECKING:
    from .scanner import End, Scanner

LAYERS: Final = (ESCAPES, PERCENT) * 3
"""What is taken off a text, one after the other: each of its encodings three times."""


_STILL_ENCODED: Final = re.compile(rf"[A-Za-z0-9+/_=\-]*(?:(?:{TOKEN.pattern})[A-Za-z0-9+/_=\-]*)+")


class Around(NamedTuple):
    """What is known of a text from the views above it, in its own places.

    No match crosses `walls`, in order. A boundary is also where something `ends`. What stands
    beyond `limit` is not settled there. `more` finds further candidates from a place on.
    """

    walls: Sequence[Place]
    ends: Iterable[int]
    limit: int
    more: Callable[[str, int], Iterable[Candidate]]


class _View:
    """One view: its text from the place `dropped` on, decided up to `start` of it."""

    __slots__ = ("dropped", "ends", "glued", "lens", "start", "text", "walls")

    def __init__(self, lens: Lens | None, text: str, start: int, dropped: int) -> None:
        self.lens = lens
        self.text = text
        self.start = start
        self.dropped = dropped
        self.glued = False
        self.walls: list[Place] = []
        self.ends: set[int] = set()

    @property
    def decided(self) -> int:
        """The place up to which it is decided."""
        return self.dropped + self.start

    def around(self, limit: int, *, is_deepest: bool) -> Around:
        """What the views above say; they are settled up to the place `limit` of this one."""
        at = self.dropped
        return Around(
            walls=[(low - at, high - at) for low, high in self.walls],
            ends=[end - at for end in self.ends],
            limit=limit - at,
            more=still_encoded if is_deepest else nothing_more,
        )

    def move(self, limit: int) -> None:
        keep = max(limit - 1, 0)
        self.text = self.text[keep:]
        self.dropped += keep
        self.start = limit - keep
        self.walls = [(low, high) for low, high in self.walls if high > self.dropped]
        self.ends = {end for end in self.ends if end >= self.decided}


class Reading:
    """A growing text in all its views."""

    __slots__ = ("_pending", "_raw", "_scanner", "_settled", "_views")

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._raw = ""
        self._settled = 0  # the place where _raw begins: up to there all was told
        self._views = [_View(None, "", 0, 0)]
        self._pending: list[Sighting] = []

    def feed(self, piece: str) -> None:
        """The next piece of the text."""
        self._raw += piece
        self._views[0].text += piece
        for depth, layer in enumerate(LAYERS):
            view = self._views[depth]
            if depth + 1 < len(self._views):
                below = self._views[depth + 1]
                assert below.lens is not None
                piece = below.lens.feed(piece)
                below.text += piece
            elif is_encoded(piece):
                self._views.append(_opened(view, layer))
                piece = self._views[-1].text[self._views[-1].start :]
            else:
                break

    def decide(self, end: End) -> tuple[list[Span], int]:
        """What must be replaced, in order and without overlap, up to the place that comes with it:
        up to there all is settled. Places count from the text's beginning; every span holds its
        value.
        """
        if end != "open":
            piece = ""
            for view, below in zip(self._views, self._views[1:], strict=False):
                assert below.lens is not None
                piece = below.lens.feed(piece)
                below.lens.finish()
                below.text += piece
                assert below.lens.source == view.dropped + len(view.text), "all was read"
        limit = self._settled + len(self._raw)
        for depth in range(len(self._views)):
            limit = min(limit, self._look(depth, end, limit))
        if end != "open":
            limit = self._settled + len(self._raw)
        crossing = True
        while crossing:
            crossing = False
            for one in self._pending:
                if one.start < limit < one.end:
                    limit, crossing = one.start, True
        spans = merged([one for one in self._pending if one.end <= limit], self._part)
        self._pending = [one for one in self._pending if one.end > limit]
        self._raw = self._raw[limit - self._settled :]
        self._settled = limit
        self._close()
        return spans, limit

    def tail(self, length: int) -> str:
        """The last characters of the text, as far as they are not settled."""
        return self._raw[-length:]

    def _part(self, start: int, end: int) -> str:
        return self._raw[start - self._settled : end - self._settled]

    def _look(self, depth: int, end: End, limit: int) -> int:
        """Decides one view as far as it goes. The views above are settled up to the place `limit`
        of the text as it stands; returns the place up to which this one is as well.
        """
        view = self._views[depth]
        lenses = self._lenses(depth)
        for lens in reversed(lenses):
            limit = lens.whole(limit)
        found, markers = self._scanner.look(
            view.text, view.start, view.glued, end,
            view.around(limit, is_deepest=depth == len(LAYERS)) if depth else ALONE,
        )  # fmt: skip
        sightings: list[Sighting] = []
        for span in found.spans:
            value = span.value or view.text[span.start : span.end]
            low, high = view.dropped + span.start, view.dropped + span.end
            for lens in lenses:
                low, high = lens.start(low), lens.end(high)
            sightings.append(Sighting(low, high, depth, span._replace(value=value)))
        self._pending += sightings
        if depth + 1 < len(self._views):
            self._tell(depth, found.spans, markers)
        view.glued = found.glued
        view.move(found.limit)
        place = view.decided
        for lens in lenses:
            place = lens.end(place)
        return place

    def _tell(self, depth: int, spans: list[Span], markers: list[Place]) -> None:
        """Tells the view below where placeholders stand and spans end."""
        view, below = self._views[depth], self._views[depth + 1]
        lens = below.lens
        assert lens is not None
        below.ends |= {lens.shown(end) for end in view.ends}
        # What was seen beyond this view's decided part last time may read differently now.
        seen = lens.shown(view.decided)
        walls = [wall for wall in below.walls if wall[1] <= seen]
        walls += [
            (lens.shown(view.dropped + low), lens.shown(view.dropped + high))
            for low, high in markers
        ]
        below.walls = [wall for wall in walls if wall[1] > below.decided]
        below.ends |= {lens.shown(view.dropped + span.end) for span in spans}

    def _lenses(self, depth: int) -> list[Lens]:
        return [view.lens for view in self._views[depth:0:-1] if view.lens is not None]

    def _close(self) -> None:
        """Views that read the same as the one above them from here on are looked at no more."""
        while len(self._views) > 1:
            view, above = self._views[-1], self._views[-2]
            lens = view.lens
            assert lens is not None
            if (
                lens.is_waiting
                or view.glued != above.glued
                or lens.last_token >= above.decided
                or lens.end(view.decided) != above.decided
                or any(high > view.decided for _, high in view.walls)
            ):
                break
            self._views.pop()
        place = self._settled
        for view in self._views[1:]:
            assert view.lens is not None
            place = view.lens.shown(place)
            view.lens.forget(place)


def _opened(above: _View, layer: Layer) -> _View:
    """The next view, from where `above` is decided: before, both read the same."""
    lens = Lens(layer, above.decided)
    view = _View(lens, above.text[: above.start], above.start, above.dropped)
    view.glued = above.glued
    view.walls = list(above.walls)
    view.text += lens.feed(above.text[above.start :])
    return view


def nothing_more(text: str, start: int) -> Iterable[Candidate]:
    """What else is found in a view that is not the deepest."""
    return ()


def still_encoded(text: str, start: int) -> Iterator[Candidate]:
    """What in the deepest view is encoded still: nobody looks at it any more, so it is masked."""
    for match in _STILL_ENCODED.finditer(text, start):
        low, high = match.span()
        yield Candidate(low, high, low, high, False, "value", "still-encoded")


ALONE: Final = Around((), (), sys.maxsize, nothing_more)
"""Around a text that is no view of another."""


def spans(scanner: Scanner, text: str, end: End) -> list[Span]:
    """What must be replaced in all of `text`, in any of its views."""
    reading = Reading(scanner)
    reading.feed(text)
    return reading.decide(end)[0]
