"""Import of captures: logs of an agent that was run against a scripted provider.

A capture is JSON lines: a header, then one line for each thing the agent printed, the host wrote,
the provider sent. What it does not hold the cassette's header says it lacks. The file is read
twice, so that nothing is written before all of it was understood.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from turnreel.cassettes import Existing, Origin
from turnreel.cassettes.timing import Timing
from turnreel.sanitizers import OpinionName, Profile, Raw

from . import surfaces
from .agents import AGENTS, Spoken, agent_info, require_policy, understand
from .capture_http import HttpLog
from .capture_lines import Line, LineError, ProviderLog, decode_line
from .capture_responses import ResponsesLog
from .errors import RecorderError
from .exits import ExitStatus, exit_fields
from .intake import Intake
from .knowledge import known_secrets
from .landing import Landing
from .messages import Captured, Chunk, Fact, Over, Plan, Sealed
from .project_policy import ProjectPolicy
from .tracks import AGENT, HOST, PROVIDER, session_tracks

LINE_LIMIT: Final = 64 << 20
"""Bytes a line of a capture may have."""

_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")


class _Header(msgspec.Struct, frozen=True):
    """A capture's first line."""

    capture: str
    agent: str
    version: str | None = None
    argv: list[str] = []
    request: dict[str, Any] | None = None
    surface: str | None = None
    exit: int | None = None
    response_head: str = ""
    side_channel: dict[str, Any] = {}


_decode_header = msgspec.json.Decoder(_Header).decode


def import_capture(
    path: Path,
    target: Path,
    *,
    profile: Profile = "fixture",
    existing: Existing = Existing.REFUSE,
    timing: Timing = Timing.EXACT,
    policy: ProjectPolicy | None = None,
    opinions: tuple[OpinionName, ...] = (),
) -> Sealed:
    """Make a sealed cassette of the capture at `path`.

    The same capture gives the same cassette, its id included. Where a clock runs behind, a record
    gets the time of the one before it. `policy` are the project's own lines, `opinions`
    whom the seal gate asks as well. Raises
    `RecorderError`: no capture, a bad line, a dialect that nothing here can sanitize;
    `CassetteError`: the target exists or cannot be written.
    """
    capture = Capture(path)
    asked = capture.plan(target, profile, existing)
    plan = replace(asked, policy=policy or ProjectPolicy(), opinions=opinions)
    landing = Landing(plan, timing)
    landing.land(capture.raws())
    return landing.seal()


class Capture:
    """A capture on disk, understood in a first pass. Raises `RecorderError` as `import_capture`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._header = self._read_header()
        self._spoken = _spoken(self._header, f"{path}: ")
        self._provider = ResponsesLog() if self._header.agent == "codex" else ProviderLog()
        self._http = _http(self._header)
        self._exits = False
        self._unread = False
        for number, line in self._lines():
            self._note(number, line)

    def plan(self, target: Path, profile: Profile, existing: Existing) -> Plan:
        """What the cassette is to say of itself."""
        name, spoken = self._header.capture, self._spoken
        provider = spoken.provider if self._provider.lines else None
        lacks = ["line endings"] if self._http is None else []
        if provider is not None:
            lacks += ["request features", "event framing", "read boundaries"]
        if self._unread:
            lacks.append("lines of kinds nobody knows")
        return Plan(
            target=str(target),
            replaces=existing is Existing.REPLACE,
            agent=agent_info(spoken.agent, self._header.version),
            tracks=session_tracks(spoken, provider, self._provider.carrier),
            profile=profile,
            origin=Origin(
                kind="imported",
                source="capture",
                name=name if _PLAIN_NAME.fullmatch(name) else None,
            ),
            known=known_secrets(os.environ),
            lacks=tuple(lacks),
        )

    def raws(self) -> Iterator[Raw]:
        """Its records, in order: for a sanitizer, never for a file."""
        intake = Intake({})
        return (raw for message in self._messages() for raw in intake.take(message))

    def _messages(self) -> Iterator[Captured]:
        """What an edge would have told, in order."""
        at_us = 0
        if self._http is not None:
            yield from self._http.begun()
        if self._spoken.starts_run:
            yield Fact(0, HOST, "message", None, {"via": "argv"})
        for number, line in self._lines():
            if line.t_ms is not None:
                at_us = max(at_us, round(line.t_ms * 1000))
            if line.dir == "provider":
                yield from self._provider.told(PROVIDER, number, line, at_us)
            elif self._http is not None:
                yield from self._http.told(line, at_us)
            else:
                yield from self._stdio(line, at_us)
        if not self._exits and self._header.exit is not None:
            yield from _exit(at_us, self._header.exit)
            self._exits = True
        if self._exits:  # the session was seen to its end, and nobody knows a receipt
            yield Fact(at_us, HOST, "unreconciled", None, {})

    def _stdio(self, line: Line, at_us: int) -> Iterator[Captured]:
        match line.dir:
            case "in" | "out" | "err":
                text = line.text or ""
                yield Chunk(
                    at_us, AGENT, line.dir, None, f"{text.removesuffix(chr(10))}\n".encode()
                )
            case "in_close":
                yield Fact(at_us, AGENT, "eof", None, {"stream": "stdin"})
            case "signal":
                yield Fact(at_us, AGENT, "signal", None, {"name": line.text})
            case "exit" if line.code is not None:
                yield from _exit(at_us, line.code)

    def _note(self, number: int, line: Line) -> None:
        """What the first pass has to know of a line."""
        match line.dir:
            case "provider":
                self._unread |= not self._provider.note(number, line)
            case "exit":
                self._exits |= line.code is not None
            case "in" | "out" | "err" | "signal":
                if line.text is None:
                    raise self._error("has no text", number)
            case "in_close":
                pass
            case "end" if self._http is not None:
                pass
            case _:
                self._unread = True

    def _read_header(self) -> _Header:
        for number, text in self._texts():
            try:
                return _decode_header(text)
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise self._error("is no capture's header", number) from None
        raise self._error("an empty file is no capture")

    def _lines(self) -> Iterator[tuple[int, Line]]:
        for number, text in self._texts():
            if number == 1 or not text.strip():
                continue
            try:
                yield number, decode_line(text)
            except LineError as error:
                raise self._error(str(error), number) from None

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        """The lines of the file, bounded, from 1."""
        try:
            with self._path.open("rb") as file:
                number = 0
                while text := file.readline(LINE_LIMIT + 1):
                    number += 1
                    if len(text) > LINE_LIMIT:
                        raise self._error("is longer than a capture's line may be", number)
                    yield number, text
        except OSError as error:
            raise self._error((error.strerror or "cannot be read").lower()) from None

    def _error(self, what: str, number: int | None = None) -> RecorderError:
        place = self._path if number is None else f"{self._path}:{number}"
        return RecorderError(f"{place}: {what}", "captures are JSON lines that begin with a header")


def _http(header: _Header) -> HttpLog | None:
    """The exchange, where the agent answered one."""
    if header.request is None:
        return None
    return HttpLog(header.request, header.response_head, header.side_channel)


def _spoken(header: _Header, where: str) -> Spoken:
    """Who was captured and what it speaks; the dialect follows from the header alone."""
    name = header.capture
    if header.agent == "codex":
        spoken = "codex-app-server" if "_app" in name else "codex-exec"
        return understand([header.agent, *header.argv[1:]], spoken)
    dialect = header.agent
    if header.agent == "hermes" and header.surface is not None:
        dialect = "hermes-tui" if name.startswith("j_") else "hermes-acp"
    elif header.agent == "hermes":
        asked = header.request or {}
        method, path = str(asked.get("method", "GET")), str(asked.get("path", ""))
        dialect = surfaces.dialect(method, path) or "hermes"
    elif header.agent in AGENTS:
        return understand([header.agent, *header.argv[1:]])
    require_policy(dialect, where)
    return Spoken(header.agent, dialect, starts_run=False)


def _exit(at_us: int, returncode: int) -> Iterator[Captured]:
    for code in ("in", "out", "err"):
        yield Over(at_us, AGENT, code, None)
    yield Fact(at_us, AGENT, "exit", None, exit_fields(ExitStatus.of(returncode)))
