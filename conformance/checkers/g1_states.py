"""G1: five states and three ends."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.moments import Moment, SessionWatch
from turnreel.conformance.voices import ENDS

STATES = {"idle", "working", "awaiting_command", "awaiting_operator", "stopped"} | ENDS


class SessionChecker(SessionWatch):
    """No other state, and none after an end."""

    clause = "G1"
    sentence = "A session stands in one of five states or three ends, and leaves no end."

    def see(self, moment: Moment) -> Iterator[str]:
        if moment.after not in STATES:
            yield f"stands in {moment.after!r}, which is no state"
        if moment.before in ENDS and moment.after != moment.before:
            yield f"went from {moment.before}, an end, to {moment.after}"
