"""G3: one rule routes a person's message."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.moments import Moment, SessionWatch
from turnreel.lifecycle.notices import Resumed, Said

DUE = {
    "idle": ["start"],
    "awaiting_operator": ["resume"],
    "stopped": ["resume"],
    "awaiting_command": ["withdraw", "steer"],
    "working": ["queue"],
}


class SessionChecker(SessionWatch):
    """Where a message goes follows from where the session stands, and from nothing else."""

    clause = "G3"
    sentence = (
        "A message starts an idle session, resumes a resting one, steers past a command that "
        "waits, queues while it works, and does nothing after an end."
    )

    def see(self, moment: Moment) -> Iterator[str]:
        match moment.fact:
            case Said(message_id=message):
                yield from self._routed(moment, message, DUE.get(moment.before, []))
            case Resumed() if "withdraw" in moment.done:
                yield "a resume without a message withdrew the pending command"
            case None if moment.actions:
                yield f"{' and '.join(moment.done)}, and nothing had happened"
            case _:
                pass

    def _routed(self, moment: Moment, message: str, due: list[str]) -> Iterator[str]:
        done = [*dict.fromkeys(moment.done)]
        if done != due:
            told = " and ".join(done) or "nothing"
            yield f"{moment.before}: {told} instead of {' and '.join(due) or 'nothing'}"
        elif due and message not in moment.actions[-1].messages:
            yield f"{due[-1]} without the message that was said"
