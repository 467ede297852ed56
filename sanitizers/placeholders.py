"""One map from private values to placeholders, for all tracks of one session, in memory only.

Placeholders are numbered by kind at first appearance (``user-1``, ``key-2``); ids keep their
prefix, form and length. There is no key and nothing to attack by dictionary; that two places
held the same value still shows (docs/sanitizing.md). What is a placeholder already stays
itself, so that sanitizing is idempotent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Final

MASKED: Final = "masked"
"""What stands for a string of a field that no line of the policy names."""

KINDS: Final = ("key", "user", "host", "home", "mail", "ip", "path", "name", "value", "field")
_PREFIXES: Final = (
    "toolu_", "srvtoolu_", "mcptoolu_", "msg_", "req_", "call_", "resp_", "fc_", "rs_", "ws_",
    "item_", "thread_", "conv_", "sess_", "session_", "task_", "run_", "turn_", "batch_", "file_",
    "chatcmpl-", "agent-",
)  # fmt: skip
"""Prefixes of native ids that say their type and nothing else."""

_OWN_UUID: Final = "00000000-0000-4000-8000-"
ID_PREFIX: Final = re.compile("|".join(_PREFIXES))

MARKER: Final = re.compile(
    rf"(?:{'|'.join(KINDS)})-[1-9](?![0-9]*(?:[0-9a-f]{{20}}|(?:-[0-9]{{1,3}}){{3}}))[0-9]{{0,8}}"
    rf"|(?:{'|'.join(_PREFIXES)})0[0-9]*(?![0-9A-Za-z])|{_OWN_UUID}[0-9]{{12}}"
    rf"|(?<==){MASKED}(?![0-9A-Za-z])"
)
"""What a placeholder looks like inside a text, and the masked value of a query. The key of one
vendor begins like one, and so do the hosts of another (``ip-10-0-0-7``).
"""

MARKER_ANCHORS: Final = (
    *(f"{kind}-" for kind in KINDS),
    *(f"{prefix}0" for prefix in _PREFIXES),
    _OWN_UUID,
    MASKED,
)
"""One of these begins every marker."""

UUID: Final = re.compile(
    r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
)
_OWN_ID: Final = re.compile(rf"(?:{ID_PREFIX.pattern})?0*[0-9]{{1,9}}|{_OWN_UUID}[0-9]{{12}}")
_LONGEST_ID: Final = 64
REMEMBERED_SERIALS: Final = 16_384

_SHORT_NUMBER: Final = 4
"""An id that is a number this short says nothing, and may be one of ours."""

_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)")


class Placeholders:
    """The session's map. Not shared between sessions and never written anywhere."""

    __slots__ = ("_counts", "_former", "_given", "_latest", "_offset", "_taken")

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._latest: dict[str, str] = {}
        self._former: dict[str, str] = {}
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}
        self._offset: timedelta | None = None

    def of(self, kind: str, value: str) -> str:
        """The placeholder of `value`, the same wherever it stands and whatever found it."""
        given = self._given.get(value)
        if given is None:
            if MARKER.fullmatch(value) and value not in self._taken:
                given = value
            else:
                given = self._next(kind, lambda number: f"{kind}-{number}")
            self._give(value, given)
        return given

    def id(self, value: str) -> str:
        """The placeholder of a native id: same prefix, same form, same length where its number
        fits.
        """
        given = self._given.get(value)
        if given is None:
            given = self._recent(value) or self._own(value) or self._new_id(value)
            self._give(value, given)
        return given

    def serial(self, value: str) -> str:
        """The same for an id that is met again soon or never, such as a frame's own: it is
        remembered for the next `REMEMBERED_SERIALS` of them, or for good once `id` met it. So a
        long session needs no more memory than a short one.
        """
        given = self._given.get(value) or self._recent(value)
        if given is None:
            given = self._own(value) or self._new_id(value)
            if len(self._latest) >= REMEMBERED_SERIALS:
                self._former, self._latest = self._latest, {}
            self._latest[value] = given
        return given

    def _recent(self, value: str) -> str | None:
        return self._latest.get(value) or self._former.get(value)

    def when(self, text: str) -> str | None:
        """An ISO date, moved by the session's offset; None if `text` is no such date."""
        form = _ISO.fullmatch(text)
        if form is None:
            return None
        try:
            moved = self._moved(datetime.fromisoformat(text))
        except (ValueError, OverflowError):
            return None
        fraction = form[1] or ""
        digits = f".{moved.microsecond:06d}"[: len(fraction)]
        return f"{moved.astimezone(UTC):%Y-%m-%dT%H:%M:%S}{digits}" + (
            "Z" if form[2] == "Z" else "+00:00"
        )

    def epoch(self, number: float) -> float:
        """Seconds, milliseconds or microseconds since 1970, moved by the same offset in whole
        seconds, fractions kept; 0 if none of these.
        """
        for unit in (1, 1_000, 1_000_000):
            if 900_000_000 <= number / unit < 9_000_000_000:
                try:
                    self._moved(datetime.fromtimestamp(number / unit, UTC))
                except (ValueError, OverflowError, OSError):
                    return 0
                assert self._offset is not None, "a moment was moved"
                whole = ceil(self._offset.total_seconds())  # never back into the year before ours
                return number + type(number)(whole * unit)
        return 0

    def _moved(self, moment: datetime) -> datetime:
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        if self._offset is None:
            # What happened in our year was moved there before.
            self._offset = timedelta(0) if moment.year == _EPOCH.year else _EPOCH - moment
        return moment + self._offset

    def _give(self, value: str, given: str) -> None:
        self._given[value] = given
        self._taken.add(given)

    def _next(self, counter: str, form: Callable[[int], str]) -> str:
        number = self._counts.get(counter, 0) + 1
        while (given := form(number)) in self._taken:
            number += 1
        self._counts[counter] = number
        return given

    def _new_id(self, value: str) -> str:
        if UUID.fullmatch(value):
            return self._next(_OWN_UUID, lambda number: f"{_OWN_UUID}{number:012d}")
        prefix = _prefix(value)
        width = min(len(value), _LONGEST_ID) - len(prefix)
        return self._next(prefix, lambda number: f"{prefix}{number:0{max(width, 1)}d}")

    def _own(self, value: str) -> str | None:
        """`value` itself if it is an id of ours already, as far as that can be told."""
        if value in self._taken or not is_own_id(value):
            return None
        number = value[len(_OWN_UUID if value.startswith(_OWN_UUID) else _prefix(value)) :]
        return value if number.startswith("00") or len(number) <= _SHORT_NUMBER else None


def is_own_id(text: str) -> bool:
    """Whether `text` has the form of an id placeholder: a known prefix or none, then a padded
    number.
    """
    return _OWN_ID.fullmatch(text) is not None


def _prefix(value: str) -> str:
    match = ID_PREFIX.match(value)
    return match[0] if match and match.end() < len(value) else ""
