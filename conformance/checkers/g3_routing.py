"""G3: one rule routes a person's message."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.moments import Moment, SessionWatch
from turnreel.lifecycle.events import InputResolved, RunStarted
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
        "waits, queues while it works, and does nothing after an end; a resume without a message "
        "keeps the command that waits."
    )

    def begin(self) -> None:
        self.parked: str | None = None

    def see(self, moment: Moment) -> Iterator[str]:
        match moment.fact:
            case Said(message_id=message):
                yield from self._routed(moment, message, DUE.get(moment.before, []))
            case Resumed():
                yield from self._kept(moment)
            case InputResolved(request_id=command, resolution="parked"):
                self.parked = command
            case RunStarted(request_id=command) if command == self.parked:
                self.parked = None
            case None if moment.actions:
                yield f"{' and '.join(moment.done)}, and nothing had happened"
            case _:
                pass
        if any(action.messages for action in moment.actions if action.kind != "queue"):
            self.parked = None

    def _kept(self, moment: Moment) -> Iterator[str]:
        asked = {action.request_id for action in moment.actions}
        aside = moment.before == "awaiting_command" != moment.after
        rests = DUE.get(moment.before) == ["resume"]
        if "withdraw" in moment.done or aside:
            yield "a resume without a message set the pending command aside"
        elif rests and self.parked is not None and self.parked not in asked:
            yield "a resume without a message did not ask the parked command again"
        elif self.parked in asked:
            self.parked = None

    def _routed(self, moment: Moment, message: str, due: list[str]) -> Iterator[str]:
        done = [*dict.fromkeys(moment.done)]
        if done != due:
            told = " and ".join(done) or "nothing"
            yield f"{moment.before}: {told} instead of {' and '.join(due) or 'nothing'}"
        elif due and message not in moment.actions[-1].messages:
            yield f"{due[-1]} without the message that was said"
