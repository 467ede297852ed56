"""R9: a terminal ends the run that it names."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.observations import Ended, Receipted, Refused

_ENDS = (Ended, Refused, Receipted)


class Checker(Watch):
    """A terminal ends the run that it names."""

    clause = "R9"
    sentence = "What ends a run is a native end of this very run, not of one that overlaps it."
    reads = "native"

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        native = self.native
        turns = native.turns.get(terminal.run_id) if native is not None else None
        if native is None or not turns:
            return
        ends = [one for one in native.observed_at(terminal) if isinstance(one, _ENDS)]
        if ends and not any(not one.turn or one.turn in turns for one in ends):
            yield "the end of another run ended this one"
