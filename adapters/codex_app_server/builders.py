"""Whole native frames as the app-server prints them, for scripts, faults and tests.

A `Server` is one thread of one process: its frames get the thread's and the turn's ids and a clock
that counts them, so that the same calls give the same frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from turnreel.adapters.steps import Question
from turnreel.wire.units import Json

from .templates import EPOCH_MS, FOLDER, THREAD, THREAD_FIELDS, TOKENS, TOOL_FIELDS

Line = dict[str, Json]


ELSEWHERE: Final = f"{2:08d}{THREAD[8:]}"
"""Another thread of the same connection."""

DISCONNECTED: Final[Line] = {"responseStreamDisconnected": {"httpStatusCode": None}}
"""``codexErrorInfo`` of an answer that broke off."""


class Server:
    """Builds the frames of one thread, in the order they are printed. `root` is the turn that the
    turns of a child agent's thread are rooted in.
    """

    def __init__(self, thread: str = THREAD, root: str = "") -> None:
        self.thread = thread
        self.root = root
        self.turn = ""
        self._turns = 0
        self._clock = EPOCH_MS

    def next_turn(self) -> str:
        """The id of the thread's next turn, which is its present one from here on."""
        self._turns += 1
        self.turn = f"{self._turns:08d}{self.thread[8:]}"
        return self.turn

    def accepted(self, request: int | str) -> Line:
        """The response to a host's ``turn/start``."""
        return {"id": request, "result": {"turn": self._shell("inProgress")}}

    def steered(self, request: int | str) -> Line:
        """The response to a host's ``turn/steer``."""
        return {"id": request, "result": {"turnId": self.turn}}

    def refused(self, request: int | str) -> Line:
        """An error response."""
        return {"id": request, "error": {"code": -32600, "message": "scripted"}}

    def reopened(self, request: int | str, answer: str) -> Line:
        """The response to a host's ``thread/resume``, with its last turn (R6)."""
        said = self._timed(message("msg_before", answer, "final_answer"), done=True)
        turn: Line = {**self._shell("completed"), **self._times(ended=True), "items": [said]}
        thread: Line = {
            "id": self.thread,
            **THREAD_FIELDS,
            "turns": [{**turn, "itemsView": "full"}],
        }
        return {"id": request, "result": {"thread": thread}}

    def spawned(self, parent: str) -> Line:
        """This thread was spawned by another."""
        thread: Line = {**THREAD_FIELDS, "id": self.thread, "parentThreadId": parent, "turns": []}
        self._clock += 1
        told: Line = {"thread": thread}
        return {"method": "thread/started", "params": told, "emittedAtMs": self._clock}

    def begun(self) -> Line:
        """``turn/started``."""
        return self._told("turn/started", {"turn": self._shell("inProgress")})

    def ended(self, status: str, named: Line | None = None, error: Line | None = None) -> Line:
        """``turn/completed``, with a summary that names a message or none."""
        turn: Line = {**self._shell(status), "error": error, **self._times(ended=True)}
        if named is not None:
            turn |= {"items": [self._timed(named, done=True)], "itemsView": "summary"}
        return self._told("turn/completed", {"turn": turn})

    def started(self, item: Line) -> Line:
        """``item/started``."""
        moved: Line = {"item": self._timed(item, done=False), "startedAtMs": self._clock}
        return self._within("item/started", moved)

    def completed(self, item: Line) -> Line:
        """``item/completed``."""
        moved: Line = {"item": self._timed(item, done=True), "contentTokenCount": None}
        return self._within("item/completed", {**moved, "completedAtMs": self._clock})

    def delta(self, item: str, piece: str) -> Line:
        """A piece of a text."""
        return self._within("item/agentMessage/delta", {"itemId": item, "delta": piece})

    def usage(self) -> Line:
        """The provider's response was complete."""
        usage: Line = {"total": dict(TOKENS), "last": dict(TOKENS), "modelContextWindow": 258400}
        return self._within("thread/tokenUsage/updated", {"tokenUsage": usage})

    def status(self, kind: str, *flags: str) -> Line:
        """``thread/status/changed``."""
        told: Line = {"type": kind}
        if kind == "active":
            told["activeFlags"] = list[Json](flags)
        return self._told("thread/status/changed", {"status": told})

    def error(self, error: Line, *, retries: bool) -> Line:
        """``error``, with ``willRetry``."""
        return self._within("error", {"error": error, "willRetry": retries})

    def plan(self, steps: Mapping[str, str]) -> Line:
        """``turn/plan/updated``: steps and their status."""
        told: list[Json] = [{"step": step, "status": status} for step, status in steps.items()]
        return self._within("turn/plan/updated", {"plan": told, "explanation": None})

    def asks(self, request: int | str, method: str, params: Line) -> Line:
        """A request to the host."""
        own: Line = {"threadId": self.thread, "turnId": self.turn}
        return {"method": method, "id": request, "params": {**own, **params}}

    def asks_to_run(self, request: int | str, item: str, command: str) -> Line:
        """An approval of a command."""
        action: Line = {"type": "unknown", "command": command}
        told: Line = {
            "kind": "command",
            "itemId": item,
            "startedAtMs": self._clock,
            "environmentId": "local",
            "reason": None,
            "command": f"/bin/bash -lc '{command}'",
            "cwd": FOLDER,
            "commandActions": [action],
            "proposedExecpolicyAmendment": list[Json](command.split()),
            "availableDecisions": ["accept", "decline", "cancel"],
        }
        return self.asks(request, "item/commandExecution/requestApproval", told)

    def asks_to_change(self, request: int | str, item: str) -> Line:
        """An approval of a change of files: what it changes stands in the item."""
        told: Line = {"itemId": item, "startedAtMs": self._clock}
        return self.asks(
            request,
            "item/fileChange/requestApproval",
            {**told, "reason": None, "grantRoot": None},
        )

    def questions(self, request: int | str, question: Question) -> Line:
        """The person is asked for a detail."""
        options: list[Json] = [{"label": one, "description": ""} for one in question.options]
        asked: Line = {"id": question.tool, "header": "", "question": question.text}
        told: Line = {"itemId": question.tool, "questions": [{**asked, "options": options}]}
        return self.asks(request, "item/tool/requestUserInput", told)

    def fails_elsewhere(self, error: Line) -> Line:
        """``error`` of another thread, for good."""
        told: Line = {"threadId": ELSEWHERE, "turnId": f"{1:08d}{ELSEWHERE[8:]}"}
        return self._told("error", {**told, "error": error, "willRetry": False})

    def resolved(self, request: int | str) -> Line:
        """``serverRequest/resolved``."""
        return self._told("serverRequest/resolved", {"requestId": request})

    def warning(self, sentence: str) -> Line:
        """``warning``."""
        return self._told("warning", {"message": sentence})

    def _shell(self, status: str) -> Line:
        return {
            "id": self.turn,
            "rootTurnId": self.root or self.turn,
            "items": [],
            "itemsView": "notLoaded",
            "status": status,
            "error": None,
            **self._times(ended=False),
        }

    def _times(self, *, ended: bool) -> Line:
        at = self._clock // 1000
        return {
            "startedAt": at,
            "completedAt": at if ended else None,
            "durationMs": 1 if ended else None,
        }

    def _timed(self, item: Line, *, done: bool) -> Line:
        at = self._clock
        return {**item, "startedAtMs": at, "completedAtMs": at if done else None}

    def _within(self, method: str, params: Line) -> Line:
        return self._told(method, {"turnId": self.turn, **params})

    def _told(self, method: str, params: Line) -> Line:
        self._clock += 1
        return {
            "method": method,
            "params": {"threadId": self.thread, **params},
            "emittedAtMs": self._clock,
        }


def nth_thread(number: int) -> str:
    """The `number`-th thread of a process; a child agent's is the second or a later one. The ids
    of its turns end as it does.
    """
    return f"{THREAD[:-3]}{number:03d}"


def message(item: str, text: str, phase: str | None, **fields: Json) -> Line:
    """An ``agentMessage``."""
    shell: Line = {"type": "agentMessage", "moderation": None, "id": item, "text": text}
    rest: Line = {"phase": phase, "memoryCitation": None, "delivery": None, "questions": None}
    return {**shell, **rest, **fields}


def prompt(item: str, text: str) -> Line:
    """A ``userMessage``."""
    content: list[Json] = [{"type": "text", "text": text, "text_elements": []}]
    return {"type": "userMessage", "id": item, "clientId": None, "content": content}


def reasoning(item: str, summary: str) -> Line:
    """A ``reasoning``."""
    return {"type": "reasoning", "id": item, "summary": [summary], "content": []}


def tool(item: str, kind: str, status: str, **fields: Json) -> Line:
    """An item that is an activity."""
    return {"type": kind, "id": item, **TOOL_FIELDS.get(kind, {}), "status": status, **fields}


def search(item: str, query: str) -> Line:
    """A ``webSearch``: it has no status."""
    action: Line = {"type": "search", "query": query, "queries": [query]}
    return {"type": "webSearch", "id": item, "query": query, "action": action}


def image(item: str, path: str) -> Line:
    """An ``imageView``: it has no status."""
    return {"type": "imageView", "id": item, "path": path}


def proposal(item: str, text: str) -> Line:
    """A ``plan``, proposed in plan mode."""
    return {"type": "plan", "id": item, "text": text}


def review(item: str, text: str, *, over: bool) -> Line:
    """``enteredReviewMode`` with what is reviewed, or ``exitedReviewMode`` with what was found."""
    kind = "exitedReviewMode" if over else "enteredReviewMode"
    return {"type": kind, "id": item, "review": text}


def words(info: Json, sentence: str = "scripted", details: str | None = None) -> Line:
    """An ``error`` object."""
    told: Line = {"message": sentence, "codexErrorInfo": info}
    return {**told, "additionalDetails": details, "misalignment": None}
