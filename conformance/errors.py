"""Mistakes of whoever asks for verification."""

from __future__ import annotations

from turnreel.wire.errors import TurnreelError


class ConformanceError(TurnreelError):
    """What this room raises: only for callers' mistakes, never for what a cassette holds."""


class NoCassettes(ConformanceError):
    """A path that does not exist, or one under which no cassette is."""


class AcceptRefused(ConformanceError):
    """A golden may not be accepted here, or of this cassette."""
