"""How a message of a session ended, told by its transcript: evidence for a completion receipt (O5).

A transcript cannot prove that a message was cut: a part that was kept is stored with the stop
reason of what came next. So only a session's very last message counts, and only if the model
stopped by itself. A row without the session's identity proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec

from turnreel.lifecycle.signals import Receipt

_ENDED: Final = frozenset({"end_turn", "stop_sequence"})


class Answer(msgspec.Struct, frozen=True):
    """The text that a session's last message ended with."""

    session: str
    message: str
    text: str

    def receipt(self, run_id: str, thread_id: str) -> Receipt:
        """The receipt for the run that the message belongs to; its native turn is the message."""
        return Receipt(
            run_id=run_id,
            thread_id=thread_id,
            native_turn=self.message,
            outcome="completed",
            text_digest=sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest(),
            text=self.text,
        )


def answer(rows: Iterable[object], session: str, message: str) -> Answer | None:
    """What `message` of `session` ended with, if the rows of its transcript, in order, say so.
    Total: rows that are none are passed over.
    """
    texts: list[str] = []
    is_last = ended = False
    for row in rows:
        if not isinstance(row, Mapping) or row.get("isSidechain") is True:
            continue
        said = row.get("message")
        if row.get("type") not in ("user", "assistant") or not isinstance(said, Mapping):
            continue
        is_last = _is_part(row, said, session, message)
        if is_last:
            texts += _texts(said.get("content"))
            ended = said.get("stop_reason") in _ENDED
        elif texts:
            return None  # something came after it
    text = "".join(texts)
    return Answer(session, message, text) if is_last and ended and text.strip() else None


def _is_part(row: Mapping[str, Any], said: Mapping[str, Any], session: str, message: str) -> bool:
    return (
        row.get("type") == "assistant"
        and row.get("sessionId") == session
        and said.get("id") == message
        and said.get("model") != "<synthetic>"
        and row.get("isApiErrorMessage") is not True
        and row.get("isAbortedMidStream") is not True
    )


def _texts(content: object) -> list[str]:
    blocks = content if isinstance(content, list) else []
    return [
        block["text"]
        for block in blocks
        if isinstance(block, Mapping)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    ]
