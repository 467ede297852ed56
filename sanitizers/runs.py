"""Where opaque runs stand in a text, and what of base64 hides something (see `opaque`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .base64_runs import BASE64, hidden
from .base64_runs import LEAST as LEAST_ENCODED
from .lenses import TOKEN
from .matches import Span
from .opaque import RUN, beside, is_dense, within
from .placeholders import ID_PREFIX, UUID
from .places import Place, gaps, joined


class Runs:
    """Finds what must be replaced in runs. `is_public` knows names that are none, `find` what must
    be replaced in a whole text.
    """

    __slots__ = ("_find", "_is_public")

    def __init__(self, is_public: Callable[[str], bool], find: Callable[[str], list[Span]]) -> None:
        self._is_public = is_public
        self._find = find

    def beside(self, text: str, start: int, limit: int, others: list[Place]) -> list[Span]:
        """The spans in `text[start:limit]` beside `others`, which are replaced already."""
        found: list[Span] = []
        taken = sorted(others)
        ends = {end for _, end in taken}
        for run in RUN.finditer(text, start, limit):
            if run.end() - run.start() < LEAST_ENCODED and not is_dense(run[0]):
                continue
            if self._is_public(run[0]):
                continue
            for low, high in gaps(_run_start(text, run.start()), run.end(), taken):
                encoded = list(self._encoded(text, low, high))
                found += encoded
                ends |= {span.end for span in encoded}
                opaque = [
                    Span(start + first, start + last, "key", "opaque")
                    for start, until in gaps(low, high, [(one.start, one.end) for one in encoded])
                    for first, last in within(text[start:until])
                ]
                for span in opaque:
                    if span.start not in ends and _is_id(text[span.start : span.end]):
                        span = span._replace(kind="id")
                    found.append(span)
                    ends.add(span.end)
        return found + _beside(text, found, taken)

    def _encoded(self, text: str, start: int, end: int) -> Iterator[Span]:
        """What of a run is base64 that hides something."""
        if end - start >= LEAST_ENCODED:
            for run in BASE64.finditer(text, start, end):
                value = hidden(run[0], self._find)
                if value is not None:
                    yield Span(*run.span(), "key", "base64", value)


def _beside(text: str, found: list[Span], taken: list[Place]) -> list[Span]:
    """What stands beside opaque runs, behind and before dots, and is taken by nothing else."""
    places = {
        place for one in found if one.rule == "opaque" for place in beside(text, *one[:2])
    }  # fmt: skip
    if not places:
        return []
    taken = joined([*taken, *(one[:2] for one in found)])
    free = (place for place in sorted(places) if list(gaps(*place, taken)) == [place])
    return [Span(*place, "key", "opaque") for place in free]


def _run_start(text: str, start: int) -> int:
    """Where a run begins that may stand right behind the sign of an escape: its letters are none
    of the run's.
    """
    if start == 0 or text[start - 1] not in "\\%":
        return start
    backslashes = start - len(text[:start].rstrip("\\"))
    if text[start - 1] == "\\" and backslashes % 2 == 0:
        return start
    token = TOKEN.match(text, start - 1)
    return token.end() if token else start


def _is_id(value: str) -> bool:
    """Whether a run keeps its form when it is replaced, as it does where the policy knows it.
    Behind another placeholder it does not: its digits would read as that one's.
    """
    return bool(ID_PREFIX.match(value) or UUID.fullmatch(value))
