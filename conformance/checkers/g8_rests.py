"""G8: how a run ended says where its session rests."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.moments import Moment, SessionWatch
from turnreel.conformance.voices import Voices, rests_wrong
from turnreel.lifecycle.events import Cancelled, Failed, NeedsInput
from turnreel.lifecycle.notices import Lost


class SessionChecker(SessionWatch):
    """A failed turn does not end a session; a cancelled one stops it."""

    clause = "G8"
    sentence = (
        "A session rests with the person after a failure or a question, is stopped by a cancelled "
        "run, and is in error only where the host lost the agent."
    )

    def begin(self) -> None:
        self.voices = Voices()

    def see(self, moment: Moment) -> Iterator[str]:
        if moment.after == "error" != moment.before and not isinstance(moment.fact, Lost):
            yield "in error, and the host lost nothing"
        silent = self.voices.falls_silent(moment.fact)
        match moment.fact:
            case NeedsInput() | Failed() if silent:
                yield from rests_wrong(moment, "awaiting_operator")
            case Cancelled() if silent:
                yield from rests_wrong(moment, "stopped")
            case _:
                pass
