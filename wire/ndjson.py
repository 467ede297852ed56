"""Lines of a stdio stream."""

from __future__ import annotations

from .classify import classify, classify_end
from .framer import UNIT_LIMIT
from .units import LineFraming, TornUnit, Unit

_LF = LineFraming("\n")
_CRLF = LineFraming("\r\n")
_END = LineFraming("")


class LineFramer:
    """Newline-delimited JSON among any other text. A `Framer`.

    A line ends with LF or CRLF; a lone CR belongs to its line. An empty line is an empty text. The
    last line may lack its ending: read if it can be, else cut. Sizes are without the ending.
    """

    def __init__(self, limit: int = UNIT_LIMIT) -> None:
        self._limit = limit
        self._pending = bytearray()
        self._dropped = 0  # bytes of an overlong line that are no longer in _pending

    def feed(self, data: bytes) -> list[Unit]:
        end = data.rfind(b"\n")
        if end < 0:
            self._hold(data)
            return []
        lines = data[:end].split(b"\n")
        units: list[Unit] = []
        if self._pending:
            self._hold(lines[0])
            units.append(self._finish())
            del lines[0]
        limit = self._limit
        for line in lines:
            framing = _LF
            if line[-1:] == b"\r":
                line, framing = line[:-1], _CRLF
            if len(line) > limit:
                units.append(TornUnit(len(line), "long", framing))
            else:
                units.append(classify(line, framing))
        self._hold(data[end + 1 :])
        return units

    def close(self) -> list[Unit]:
        if not self._pending:
            return []
        size, line = self._take()
        if size > self._limit:
            return [TornUnit(size, "long", _END)]
        return [classify_end(line, _END)]

    def _hold(self, data: bytes) -> None:
        """Keeps the begin of a line; of an overlong one only the last byte, which may be the CR of
        its ending."""
        self._pending += data
        if len(self._pending) > self._limit + 1:
            self._dropped += len(self._pending) - 1
            del self._pending[:-1]

    def _take(self) -> tuple[int, bytes]:
        line = bytes(self._pending)
        size = self._dropped + len(line)
        self._pending.clear()
        self._dropped = 0
        return size, line

    def _finish(self) -> Unit:
        size, line = self._take()
        framing = _LF
        if line[-1:] == b"\r":
            line, framing, size = line[:-1], _CRLF, size - 1
        if size > self._limit:
            return TornUnit(size, "long", framing)
        return classify(line, framing)
