"""The dialect described from its own tables: what docs/dialects/hermes-responses.md lists."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.describe import sections

from .adapter import INFO
from .frames import Event

SECTIONS: Final = sections(INFO, Event)
