"""Reads the requests that the agent sends its host, and what they put to a person (G7, Y).

An approval shows the kind of thing that is asked for and, for a command, the program's name:
nothing else of it. Questions are visible text. Total, as `grammar` is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.adapters.fields import Fields, items, text, texts
from turnreel.lifecycle import prompts
from turnreel.lifecycle.events import GateKind
from turnreel.wire.units import Json

from .frames import Asks

QUESTION: Final = "Question"
"""The prompt of a question without words."""


def questions(value: list[Json], field: str) -> tuple[str, tuple[str, ...]]:
    """The words of the questions, and the labels of all their options; no words for no
    questions.
    """
    asked: list[str] = []
    labels: list[str] = []
    for one in value:
        asked.append(text(one, field) or QUESTION)
        labels += texts(one, "options")
        labels += [label for o in items(one, "options") if (label := text(o, "label"))]
    return "\n".join(asked), tuple(labels)


def _approval(name: str) -> Callable[[str, Fields], Asks | None]:
    def read(request: str, params: Fields) -> Asks | None:
        return _asks(request, params, "approval", prompts.approval(name))

    return read


def _command(request: str, params: Fields) -> Asks | None:
    actions = [c for a in items(params, "commandActions") if (c := text(a, "command"))]
    command = actions[0] if actions else text(params, "command") or ""
    return _asks(request, params, "approval", prompts.approval("commandExecution", command))


def _input(request: str, params: Fields) -> Asks | None:
    prompt, options = questions(items(params, "questions"), "question")
    return _asks(request, params, "question", prompt or QUESTION, options)


def _elicitation(request: str, params: Fields) -> Asks | None:
    return _asks(request, params, "elicitation", text(params, "message") or QUESTION)


def _asks(
    request: str, params: Fields, kind: GateKind, prompt: str, options: tuple[str, ...] = ()
) -> Asks | None:
    """Requests of the older protocol call the thread a conversation and the item a call."""
    thread = text(params, "threadId") or text(params, "conversationId")
    item = text(params, "itemId") or text(params, "callId")
    if thread is None:
        return None
    return Asks(request, thread, text(params, "turnId"), item, kind, prompt, options)


READERS: Final[dict[str, Callable[[str, Fields], Asks | None]]] = {
    "item/commandExecution/requestApproval": _command,
    "item/fileChange/requestApproval": _approval("fileChange"),
    "item/permissions/requestApproval": _approval("permissions"),
    "item/tool/requestUserInput": _input,
    "mcpServer/elicitation/request": _elicitation,
    "execCommandApproval": _approval("commandExecution"),
    "applyPatchApproval": _approval("fileChange"),
}
"""Requests that a person answers; others are the host's own business."""
