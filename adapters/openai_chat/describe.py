"""The dialect described from its own tables: what docs/dialects/openai-chat.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.adapters.describe import declaration, frames
from turnreel.lifecycle.describe import table

from .adapter import ERRORS, INFO
from .frames import Answer


def errors() -> str:
    """Typed words of an error and their codes."""
    return table(
        ("`error.code` or `error.type`", "code"), ((f"`{w}`", c) for w, c in ERRORS.items())
    )


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "declaration": lambda: declaration(INFO),
    "printed": lambda: frames(Answer),
    "errors": errors,
}
