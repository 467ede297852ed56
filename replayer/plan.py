"""Fault plans as people write them, read into the frozen values of `faults`.

Two forms, one vocabulary. A spec, for a command line::

    cut:reset@exchange=2,byte=812
    ^   ^     ^ options and the place, in any order, after `,` or `@`
    |   the fault's argument
    the fault

and a plan file, TOML or JSON, whose faults are specs or tables with the same words::

    seed = 7
    pacing = "factor:0.1"
    faults = ["status:429,times=2,retry-after=1", {fault = "cut", how = "reset", byte = 812}]

A place is an event (``event=K``, ``event=terminal``, ``event=terminal-N``, ``event=random``), the
nth event of a type (``type=T,nth=N``), a byte (``byte=N``, ``byte=random``) or a time (``time=S``).
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from .errors import PlanError
from .faults import (
    MAX,
    RECORDED,
    WORDS,
    AtByte,
    AtEvent,
    AtMatch,
    AtRandom,
    AtTerminal,
    AtTime,
    Fault,
    Pacing,
    Place,
    Plan,
    Side,
    Word,
    spec_of,
    word_of,
)
from .faults.places import Kind

T = TypeVar("T")

MAX_PLAN_BYTES: Final = 1 << 20
MAX_FACTOR: Final = 1e6
"""A second becomes more than a week; more than that nobody waits for."""
SHOWN: Final = 120
"""Characters of a fault that a message quotes."""
_WORDS: Final = {word.name: word for word in WORDS}
PLACE_KEYS: Final[dict[str, Kind]] = {
    "event": "event",
    "type": "event",
    "byte": "byte",
    "time": "time",
}
"""The key that says a place, to what the place is counted in."""

_VALIDATORS: Final[dict[type, TypeAdapter[Any]]] = {}
"""Kept, because making one takes longer than using it a thousand times."""

Said = Mapping[str, str | int | float]
"""A fault's options as they were written."""


class PlanFile(BaseModel):
    """A plan file's content: what it may say, before the faults themselves are read."""

    model_config = ConfigDict(extra="forbid")

    seed: int = 0
    pacing: str = "recorded"
    faults: list[str | dict[str, str | int | float]] = Field(default_factory=list)


def parse_fault(spec: str) -> Fault:
    """The fault a spec such as ``cut:clean@event=5`` means.

    Raises PlanError naming the spec, the word that is wrong and an example.
    """
    head, _, tail = spec.strip().replace("@", ",").partition(",")
    name, colon, argument = head.partition(":")
    word = _word(name, spec)
    said: dict[str, str | int | float] = {}
    if colon:
        if word.argument is None:
            raise _wrong(spec, word, f"{word.name} takes no argument after `:`")
        said[word.argument] = argument
    for option in filter(None, tail.split(",")):
        key, equals, value = option.partition("=")
        if not equals:
            raise _wrong(spec, word, f"`{option}` is not of the form key=value")
        key = key.strip().replace("-", "_")
        if key in said:
            raise _wrong(spec, word, f"`{key}` is said twice")
        said[key] = value.strip()
    return _fault(word, said, spec)


def parse_pacing(text: str) -> Pacing:
    """``recorded``, ``max`` or ``factor:X``, where every recorded gap is multiplied by X.

    Raises PlanError for anything else.
    """
    match text.partition(":"):
        case ("recorded", "", ""):
            return RECORDED
        case ("max", "", ""):
            return MAX
        case ("factor", ":", number):
            try:
                factor = float(number)
            except ValueError:
                factor = -1.0
            if 0 <= factor <= MAX_FACTOR:
                return Pacing(factor)
    raise PlanError(
        f"pacing `{_shown(text)}` is not known", "use recorded, max or factor:X, as factor:0.1"
    )


def load_plan(path: Path) -> Plan:
    """The plan of a ``.toml`` or ``.json`` file.

    Raises PlanError naming the file and what is wrong in it.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_PLAN_BYTES + 1)
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror or error}") from error
    if len(raw) > MAX_PLAN_BYTES:
        raise PlanError(f"{path}: a plan is at most {MAX_PLAN_BYTES} bytes")
    try:
        text = raw.decode()
        said = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        if not isinstance(said, dict):
            raise ValueError("it is no table")
        file_ = PlanFile.model_validate(said)
    except ValidationError as error:
        raise PlanError(f"{path}: {_first(error)}", "a plan says seed, pacing, faults") from error
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{path}: not a plan: {error}", "write it as TOML or JSON") from error
    try:
        faults = tuple(_entry(entry) for entry in file_.faults)
        return Plan(faults, file_.seed, parse_pacing(file_.pacing))
    except PlanError as error:
        raise PlanError(f"{path}: {error.message}", error.remedy) from error


def make_plan(specs: Iterable[str] = (), *, seed: int = 0, pacing: str = "recorded") -> Plan:
    """A plan from specs, as a command line or a test gives them."""
    return Plan(tuple(parse_fault(spec) for spec in specs), seed, parse_pacing(pacing))


def require(plan: Plan, side: Side) -> Plan:
    """`plan` itself, if `side` can execute all of it; else PlanError naming the first misfit."""
    for fault in plan.misplaced(side):
        able = " or ".join(sorted(word_of(fault).sides))
        raise PlanError(f"{spec_of(fault)}: the {side} cannot do that", f"it is for the {able}")
    return plan


def placed(word: Word) -> Literal["always", "perhaps", "never"]:
    """Whether the fault has a place."""
    for item in fields(word.fault):
        if item.name == "at":
            return "always" if item.default is MISSING else "perhaps"
    return "never"


def _entry(entry: str | Said) -> Fault:
    if isinstance(entry, str):
        return parse_fault(entry)
    said = {key.replace("-", "_"): value for key, value in entry.items()}
    name = said.pop("fault", "")
    label = json.dumps(entry)
    return _fault(_word(str(name), label), said, label)


def word_named(name: str) -> Word:
    """The vocabulary's row of that name. Raises PlanError with the nearest name."""
    return _word(name, name)


def _word(name: str, label: str) -> Word:
    if word := _WORDS.get(name):
        return word
    close = difflib.get_close_matches(name, _WORDS, 1)
    hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(_WORDS)}"
    raise PlanError(f"fault `{_shown(label)}`: nothing is called `{_shown(name)}`", hint)


def _fault(word: Word, said: Said, label: str) -> Fault:
    """The fault of `word` with the fields `said`, its place made from ``event=`` and the like."""
    keys = [key for key in PLACE_KEYS if key in said]
    if len(keys) > 1:
        raise _wrong(label, word, f"one place is enough: {keys[0]} or {keys[1]}")
    if placed(word) == "always" and not keys:
        raise _wrong(label, word, f"says not where: add {' or '.join(word.places)}=N")
    if "nth" in said and "type" not in said:
        raise _wrong(label, word, "`nth` counts events of a type: add type=T")
    values: dict[str, object] = {
        key: value for key, value in said.items() if key not in PLACE_KEYS and key != "nth"
    }
    try:
        for key in keys:
            if PLACE_KEYS[key] not in word.places:
                raise _wrong(label, word, f"{word.name} has no place `{key}`")
            values["at"] = _place(key, said)
        made = _made(word.fault, values)
    except ValidationError as error:
        raise _wrong(label, word, _first(error)) from error
    assert isinstance(made, Fault), "the table holds nothing else"
    return made


def _place(key: str, said: Said) -> Place:
    """Raises ValidationError."""
    match key, said[key]:
        case "event" | "byte", "random":
            return _made(AtRandom, {"of": key})
        case "event", str(text) if text.startswith("terminal"):
            back = text.removeprefix("terminal").removeprefix("-") or 0
            return _made(AtTerminal, {"back": back})
        case "event", value:
            return _made(AtEvent, {"event": value})
        case "byte", value:
            return _made(AtByte, {"byte": value})
        case "time", value:
            return _made(AtTime, {"time": value})
        case _, value:
            return _made(AtMatch, {"type": value, "nth": said.get("nth", 1)})


def _made(kind: type[T], values: dict[str, object]) -> T:
    """Raises ValidationError."""
    if kind not in _VALIDATORS:
        _VALIDATORS[kind] = TypeAdapter(kind)
    made: T = _VALIDATORS[kind].validate_python(values)
    return made


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    unknown = first["type"] == "unexpected_keyword_argument"
    what = "no such option" if unknown else first["msg"].partition("\n")[0].lower()
    return f"{where}: {what}" if where else what


def _wrong(label: str, word: Word, what: str) -> PlanError:
    example = f"for example {' or '.join(word.examples)}"
    return PlanError(f"fault `{_shown(label)}`: {_shown(what)}", example)


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
