"""Why a turn failed: the words of the app-server, as a rollout writes them (T8)."""

from __future__ import annotations

import re
from typing import Final

from turnreel.adapters.codex_app_server import codes
from turnreel.adapters.codex_app_server.frames import Words
from turnreel.adapters.fields import Fields, count, fields, text
from turnreel.lifecycle.events import Code


def _snake(word: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda found: f"_{found[1]}", word).lower()


INFOS: Final = {_snake(word): word for word in codes.INFOS}
"""Words of ``codex_error_info`` that name a cause, with the app-server's."""

CARRIERS: Final = {_snake(word): word for word in codes.CARRIERS}
"""Words that name what broke and may carry a status."""


def code_of(error: Fields) -> Code | None:
    """The code of ``error``, or None if it names no cause."""
    info = error.get("codex_error_info")
    sentence = text(error, "message") or ""
    if isinstance(info, str):
        return codes.code_of(Words(INFOS.get(info, info), None, sentence, ""))
    carriers = [name for name in CARRIERS if name in (info if isinstance(info, dict) else {})]
    if not carriers:
        return codes.code_of(Words("other", None, sentence, ""))
    status = count(fields(info, carriers[0]), "http_status_code")
    return codes.code_of(Words(CARRIERS[carriers[0]], status, sentence, ""))
