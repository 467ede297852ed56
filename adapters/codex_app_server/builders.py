"""Whole native frames as the app-server prints them, for scripts, faults and tests.

A `Server` is one thread of one process: its frames get the thread's and the turn's ids and a clock
that counts them, so that the same calls give the same frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from turnreel.wire.units import Json

Line = dict[str, Json]

VERSION: Final = "0.171.0"
THREAD: Final = "01a20000-0000-7000-8000-000000000001"
EPOCH_MS: Final = 1_796_000_000_000
"""When a `Server`'s first frame is emitted."""

DISCONNECTED: Final[Line] = {"responseStreamDisconnected": {"httpStatusCode": None}}
"""``codexErrorInfo`` of an answer that broke off."""


class Server:
    """Builds the frames of one thread, in the order they are printed."""

    def __init__(self, thread: str = THREAD) -> None:
        self.thread = thread
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

    def refused(self, request: int | str) -> Line:
        """An error response."""
        return {"id": request, "error": {"code": -32600, "message": "scripted"}}

    def reopened(self, request: int | str, answer: str) -> Line:
        """The response to a host's ``thread/resume``, with its last turn (R6)."""
        said = message("msg_before", answer, "final_answer")
        turn: Line = {**self._shell("completed"), "items": [said], "itemsView": "full"}
        return {"id": request, "result": {"thread": {"id": self.thread, "turns": [turn]}}}

    def spawned(self, parent: str) -> Line:
        """This thread was spawned by another."""
        thread: Line = {"id": self.thread, "parentThreadId": parent}
        self._clock += 1
        return {"method": "thread/started", "params": {"thread": thread}}

    def begun(self) -> Line:
        """``turn/started``."""
        return self._told("turn/started", {"turn": self._shell("inProgress")})

    def ended(self, status: str, named: Line | None = None, error: Line | None = None) -> Line:
        """``turn/completed``, with a summary that names a message or none."""
        turn: Line = {**self._shell(status), "error": error}
        if named is not None:
            turn |= {"items": [named], "itemsView": "summary"}
        return self._told("turn/completed", {"turn": turn})

    def started(self, item: Line) -> Line:
        """``item/started``."""
        return self._within("item/started", {"item": item})

    def completed(self, item: Line) -> Line:
        """``item/completed``."""
        return self._within("item/completed", {"item": item})

    def delta(self, item: str, piece: str) -> Line:
        """A piece of a text."""
        return self._within("item/agentMessage/delta", {"itemId": item, "delta": piece})

    def usage(self) -> Line:
        """The provider's response was complete."""
        return self._within("thread/tokenUsage/updated", {"tokenUsage": {"last": {}}})

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
        return self.asks(
            request,
            "item/commandExecution/requestApproval",
            {"itemId": item, "command": f"/bin/bash -lc '{command}'", "commandActions": [action]},
        )

    def resolved(self, request: int | str) -> Line:
        """``serverRequest/resolved``."""
        return self._told("serverRequest/resolved", {"requestId": request})

    def warning(self, sentence: str) -> Line:
        """``warning``."""
        return self._told("warning", {"message": sentence})

    def _shell(self, status: str) -> Line:
        return {"id": self.turn, "items": [], "itemsView": "notLoaded", "status": status}

    def _within(self, method: str, params: Line) -> Line:
        return self._told(method, {"turnId": self.turn, **params})

    def _told(self, method: str, params: Line) -> Line:
        self._clock += 1
        return {
            "method": method,
            "params": {"threadId": self.thread, **params},
            "emittedAtMs": self._clock,
        }


def message(item: str, text: str, phase: str | None, **fields: Json) -> Line:
    """An ``agentMessage``."""
    shell: Line = {"type": "agentMessage", "id": item, "text": text, "phase": phase}
    return {**shell, "delivery": None, "questions": None, **fields}


def reasoning(item: str, summary: str) -> Line:
    """A ``reasoning``."""
    return {"type": "reasoning", "id": item, "summary": [summary], "content": []}


def tool(item: str, kind: str, status: str, **fields: Json) -> Line:
    """An item that is an activity."""
    return {"type": kind, "id": item, "status": status, **fields}


def words(info: Json, sentence: str = "scripted", details: str | None = None) -> Line:
    """An ``error`` object."""
    return {"message": sentence, "codexErrorInfo": info, "additionalDetails": details}
