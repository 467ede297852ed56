"""Sizes on the command line: ``256MiB``, ``1GB``, ``4096``."""

from __future__ import annotations

import re
from typing import Any, Final

import click

_UNITS: Final = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9,
                 "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}  # fmt: skip
_SIZE: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,3})?)\s*([A-Za-z]*)")


class _Size(click.ParamType):  # type: ignore[type-arg]  # generic in new clicks alone
    """Reads a number of bytes with or without a unit; at least one."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        said = _SIZE.fullmatch(str(value).strip())
        unit = _UNITS.get(said[2].lower()) if said else None
        if said is None or unit is None or (size := int(float(said[1]) * unit)) < 1:
            self.fail(f"{value!r} is no size. Write it like 256MiB", param, ctx)
        return size


SIZE: Final = _Size()
"""The type of options that are sizes."""
