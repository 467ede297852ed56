"""A project's own policy lines: fields that no dialect's policy lists and this project allows.

The file speaks the language of the built-in policies, a dialect's lines under its name:

    [claude-stream-json]
    frame  system/init  build_channel  word

A project adds lines and never overrides one: what a built-in policy speaks of stays as it says.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from turnreel.adapters import registry
from turnreel.sanitizers.policy import Line, Policy, PolicyError, lines
from turnreel.sanitizers.report import Unlisted

from .errors import RecorderError

_SECTION: Final = re.compile(r"\[\s*([A-Za-z0-9._-]+)\s*\]")
_UNNAMED: Final = re.compile(r"field-[0-9]+")
_MODES: Final = {"string": "shape", "number": "number", "boolean": "bool", "array": "shape",
                 "object": "shape"}  # fmt: skip
"""The mode that is proposed for a field of a type."""


class ProjectPolicy(msgspec.Struct, frozen=True):
    """The lines that a project adds, by dialect. Without lines it changes nothing."""

    lines: dict[str, tuple[Line, ...]] = {}

    @property
    def digest(self) -> str | None:
        """What a header says of it, whatever its file's comments and columns; None if no line lets
        anything land. What is masked on purpose lands as it would without its line, and lint asks
        nobody to sanitize again for it.
        """
        landing = ProjectPolicy(
            {
                dialect: tuple(line for line in added if line.mode != "masked")
                for dialect, added in self.lines.items()
            }
        )
        text = landing.text()
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}" if text else None

    def text(self) -> str:
        """The lines as a file holds them."""
        parts = [
            "\n".join((f"[{dialect}]", *map(str, added), ""))
            for dialect, added in sorted(self.lines.items())
            if added
        ]
        return "\n".join(parts)

    def extended(self, policy: Policy) -> Policy:
        """`policy` with the lines added to its dialect."""
        added = self.lines.get(policy.dialect, ())
        return msgspec.structs.replace(policy, lines=policy.lines + added) if added else policy

    def joined(self, dialect: str, added: Iterable[Line]) -> ProjectPolicy:
        """This policy with more lines for one dialect. Raises `RecorderError` for a line that a
        built-in one stands against.
        """
        new = tuple(line for line in added if line not in self.lines.get(dialect, ()))
        for line in new:
            _refuse_override(dialect, line, "")
        return ProjectPolicy({**self.lines, dialect: (*self.lines.get(dialect, ()), *new)})


def read_project_policy(path: Path) -> ProjectPolicy:
    """The policy in the file at `path`. Raises `RecorderError`: unreadable, not in the language,
    a dialect nobody knows, or a line that a built-in one stands against.
    """
    try:
        return parse_project_policy(path.read_text(encoding="utf-8"), f"{path}: ")
    except OSError as error:
        raise RecorderError(
            f"{path}: {(error.strerror or 'cannot be read').lower()}",
            "name the project's policy file, or remove [tool.turnreel] policy",
        ) from None
    except UnicodeDecodeError:
        raise RecorderError(f"{path}: not UTF-8", "write the policy as plain text") from None


def parse_project_policy(text: str, where: str = "") -> ProjectPolicy:
    """The policy that `text` says; `where` is put before every message."""
    sections: dict[str, list[str]] = {}
    dialect: str | None = None
    rows = text.splitlines()
    for number, row in enumerate(rows):
        said = row.split("#", 1)[0].strip()
        heading = _SECTION.fullmatch(said)
        if heading is not None:
            dialect = heading[1]
            if not registry.knows(dialect):
                raise RecorderError(
                    f"{where}line {number + 1} names no known dialect: {dialect}",
                    f"one of: {', '.join(registry.dialects())}",
                )
        elif said and dialect is None:
            raise RecorderError(
                f"{where}line {number + 1} belongs to no dialect",
                "put [DIALECT] above a dialect's lines",
            )
        elif said:
            # Blank lines in front keep the numbers that the parser tells.
            section = sections.setdefault(str(dialect), [])
            section += [""] * (number - len(section)) + [row]
    parsed = {}
    for name, body in sections.items():
        try:
            parsed[name] = lines("\n".join(body))
        except PolicyError as error:
            raise RecorderError(f"{where}{error.message}", error.remedy) from None
        for line in parsed[name]:
            _refuse_override(name, line, where)
    return ProjectPolicy(parsed)


def allowing(met: Unlisted, dialects: Mapping[str, str]) -> tuple[str, Line] | None:
    """The dialect and the line that would allow the field `met`, by the dialects of the tracks;
    None where no project's line can: the built-in policy lists the field, with another type.
    """
    dialect = dialects.get(met.track, "")
    record, _, path = met.path.partition(":")
    steps = [step for step in path.lstrip(".").split(".") if step]
    if not registry.knows(dialect) or not steps or record == "*":
        return None
    mode = _MODES.get(met.type, "shape")
    if _UNNAMED.fullmatch(steps[-1].rstrip("[]")):  # a key that may be private names no field
        steps, mode = [*steps[:-1], "**"], "masked"
    if any(_UNNAMED.fullmatch(step.rstrip("[]")) for step in steps):
        return None
    variant = (met.frame or "*") if record == "frame" else "*"
    line = Line(record, variant, ".".join(steps), mode)  # type: ignore[arg-type]
    return None if _standing(dialect, line) else (dialect, line)


def _refuse_override(dialect: str, line: Line, where: str) -> None:
    standing = _standing(dialect, line)
    if standing is not None:
        raise RecorderError(
            f"{where}'{line}' overrides the built-in '{standing}' of {dialect}",
            "a project adds lines for fields that no policy lists",
        )


def _standing(dialect: str, line: Line) -> Line | None:
    """The built-in line that already speaks of what `line` names, or of what it is part of."""
    for standing in registry.policy(dialect).lines:
        if (
            standing.record == line.record
            and _overlap(standing.variant, line.variant)
            and _covers(_steps(standing.path), _steps(line.path))
        ):
            return standing
    return None


def _overlap(one: str, other: str) -> bool:
    if "*" in (one, other) or one == other:
        return True
    for wide, narrow in ((one, other), (other, one)):
        if wide.endswith("/*") and narrow.startswith(wide[:-1]):
            return True
    return False


def _covers(standing: list[str], line: list[str]) -> bool:
    for place, step in enumerate(standing):
        if place >= len(line):
            return False
        if step == "**" and line[place] != "[]":
            return True
        if step != line[place] and not (step.startswith("{") and line[place] != "[]"):
            return False
    return True


def _steps(path: str) -> list[str]:
    return [step for step in path.replace("[]", ".[]").split(".") if step]
