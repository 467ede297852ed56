"""The structure of what a parser made of a stream: all of it but the texts."""

from __future__ import annotations

from typing import Any, Final

WORDS: Final = frozenset({"type", "object", "status", "role", "phase", "finish_reason", "reason"})
"""Fields of which the value is structure."""

IDS: Final = frozenset({"id", "item_id", "call_id", "tool_call_id", "previous_response_id"})


class Structure:
    """Tells structures of one session: an id is the number of its first appearance, so that what
    referred to one another still must.
    """

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def of(self, value: Any, key: str = "") -> Any:
        """`value`, which stands under `key`: its words, ids and counts, and in the place of every
        text nothing but that there is one.
        """
        match value:
            case dict():
                return {name: self.of(item, name) for name, item in value.items()}
            case list():
                return [self.of(item, key) for item in value]
            case str() if key in WORDS:
                return value
            case str() if key in IDS:
                return self._ids.setdefault(value, len(self._ids))
            case str():
                return ""
            case int() | float() if key.endswith("_at") or key == "created":
                return 0  # dates move
            case _:
                return value
