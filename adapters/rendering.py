"""A scripted turn on its way into frames of an agent: the one `match` over the steps, whatever the
dialect.

A dialect says how it tells each step. What it has no frame for it raises `Unsayable` for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Final, Generic, Literal, TypeVar, assert_never

from turnreel.lifecycle.events import ActivityKind

from .steps import (
    Again,
    Answer,
    Ask,
    Beside,
    Block,
    Break,
    Call,
    End,
    Fail,
    Foreign,
    Handover,
    Interrupt,
    Plan,
    Question,
    Reject,
    Reply,
    Report,
    Resume,
    Return,
    Script,
    Spawn,
    Steer,
    Step,
    Tell,
    Unsayable,
    Verdict,
    Wake,
    Withdraw,
    calls,
    named,
)

Outcome = Literal["ok", "failed", "declined", "unanswered"]
W = TypeVar("W")

CONTEXT: Final = "Another agent answered:\n{}\n\n{}"
"""How a host shows what another agent said, before what the person asks."""


class Rendering(ABC, Generic[W]):
    """One rendering of one script, as frames of type `W`. `kinds` is the dialect's table of tools;
    `prompt` what the person asks.
    """

    def __init__(self, script: Script, kinds: Mapping[str, ActivityKind], prompt: str) -> None:
        self.script = named(script, kinds)
        self.calls = calls(self.script)
        self.prompt = prompt
        self.running: list[str] = []
        """Tools that were called and have not returned."""
        self._denied: set[str] = set()
        self._waiting: set[str] = set()

    def frames(self) -> Iterator[W | Beside]:
        """All frames of the turn, in order, and where what is no frame stands between them."""
        match self.script[:1]:
            case (Resume(answer),):
                yield from self.resumes(answer)
                yield from self.begins()
            case (Handover(answer),):
                self.prompt = CONTEXT.format(answer, self.prompt)
                yield from self.begins_after_another()
            case _:
                yield from self.begins()
        for step in self.script:
            yield from self.step(step)

    def step(self, step: Step) -> Iterator[W | Beside]:
        """The frames of one step."""
        match step:
            case Answer(blocks, stop):
                self.running += [one.tool for one in blocks if isinstance(one, Call)]
                yield from self.answers(blocks, stop)
            case Break(partial, blocks):
                yield from self.breaks(blocks, partial)
            case Reject(status):
                yield from self.rejected(status)
            case Fail(status):
                yield from self.gives_up(status)
            case Return(tool, text, outcome):
                told: Outcome = "declined" if tool in self._denied else outcome
                if tool in self._waiting:
                    told = "unanswered"
                self.running.remove(tool)
                yield from self.returns(self.calls[tool], text, told)
            case Ask() | Reply() | Withdraw():
                yield from self._gate(step)
            case Question():
                yield from self.questions(step)
            case Plan():
                yield from self.plans(step)
            case Foreign(status):
                yield from self.fails_elsewhere(status)
            case Steer(text):
                yield from self.steers(text)
            case Spawn(tool):
                yield from self.spawns(self.calls[tool])
            case Report():
                yield from self.reports(self.calls[step.tool], step)
            case Wake(tool):
                yield from self.wakes(self.calls[tool])
            case Tell() | Again():
                yield step
            case Interrupt(partial):
                yield from self.cancels(partial)
            case End():
                yield from self.ends()
            case Resume() | Handover():
                pass
            case other:
                assert_never(other)

    def _gate(self, step: Ask | Reply | Withdraw) -> Iterator[W]:
        """What comes of a tool that waits for the person is known when it returns."""
        match step:
            case Ask(tool, verdict):
                self._waiting.add(tool)
                yield from self.asks(self.calls[tool])
                if verdict is not None:
                    yield from self._gate(Reply(tool, verdict))
            case Reply(tool, verdict):
                self._waiting.discard(tool)
                if verdict == "deny":
                    self._denied.add(tool)
                yield from self.replies(self.calls[tool], verdict)
            case Withdraw(tool):
                self._waiting.discard(tool)
                yield from self.withdraws(self.calls[tool])

    def resumes(self, answer: str) -> Iterator[W]:
        """The session goes on, and its former turn was answered with `answer`. Most dialects tell
        nothing of it.
        """
        yield from ()

    @abstractmethod
    def begins(self) -> Iterator[W]:
        """The person asks, and the turn begins."""

    def begins_after_another(self) -> Iterator[W]:
        """As `begins`, and what another agent said stands in the prompt."""
        yield from self.begins()

    @abstractmethod
    def answers(self, blocks: tuple[Block, ...], stop: str) -> Iterator[W]:
        """The model answers with one whole message."""

    @abstractmethod
    def breaks(self, blocks: tuple[Block, ...], partial: str) -> Iterator[W]:
        """The answer breaks off after whole `blocks`, in the text `partial`, and is asked again."""

    @abstractmethod
    def rejected(self, status: int) -> Iterator[W]:
        """A request is rejected, and sent again."""

    @abstractmethod
    def gives_up(self, status: int) -> Iterator[W]:
        """A request is rejected for good, and the turn fails."""

    @abstractmethod
    def returns(self, call: Call, text: str, outcome: Outcome) -> Iterator[W]:
        """A tool returns."""

    def asks(self, call: Call) -> Iterator[W]:
        """The person is asked before a tool runs."""
        raise Unsayable("this dialect cannot ask a person")

    def replies(self, call: Call, verdict: Verdict) -> Iterator[W]:
        """The person answers what was asked last."""
        raise Unsayable("this dialect cannot ask a person")

    def withdraws(self, call: Call) -> Iterator[W]:
        """What was asked last is taken back."""
        raise Unsayable("this dialect cannot take back what it asked")

    def questions(self, question: Question) -> Iterator[W]:
        """The person is asked for a detail, and gives it."""
        raise Unsayable("this dialect cannot ask a person for details")

    def plans(self, plan: Plan) -> Iterator[W]:
        """The agent says its plan."""
        raise Unsayable("this dialect tells no plans")

    def fails_elsewhere(self, status: int) -> Iterator[W]:
        """Another thread of the connection fails."""
        raise Unsayable("a stream of this dialect has one thread")

    def steers(self, text: str) -> Iterator[W]:
        """The person writes into the turn that runs."""
        raise Unsayable("nobody can write into a turn of this dialect")

    def spawns(self, call: Call) -> Iterator[W]:
        """A child agent begins to work. Most dialects tell of the tool call alone."""
        yield from ()

    def reports(self, call: Call, report: Report) -> Iterator[W]:
        """A child agent ends. Most dialects tell of the tool call alone."""
        yield from ()

    def wakes(self, call: Call) -> Iterator[W]:
        """The agent begins a turn by itself, as what a call left at work reported back."""
        raise Unsayable("a stream of this dialect ends with its turn")

    def cancels(self, partial: str) -> Iterator[W]:
        """The person cancels in the text `partial`, and the turn ends."""
        raise Unsayable("this dialect cannot be told to stop")

    @abstractmethod
    def ends(self) -> Iterator[W]:
        """The turn ends as the steps before it imply."""
