"""Cassettes: one recorded session in one file.

The format, and nothing else: reading, writing, sealing, recovering, comparing and showing. What
lands here was sanitized before (the writer's type says so), and what a record means is for adapters
to say. No dialect, no secret rule and no socket is known to this room.
"""

from .errors import CassetteError
from .header import AgentInfo, Header, Origin, Outline, Seal, TrackSpec
from .reader import Cassette, open_cassette
from .records import Record, unit_of
from .target import Existing
from .timing import Timing
from .writer import CassetteWriter

__all__ = [
    "AgentInfo",
    "Cassette",
    "CassetteError",
    "CassetteWriter",
    "Existing",
    "Header",
    "Origin",
    "Outline",
    "Record",
    "Seal",
    "Timing",
    "TrackSpec",
    "open_cassette",
    "unit_of",
]
