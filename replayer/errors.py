"""Callers' mistakes in this room."""

from __future__ import annotations

from turnreel.wire.errors import TurnreelError


class PlanError(TurnreelError, ValueError):
    """A fault plan that cannot be read, or that could never come true."""


class ReplayError(TurnreelError, ValueError):
    """A cassette that holds nothing to replay on the side that was asked for."""


class ServeError(TurnreelError, OSError):
    """An address that cannot be listened on or reached."""
