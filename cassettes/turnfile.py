"""``.turn`` files: the turn that should come out of a cassette, one line an entry.

::

    run
      commentary "I'll look at the report first."
      activity Read file_read ok
      health recovered rate_limited
      final "The total is 42." healthy

Entries are those of the fold, in order; the terminal closes them, or ``open`` where the recording
just stops. Its last word is the run's joined health (O4). Child runs stand beneath their parent,
indented. ``run caused-by 1`` and ``run continues 1`` name the first run of the main thread (R9,
T5). Texts are JSON strings; there are no ids and no times. `parse` reads what `render_turns`
writes, and writing it again gives the same.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from turnreel.lifecycle.fold import (
    ActivityEntry,
    ArtifactEntry,
    CommentaryEntry,
    Entry,
    GateEntry,
    HealthEntry,
    PlanEntry,
    RunView,
    SourceEntry,
    TerminalEntry,
)
from turnreel.lifecycle.tables import OUTCOME_OF

from .errors import CassetteError, os_reason

_INDENT: Final = "  "
_RUN = re.compile(r"run(?: caused-by ([1-9]\d{0,8}))?(?: continues ([1-9]\d{0,8}))?")
_WORD = re.compile(r"[^\s\"]+")
_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([^\s"]+))')
_ACCEPT: Final = "write it with `turnreel verify --accept`"
_ACTING: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def render_turns(runs: Iterable[RunView]) -> str:
    """The file of these runs; ends with a newline unless there is no run."""
    return "".join(f"{line}\n" for run in runs for line in _run_lines(run, ""))


def parse_turns(text: str, path: str | Path = "<turn>") -> tuple[RunView, ...]:
    """The runs a file describes. What it does not say (ids, times, a failure's sentence) is empty.

    Raises:
        CassetteError: a line is none of a turn file's; names `path` and the line.
    """
    lines = [
        _Line(number, (len(line) - len(line.lstrip())) // len(_INDENT), line.strip())
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    parser = _Parser(str(path), lines)
    runs: list[RunView] = []
    while parser.lines:
        runs.append(parser.run(0))
    return tuple(runs)


def read_turns(path: Path) -> tuple[RunView, ...]:
    """The runs a file on disk describes.

    Raises:
        CassetteError: unreadable, or a line is wrong.
    """
    try:
        return parse_turns(path.read_text(encoding="utf-8"), path)
    except OSError as error:
        raise CassetteError(path, os_reason(error), _ACCEPT) from error
    except UnicodeDecodeError:
        raise CassetteError(path, "not UTF-8", _ACCEPT) from None


def _run_lines(run: RunView, indent: str) -> Iterator[str]:
    roots = (("caused-by", run.caused_by), ("continues", run.continues))
    yield indent + " ".join(["run", *(f"{word} {at}" for word, at in roots if at is not None)])
    inner = indent + _INDENT
    for entry in run.entries:
        yield inner + " ".join(_entry_words(entry))
    yield inner + " ".join(_terminal_words(run.terminal))
    for child in run.children:
        yield from _run_lines(child, inner)


def _entry_words(entry: Entry) -> list[str]:
    match entry:
        case CommentaryEntry(text, done):
            return ["commentary", _text(text), *([] if done else ["unfinished"])]
        case ActivityEntry(name, kind, state):
            return ["activity", _name(name), kind, state]
        case GateEntry(kind, resolution):
            return ["gate", kind, resolution or "open"]
        case PlanEntry(items):
            return ["plan", *(word for item in items for word in (item.state, _text(item.text)))]
        case HealthEntry(state, code):
            return ["health", state, code]
        case SourceEntry(title):
            return ["source", _text(title)]
        case ArtifactEntry(name):
            return ["artifact", _text(name)]


def _terminal_words(terminal: TerminalEntry | None) -> list[str]:
    if terminal is None:
        return ["open"]
    said: list[str]
    confidence = [] if terminal.confidence is None else [terminal.confidence]
    match terminal.type:
        case "failed":
            said = [terminal.code or "unknown"]
        case "cancelled":
            said = []
        case _:
            said = [_text(terminal.text)]
    return [terminal.type, *said, *confidence, terminal.health]


def _text(text: str) -> str:
    """A JSON string, with escapes for all that a terminal or a diff would act on instead of
    showing.
    """
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isprintable():
        return quoted
    return "".join(
        json.dumps(character)[1:-1] if unicodedata.category(character) in _ACTING else character
        for character in quoted
    )


def _name(name: str) -> str:
    return name if _WORD.fullmatch(name) and name.isprintable() else _text(name)


class _Line(NamedTuple):
    number: int
    depth: int
    text: str


class _End(NamedTuple):
    """The line that closes a run's entries."""

    terminal: TerminalEntry | None


class _Parser:
    """Reads runs off a list of lines."""

    def __init__(self, path: str, lines: list[_Line]) -> None:
        self._path = path
        self.lines = lines

    def run(self, depth: int) -> RunView:
        caused_by, continues = self._roots(self._next(depth, "run"))
        entries: list[Entry] = []
        while True:
            line = self._next(depth + 1, "an entry or the run's end")
            parsed = self._line(line)
            if not isinstance(parsed, _End):
                entries.append(parsed)
                continue
            children: list[RunView] = []
            while self.lines and self.lines[0].depth == depth + 1:
                children.append(self.run(depth + 1))
            terminal = parsed.terminal
            health = terminal.health if terminal else "healthy"
            view = RunView("", tuple(entries), terminal, health, tuple(children))
            return replace(view, caused_by=caused_by, continues=continues)

    def _next(self, depth: int, expected: str) -> _Line:
        if not self.lines:
            raise CassetteError(self._path, f"ends where {expected} should stand", _ACCEPT)
        line = self.lines.pop(0)
        starts_run = line.text.split(" ", 1)[0] == "run"
        if line.depth != depth or starts_run != (expected == "run"):
            raise self._error(line, f"expected {expected} here")
        return line

    def _roots(self, line: _Line) -> tuple[int | None, int | None]:
        """The places of the runs that a ``run`` line names."""
        found = _RUN.fullmatch(line.text)
        if found is None:
            raise self._error(line, f"no run reads `{line.text}`")
        cause, former = found.groups()
        return (cause and int(cause)) or None, (former and int(former)) or None

    def _line(self, line: _Line) -> Entry | _End:
        words = _tokens(line.text)
        if words is None:
            raise self._error(line, "a text is not a JSON string")
        try:
            return _read_words(words)
        except (msgspec.ValidationError, ValueError, IndexError, KeyError):
            raise self._error(line, f"no entry of a turn reads `{line.text}`") from None

    def _error(self, line: _Line, what: str) -> CassetteError:
        return CassetteError(self._path, what, _ACCEPT, line.number)


def _tokens(text: str) -> list[str] | None:
    """Words and texts of a line, unquoted; None if something in it is neither."""
    words: list[str] = []
    end = 0
    for found in _TOKEN.finditer(text):
        if found.start() != end:
            return None
        end = found.end()
        words.append(found[2] if found[1] is None else json.loads(found[1]))
    return words if end == len(text) else None


def _read_words(words: list[str]) -> Entry | _End:
    """The entry or the end that a line says. Raises ValueError (msgspec's is one) for any other
    line.
    """
    match words:
        case ["commentary", text]:
            return CommentaryEntry(text)
        case ["commentary", text, "unfinished"]:
            return CommentaryEntry(text, done=False)
        case ["activity", name, kind, state]:
            return _convert(ActivityEntry, name=name, kind=kind, state=state)
        case ["gate", kind, resolution]:
            answer = None if resolution == "open" else resolution
            return _convert(GateEntry, kind=kind, resolution=answer)
        case ["plan", *rest] if len(rest) % 2 == 0:
            pairs = zip(rest[::2], rest[1::2], strict=True)
            items = [{"state": state, "text": text} for state, text in pairs]
            return _convert(PlanEntry, items=items)
        case ["health", state, code]:
            return _convert(HealthEntry, state=state, code=code)
        case ["source", title]:
            return SourceEntry(title)
        case ["artifact", name]:
            return ArtifactEntry(name)
        case ["open"]:
            return _End(None)
        case ["final" | "needs_input" as type_, text, *rest]:
            return _End(_terminal(type_, rest, text=text))
        case ["failed", code, *rest]:
            return _End(_terminal("failed", rest, code=code))
        case ["cancelled", *rest]:
            return _End(_terminal("cancelled", rest))
        case _:
            raise ValueError(words)


def _terminal(
    type_: str, rest: list[str], text: str = "", code: str | None = None
) -> TerminalEntry:
    *confidence, health = rest
    if len(confidence) > 1:
        raise ValueError(rest)
    return _convert(
        TerminalEntry,
        type=type_,
        text=text,
        outcome="abandoned" if code == "abandoned" else OUTCOME_OF[type_],
        health=health,
        code=code,
        confidence=confidence[0] if confidence else None,
    )


_S = TypeVar("_S", bound=msgspec.Struct)


def _convert(struct: type[_S], **fields: object) -> _S:
    tag = struct.__struct_config__.tag
    return msgspec.convert(fields if tag is None else {"type": tag, **fields}, struct)
