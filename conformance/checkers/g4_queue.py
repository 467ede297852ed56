"""G4: a queued message goes first at the next step boundary."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.moments import Moment, SessionWatch
from turnreel.conformance.voices import ENDS, Voices
from turnreel.lifecycle.events import TERMINALS, InputRequested, InputResolved
from turnreel.lifecycle.notices import Opened, Resumed, Said, Stepped

SPEAKS = ("start", "resume", "steer")


class SessionChecker(SessionWatch):
    """What waits is said at the boundary, before any command; one voice at a time."""

    clause = "G4"
    sentence = (
        "A queued message is said at the next step boundary and goes before a command; "
        "a guided session hands back after one action; there is one voice."
    )

    def begin(self) -> None:
        self.voices = Voices()
        self.queue: list[str] = []
        self.guided = True
        self.acted = False

    def see(self, moment: Moment) -> Iterator[str]:
        if moment.before in ENDS:
            return
        waiting = list(self.queue)
        self._follow(moment)
        if self._is_boundary(moment) and waiting and self.queue:
            yield "a message that waited was not said at the step boundary"
        if waiting and {"approve", "park"} & set(moment.done):
            yield "a command was decided on before a message that waited"
        yield from self._one_voice(moment)
        yield from self._handed_back(moment, waiting)

    def _follow(self, moment: Moment) -> None:
        self.open = self.voices.open_before(moment.fact)
        for action in moment.actions:
            if action.kind == "queue":
                self.queue += action.messages
            elif action.kind in SPEAKS:
                self.queue = [one for one in self.queue if one not in action.messages]

    def _is_boundary(self, moment: Moment) -> bool:
        match moment.fact:
            case Stepped(run_id=run):
                return run in self.open
            case InputRequested(blocking=blocking):
                return blocking
            case fact:
                return isinstance(fact, TERMINALS) and fact.run_id in self.open

    def _one_voice(self, moment: Moment) -> Iterator[str]:
        if self.voices.open and {"start", "resume"} & set(moment.done):
            yield "a second run was begun while one is open"

    def _handed_back(self, moment: Moment, waiting: list[str]) -> Iterator[str]:
        match moment.fact:
            case Opened(mode=mode):
                self.guided = mode == "guided"
            case Said() | Resumed():
                self.acted = False
            case InputResolved(kind="approval", resolution="approved"):
                self.acted = True
            case InputRequested(blocking=True) if self.guided and not waiting:
                if self.acted and "park" not in moment.done:
                    yield "a second command after one that was approved was not handed back"
                if "approve" in moment.done:
                    yield "a guided session approved a command by itself"
            case _:
                pass
        if any(action.messages for action in moment.actions if action.kind in SPEAKS):
            self.acted = False
