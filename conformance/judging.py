"""Events judged as they come, by every watch there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from turnreel.lifecycle.events import TERMINALS, AnyEvent
from turnreel.lifecycle.notices import Entry

from .checkers import session_watches, watches
from .moments import moments
from .watching import Faults, Native, Violation, Watch

Hook = Literal["every", "told", "ended", "later", "whole"]


class Judge:
    """Judges the events of one session in the order they come.

    `native` is the native side, where it is known. A judge can be copied at any place; both go on
    by themselves. Never raises, whatever the events are.
    """

    def __init__(self, native: Native | None = None) -> None:
        self._native = native
        self._runs: dict[str, _Run] = {}
        self._shared: dict[str, _Run] = {}  # of the judge this one was copied from: read only

    def see(self, event: AnyEvent) -> list[Violation]:
        """What is wrong with `event` where it stands."""
        run = self._runs.get(event.run_id)
        if run is None:
            shared = self._shared.get(event.run_id)
            if shared is None:
                run = _Run(self._native, frozenset((*self._shared, *self._runs)))
            else:
                run = shared.copy()
            self._runs[event.run_id] = run
        return list(run.see(event))

    def copy(self) -> Judge:
        """A judge that goes on from here. This one may go on too: what they share is copied by
        whoever first sees more of a run.
        """
        other = Judge(self._native)
        other._shared = {**self._shared, **self._runs}
        self._shared, self._runs = other._shared, {}
        return other


class _Run:
    """The watches over one run."""

    __slots__ = ("_ended", "_watches")

    def __init__(self, native: Native | None, earlier: frozenset[str]) -> None:
        self._ended = False
        self._watches = [
            watch(native, earlier)
            for watch in watches()
            if native is not None or watch.reads != "native"
        ]

    def see(self, event: AnyEvent) -> Iterator[Violation]:
        hook: Hook = "told"
        if self._ended:
            hook = "later"
        elif isinstance(event, TERMINALS):
            self._ended = True
            hook = "ended"
        for watch in self._watches:
            hooks = _overridden(type(watch))
            if "every" in hooks:
                yield from _violations(watch, event, watch.every(event))
            if hook in hooks:
                yield from _violations(watch, event, getattr(watch, hook)(event))

    def copy(self) -> _Run:
        other = _Run.__new__(_Run)
        other._ended = self._ended
        other._watches = [watch.copy() for watch in self._watches]
        return other


_HOOKS: Final[dict[type[Watch], frozenset[str]]] = {}


def _overridden(watch: type[Watch]) -> frozenset[str]:
    """The hooks a watch has: the others need not be called."""
    hooks = _HOOKS.get(watch)
    if hooks is None:
        names = ("every", "told", "ended", "later", "whole")
        own = (name for name in names if getattr(watch, name) is not getattr(Watch, name))
        hooks = _HOOKS[watch] = frozenset(own)
    return hooks


def _violations(watch: Watch, event: AnyEvent, faults: Faults) -> Iterator[Violation]:
    for fault in faults:
        yield Violation(
            clause=watch.clause,
            run_id=event.run_id,
            message=fault,
            seq=event.seq,
            evidence=event.evidence,
        )


def judged(events: Iterable[AnyEvent], native: Native | None = None) -> list[Violation]:
    """All that is wrong with a whole session."""
    judge = Judge(native)
    kept: dict[str, list[AnyEvent]] = {}
    found: list[Violation] = []
    for event in events:
        kept.setdefault(event.run_id, []).append(event)
        found += judge.see(event)
    for run in kept.values():
        found += _of_the_whole(run, native)
    return found


def judged_journal(entries: Iterable[Entry]) -> list[Violation]:
    """All that is wrong with a session's journal, beside what is wrong with its events."""
    found: list[Violation] = []
    told = [watch() for watch in session_watches()]
    for moment in moments(entries):
        for watch in told:
            for fault in watch.see(moment):
                message = f"entry {moment.number}: {fault}"
                found.append(Violation(clause=watch.clause, run_id="", message=message, seq=0))
    return found


def _of_the_whole(run: Sequence[AnyEvent], native: Native | None) -> Iterator[Violation]:
    for kind in watches():
        if "whole" in _overridden(kind):
            watch = kind(native, frozenset())
            yield from _violations(watch, run[-1], watch.whole(run))
