"""The way back: what a host writes to the app-server, as whole frames.

Each gives one JSON object to be written as one line. `request` is the JSON-RPC id: of the agent's
request where it is answered, of the host's own choice where the host asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnreel.wire.units import Json

Line = dict[str, Json]
Id = int | str


def initialize(request: Id, name: str, version: str) -> Line:
    """The handshake; `initialized` follows its response."""
    client: Line = {"name": name, "title": None, "version": version}
    return _request(request, "initialize", {"clientInfo": client})


def initialized() -> Line:
    """The host read the response to the handshake."""
    return {"method": "initialized"}


def start_thread(request: Id, cwd: str) -> Line:
    """A new thread; its response names it."""
    return _request(request, "thread/start", {"cwd": cwd})


def resume_thread(request: Id, thread: str) -> Line:
    """An old thread, without its turns: a snapshot yields nothing in a new run (R6)."""
    return _request(request, "thread/resume", {"threadId": thread, "excludeTurns": True})


def message(request: Id, thread: str, text: str) -> Line:
    """A user message. While the thread has a turn it joins that turn (R9)."""
    return _request(request, "turn/start", {"threadId": thread, "input": [_text(text)]})


def steer(request: Id, thread: str, turn: str, text: str) -> Line:
    """A user message for the turn that runs; it cuts the answer on its way short."""
    fields: Line = {"threadId": thread, "expectedTurnId": turn, "input": [_text(text)]}
    return _request(request, "turn/steer", fields)


def interrupt(request: Id, thread: str, turn: str) -> Line:
    """Cancel the turn that runs."""
    return _request(request, "turn/interrupt", {"threadId": thread, "turnId": turn})


def allow(request: Id) -> Line:
    """Approve a command or a change of files, once."""
    return _decision(request, "accept")


def deny(request: Id) -> Line:
    """Decline it; the turn goes on."""
    return _decision(request, "decline")


def deny_and_stop(request: Id) -> Line:
    """Decline it and cancel the turn."""
    return _decision(request, "cancel")


def answer(request: Id, answers: Mapping[str, Sequence[str]]) -> Line:
    """Answer questions: what was chosen, by each question's id."""
    given: Line = {name: {"answers": list[Json](chosen)} for name, chosen in answers.items()}
    return _response(request, {"answers": given})


def fail(request: Id, reason: str) -> Line:
    """Say that the request could not be put to anyone."""
    return {"id": request, "error": {"code": -32000, "message": reason}}


def _text(text: str) -> Line:
    return {"type": "text", "text": text}


def _decision(request: Id, decision: str) -> Line:
    return _response(request, {"decision": decision})


def _request(request: Id, method: str, params: Line) -> Line:
    return {"id": request, "method": method, "params": params}


def _response(request: Id, result: Line) -> Line:
    return {"id": request, "result": result}
