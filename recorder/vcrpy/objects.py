"""vcrpy's own requests and responses, to exchanges and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnreel.recorder.interactions import Interaction

from .exchanges import phrase
from .reading import interaction

if TYPE_CHECKING:
    from vcr.request import Request


def as_interaction(request: Request, response: dict[str, Any]) -> Interaction:
    """An exchange that vcrpy recorded or loaded. Raises `BadInteraction` for one that is none."""
    from vcr.util import read_body

    headers = {name: [value] for name, value in request.headers.items()}
    asked = {
        "method": request.method,
        "uri": request.uri,
        "body": read_body(request),
        "headers": headers,
    }
    return interaction({"request": asked, "response": response})


def as_item(one: Interaction) -> dict[str, Any]:
    """An exchange of a cassette that vcrpy wrote, as vcrpy writes it: with its request's body."""
    status = one.status or 0
    without = {"content-encoding"} if one.encoding else set()
    return {
        "request": {
            "method": one.method,
            "uri": one.url,
            "body": one.sent,
            "headers": _lists(one.asked, set()),
        },
        "response": {
            "status": {"code": status, "message": phrase(status)},
            "headers": _lists(one.answered, without),
            "body": {"string": one.body},
        },
    }


def as_pair(one: Interaction) -> tuple[Request, dict[str, Any]]:
    """The same as vcrpy has it in memory."""
    from vcr.request import Request

    item = as_item(one)
    return Request(**item["request"]), item["response"]


def _lists(pairs: tuple[tuple[str, str], ...], without: set[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        if name not in without:
            found.setdefault(name, []).append(value)
    return found
