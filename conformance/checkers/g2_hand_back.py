"""G2: every hand-back is an ordinary message."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.moments import Moment, SessionWatch
from turnreel.conformance.voices import Voices, rests_wrong
from turnreel.lifecycle.events import Final


class SessionChecker(SessionWatch):
    """An answer hands back to the person, whatever it says."""

    clause = "G2"
    sentence = "A session whose last run gave its answer waits for the person."

    def begin(self) -> None:
        self.voices = Voices()

    def see(self, moment: Moment) -> Iterator[str]:
        silent = self.voices.falls_silent(moment.fact)
        if silent and isinstance(moment.fact, Final):
            yield from rests_wrong(moment, "awaiting_operator")
