"""The one error this room raises for a caller's mistake."""

from __future__ import annotations

from turnreel.wire.errors import TurnreelError


class RecorderError(TurnreelError):
    """A recording or an import that cannot be done as asked: command not found, port in use,
    target exists, not a capture. What the recorded program does never raises this.
    """
