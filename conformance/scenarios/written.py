"""Scenarios in files::

    requirement = "What was said before a tool is never part of the answer."
    clauses = ["C1", "C2"]
    turn = '''
    run
      commentary "I'll look first."
      activity file_read file_read ok
      final "The total is 76." healthy
    '''

    [[script]]
    answer = [{say = "I'll look first."}, {call = {tool = "t1", name = "file_read"}}]

    [[script]]
    return = {tool = "t1", text = "3 rows"}

    [[script]]
    answer = "The total is 76."

    [[script]]
    end = {}

A step is a table of one word, which is a step of `adapters.steps` in small letters; so is a block
of an answer. Behind the word stand its fields, or, in place of a table, the value of its first one.
What the edge tells is its signal's name, or its fields. An answer that calls a tool goes on with it
unless it says otherwise. JSON holds the same. A scenario is called as its file is.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from turnreel.adapters.claims import Subject
from turnreel.adapters.steps import Answer, Block, Call, Step, Tell
from turnreel.cassettes import CassetteError
from turnreel.cassettes.turnfile import parse_turns
from turnreel.conformance.coverage import every_clause
from turnreel.conformance.errors import ConformanceError
from turnreel.lifecycle.signals import AnySignal

from .scenario import Scenario, Tier
from .sense import nonsense

SIZE_LIMIT: Final = 1 << 20
"""Bytes a file may have."""

STEPS: Final[Mapping[str, type[msgspec.Struct]]] = {
    kind.__name__.lower(): kind for kind in get_args(Step)
}
"""Every step by its word."""
_BLOCKS: Final[Mapping[str, type[msgspec.Struct]]] = {
    kind.__name__.lower(): kind for kind in get_args(Block)
}


class _File(msgspec.Struct, forbid_unknown_fields=True):
    requirement: str
    script: list[dict[str, Any]]
    id: str = ""
    clauses: tuple[str, ...] = ()
    tier: Tier = "core"
    turn: str = ""
    trouble: Subject = "retries"
    whole: Subject | None = None


def read_scenario(path: Path) -> Scenario:
    """The scenario in the file at `path`, TOML or JSON.

    Raises `ConformanceError` naming file, step and what is wrong.
    """
    written = _read(path)
    _require_sense(path, written)
    steps = []
    for number, said in enumerate(written.script, 1):
        try:
            steps.append(_step(said))
        except ValueError as error:  # msgspec's is one
            raise ConformanceError(
                f"{path}: step {number}: {error}",
                "a step is a word with its fields: reject = 429",
            ) from None
    if wrong := nonsense(tuple(steps)):
        raise ConformanceError(f"{path}: {wrong}", "a script tells what happens, in its order")
    return Scenario(
        id=path.stem,
        requirement=written.requirement,
        clauses=written.clauses,
        script=tuple(steps),
        turn=written.turn,
        trouble=written.trouble,
        tier=written.tier,
        whole=written.whole,
    )


def require_turn(scenario: Scenario, path: Path) -> Scenario:
    """`scenario` from the file at `path`, if it says what must come out and by which clauses.

    Raises `ConformanceError` if it does not: nothing can be held against it.
    """
    if not scenario.turn.strip():
        raise ConformanceError(
            f"{path}: has no turn", "write what must come out, as turn = '''…'''"
        )
    if not scenario.clauses:
        raise ConformanceError(f"{path}: has no clauses", 'name what it is about, as ["C1"]')
    return scenario


def _read(path: Path) -> _File:
    try:
        with path.open("rb") as file:
            raw = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise ConformanceError(f"{path}: {reason}", "name a scenario's file") from None
    if len(raw) > SIZE_LIMIT:
        raise ConformanceError(f"{path}: longer than {SIZE_LIMIT} bytes", "a scenario is one turn")
    try:
        text = raw.decode()
        said = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        return msgspec.convert(said, _File)
    except (ValueError, RecursionError) as error:  # msgspec's is one
        raise ConformanceError(
            f"{path}: no scenario: {error}", "it says requirement and script, in TOML or JSON"
        ) from None


def _require_sense(path: Path, written: _File) -> None:
    """Raises `ConformanceError` for what is readable and says nothing."""
    if written.id not in ("", path.stem):
        raise ConformanceError(
            f"{path}: calls itself {written.id}", "a scenario is called as its file is"
        )
    if not written.script:
        raise ConformanceError(f"{path}: has no steps", "write each as [[script]]")
    for clause in written.clauses:
        if clause not in every_clause():
            raise ConformanceError(f"{path}: there is no clause {clause}", "see the turn protocol")
    try:
        parse_turns(written.turn, Path(f"{path}: turn"))
    except CassetteError as error:
        raise ConformanceError(
            error.message, "write the turn as `turnreel show` prints it"
        ) from None


def _step(said: dict[str, Any]) -> Any:
    if list(said) == ["tell"]:
        return Tell(_signal(said["tell"]))
    word, fields = _worded(said, STEPS)
    if "blocks" in fields:
        blocks = tuple(_block(block) for block in _listed(fields["blocks"]))
        fields["blocks"] = blocks
        if word is Answer and any(isinstance(block, Call) for block in blocks):
            fields.setdefault("stop", "tool_use")
    return _made(word, fields)


def _signal(said: object) -> AnySignal:
    told: AnySignal = msgspec.convert(
        {"signal": said} if isinstance(said, str) else said, AnySignal, strict=True
    )
    return told


def _block(said: object) -> Any:
    if not isinstance(said, dict):
        raise ValueError(f"{said!r} is no block, as {{say = …}}")
    return _made(*_worded(said, _BLOCKS))


def _made(kind: type[msgspec.Struct], fields: dict[str, Any]) -> msgspec.Struct:
    """A step or block; `blocks` among its fields are made already. Raises `ValueError`."""
    types = get_type_hints(kind)
    made = {
        name: value if name == "blocks" else msgspec.convert(value, _readable(types[name]))
        for name, value in fields.items()
    }
    try:
        return kind(**made)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _readable(hint: Any) -> Any:
    """The type of a field, for msgspec: a tool's arguments are any JSON, which is no type there."""
    return dict[str, Any] if get_origin(hint) is dict else hint


def _worded(
    said: dict[str, Any], words: Mapping[str, type[msgspec.Struct]]
) -> tuple[type[msgspec.Struct], dict[str, Any]]:
    """The word that `said` consists of, and its fields by name."""
    if len(said) != 1:
        raise ValueError(f"{', '.join(said) or 'nothing'} is not one word")
    [(word, value)] = said.items()
    kind = words.get(word)
    if kind is None:
        raise ValueError(f"nothing is called {word!r}: there are {', '.join(words)}")
    names = kind.__struct_fields__
    fields = dict(value) if isinstance(value, dict) else {names[0]: value} if names else {}
    unknown = [name for name in fields if name not in names]
    if unknown:
        raise ValueError(f"{word} has no {', '.join(unknown)}: it has {', '.join(names)}")
    return kind, fields


def _listed(value: object) -> list[Any]:
    """Blocks as they are written: a list, or one text that is said."""
    if isinstance(value, str):
        return [{"say": value}]
    if isinstance(value, list):
        return value
    raise ValueError("blocks are a list, as [{say = …}]")
