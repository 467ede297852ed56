"""A caller's mistake in a test: one line instead of a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest

from turnreel.wire.errors import TurnreelError


@contextmanager
def plainly() -> Iterator[None]:
    """What turnreel raises inside fails the test with its line."""
    try:
        yield
    except TurnreelError as error:
        refuse(str(error))


def refuse(what: str) -> NoReturn:
    """Fail the test with one line, and without the error that it came from."""
    raise pytest.fail.Exception(f"turnreel: {what}", pytrace=False) from None
