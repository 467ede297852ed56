"""The dialect described from its own tables: what docs/dialects/hermes-acp.md lists."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.describe import sections

from .adapter import INFO
from .frames import Printed, Written

SECTIONS: Final = sections(INFO, Printed, written=Written)
