"""The one error a caller's mistake raises, in every room."""

from __future__ import annotations


class TurnreelError(Exception):
    """A mistake of the caller, told in one line.

    `message` names the file, line or option and what is wrong; `remedy` what to do about it.
    Bad native input never raises this: it is recorded. Rooms derive their own classes.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message
