"""The dialect described from its own tables: what docs/dialects/codex-exec.md lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from turnreel.adapters.codex_app_server.describe import literals, states, tools
from turnreel.adapters.codex_items import EXEC_ITEMS
from turnreel.adapters.describe import declaration, frames

from .adapter import INFO
from .frames import OutFrame

SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "declaration": lambda: declaration(INFO),
    "printed": lambda: frames(OutFrame),
    "tools": lambda: tools(EXEC_ITEMS),
    "states": states,
    "literals": literals,
}
