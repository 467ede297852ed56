"""The dialect described from its own tables: what docs/dialects/hermes-tui.md lists."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.describe import sections

from .adapter import INFO
from .frames import Event
from .host import Request

SECTIONS: Final = sections(INFO, Event, written=Request)
