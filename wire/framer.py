"""What every framer promises."""

from __future__ import annotations

from typing import Final, Protocol

from .units import Unit

UNIT_LIMIT: Final = 16 * 1024 * 1024
"""Bytes a unit may have, unless told otherwise. A longer one is noted with its size, not kept."""


class Framer(Protocol):
    """Bytes in any chunking to units.

    The units depend on the concatenated bytes alone, never on where the chunks were cut (R3). No
    input raises. Memory is bounded by the unit limit plus one chunk: an overlong unit becomes one
    `TornUnit` of cause ``long`` with its full size, and framing goes on behind it.
    """

    def feed(self, data: bytes) -> list[Unit]:
        """The units that `data` completes, in order; perhaps none."""

    def close(self) -> list[Unit]:
        """The units that the end of the stream completes or tears. The framer is then as new."""
