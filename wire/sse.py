"""Server-sent events.

Frames end at a blank line; any of LF, CRLF and CR ends a line, as the standard says. The data lines
of a frame, joined, are its unit's data. How a frame was laid out is kept where it is not the usual
way, and holds no value: see `sse_layout`. What the standard tells readers to ignore (comments,
unknown fields, an id with NUL) becomes text units of its own, in front of the frame it stood in, so
that nothing escapes whoever reads units.
"""

from __future__ import annotations

import re

from .classify import classify
from .framer import UNIT_LIMIT
from .sse_frame import Line, blank_unit, cut_unit, frame_units
from .sse_layout import usual_layout
from .units import SseFraming, TornUnit, Unit

_BOM = b"\xef\xbb\xbf"
_FRAME_END = re.compile(rb"(?:\r\n|\n|\r(?=[^\n])){2}")  # a CR at the end may be half a CRLF
_BLANK = re.compile(rb"(\xef\xbb\xbf)?(?:\r\n|\n|\r)")
_LINE = re.compile(rb"([^\r\n]*)(\r\n|\n|\r)")
_FRAMINGS_KEPT = 256


class SseFramer:
    """A body of type text/event-stream. A `Framer`.

    A blank line without a frame is an empty text. A frame that the end of the stream cuts is torn,
    as readers of the standard drop it. Sizes are those of the whole frame with its blank line.
    """

    def __init__(self, limit: int = UNIT_LIMIT) -> None:
        self._limit = limit
        self._framings: dict[tuple[bytes, bytes], SseFraming] = {}
        self._buffer = bytearray()
        self._reset()

    def _reset(self) -> None:
        self._buffer.clear()
        self._has_cr = False  # whether the buffer holds one
        self._searched = 0  # no frame ends before this place in the buffer
        self._dropped = 0  # bytes of an overlong frame that are no longer in the buffer
        self._at_start = True  # a byte order mark may come

    def feed(self, data: bytes) -> list[Unit]:
        self._buffer += data
        self._has_cr = self._has_cr or b"\r" in data
        units = self._resynchronise() if self._dropped else []
        if not self._dropped:
            self._take_frames(units)
            self._drop_overlong(units)
        return units

    def close(self) -> list[Unit]:
        rest, dropped = bytes(self._buffer), self._dropped
        units: list[Unit] = []
        if dropped:
            units.append(TornUnit(dropped + len(rest), "long", SseFraming()))
        else:
            lines = self._split_frames(rest, units)
            if lines:
                units.append(cut_unit(lines))
        self._reset()
        return units

    def _take_frames(self, units: list[Unit]) -> None:
        buffer = self._buffer
        start = max(0, self._searched - 3)
        usual = b"\r\n\r\n" if self._has_cr else b"\n\n"
        end = buffer.rfind(usual, start) + len(usual)
        end = end if end >= len(usual) else 0
        if self._has_cr:  # what ends in another way may follow
            for found in _FRAME_END.finditer(buffer, max(start, end)):
                end = found.end()
        if end:
            complete = bytes(buffer[:end])
            del buffer[:end]
            ending = self._only_ending(complete)
            if ending is None or (self._at_start and complete.startswith(_BOM[:1])):
                self._split_frames(complete, units)
            else:
                self._split_usual(complete, ending, units)
            self._has_cr = self._has_cr and b"\r" in buffer
        self._searched = len(buffer)

    def _only_ending(self, complete: bytes) -> bytes | None:
        """The one ending that all lines have, LF or CRLF; None for any other or a mixture."""
        if not self._has_cr:
            return b"\n"
        pairs = complete.count(b"\r\n")
        return b"\r\n" if pairs == complete.count(b"\n") == complete.count(b"\r") else None

    def _split_usual(self, complete: bytes, ending: bytes, units: list[Unit]) -> None:
        """Frames without a byte order mark, each tried as the one form that nearly all have."""
        self._at_start = False
        blocks = complete.split(ending * 2)
        extra = blocks.pop()  # a third ending in a row, if anything
        for block in blocks:
            unit = self._usual_unit(block, ending)
            if unit is None:
                self._split_frames(block + ending * 2, units)
            else:
                units.append(unit)
        if extra:
            self._split_frames(extra, units)

    def _usual_unit(self, block: bytes, ending: bytes) -> Unit | None:
        """The unit of ``[event: E <ending>] data: D``; None for any other form."""
        head = block.find(ending) + len(ending) if block.startswith(b"event: ") else 0
        if not block.startswith(b"data: ", head) or block.find(ending, head) >= 0:
            return None
        size = len(block) + 2 * len(ending)
        if size > self._limit:
            return TornUnit(size, "long", SseFraming())
        framing = self._framings.get((block[:head], ending))
        if framing is None:
            try:
                event = block[7 : head - len(ending)].decode() if head else None
            except UnicodeDecodeError:
                return None
            layout = usual_layout(SseFraming(event), 1).replace("\n", ending.decode())
            framing = SseFraming(event, layout=None if ending == b"\n" else layout)
            if len(self._framings) < _FRAMINGS_KEPT:
                self._framings[block[:head], ending] = framing
        return classify(block[head + 6 :], framing, size)

    def _split_frames(self, source: bytes, units: list[Unit]) -> list[Line]:
        """Appends the units of all frames in `source`; returns the lines of a last one that lacks
        its end.
        """
        mark, start = "", 0
        if self._at_start and source.startswith(_BOM):
            mark, start = "\ufeff", 3
        self._at_start = self._at_start and not source
        frame: list[Line] = []
        end = start
        for found in _LINE.finditer(source, start):
            content, ending = found[1], found[2].decode()
            end = found.end()
            if content:
                frame.append(Line(content, ending))
                continue
            if frame:
                units.extend(frame_units(frame, ending, mark, self._limit))
                frame = []
            else:
                units.append(blank_unit(ending, mark))
            mark = ""
        if end < len(source):
            frame.append(Line(source[end:], ""))
        return frame

    def _drop_overlong(self, units: list[Unit]) -> None:
        if len(self._buffer) <= self._limit:
            return
        blank = _BLANK.match(self._buffer)
        if blank is not None and (self._at_start or not blank[1]):  # it belongs to no frame
            line = bytes(blank[0])  # before the buffer moves under the match
            del self._buffer[: len(line)]
            self._split_frames(line, units)
        if len(self._buffer) > self._limit:
            self._at_start = False
            self._drop()
        else:
            self._searched = len(self._buffer)

    def _drop(self) -> None:
        """Gives up all but the last three bytes, in which the frame's end may have begun."""
        self._dropped += max(0, len(self._buffer) - 3)
        del self._buffer[:-3]
        self._searched = 0

    def _resynchronise(self) -> list[Unit]:
        found = _FRAME_END.search(self._buffer)
        if found is None:
            self._drop()
            return []
        size = self._dropped + found.end()
        del self._buffer[: found.end()]
        self._dropped = 0
        self._has_cr = b"\r" in self._buffer
        self._searched = 0
        return [TornUnit(size, "long", SseFraming())]
