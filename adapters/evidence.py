"""Evidence of a passing conformance run, kept beside the adapter that it is of (Q1).

It is of exact code: the texts of the dialect's folder, and of what its adapter shares with others.
Line ends and white space at them do not count. Whoever changes the code qualifies it anew. Evidence
says whether a dialect is *enabled*; it never stands in the way of translating, verifying, editing.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.util import find_spec
from typing import Final, Literal

import msgspec

CONTRACT: Final = "turn/1"
"""The contract's version that this code is of."""

SET: Final = 2
"""The number of the set of requirements, among those of that version, that adapters are held
against.
"""

FILE: Final = "evidence.json"
"""The file in the dialect's folder."""

_ROOM: Final = __package__ or "turnreel.adapters"


class Counts(msgspec.Struct, frozen=True):
    """How much was tried: scenarios played whole, with limits, and not at all for want of frames;
    recordings; and cases, each a stream that was changed or judged.
    """

    whole: int
    limited: int
    unsaid: int
    recordings: int
    cases: int


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What a passing run showed. `code`, `requirements` and `corpus` are digests: of the adapter's
    texts, of the scenarios of the contract's version, and of the recordings. `versions` are those
    of the agent that the adapter was proven on, `limits` the subjects that it declares impossible,
    `set` the number of the requirements.
    """

    dialect: str
    contract: str
    tier: str
    versions: tuple[str, ...]
    code: str
    requirements: str
    corpus: str
    counts: Counts
    limits: tuple[str, ...] = ()
    set: int = 1


State = Literal["enabled", "secondary", "provider", "refused"]


class Standing(msgspec.Struct, frozen=True):
    """Whether a dialect may be a host's source of answers, or why not."""

    dialect: str
    state: State
    reason: str = ""


def read(package: str) -> Evidence | None:
    """The evidence beside the adapter in `package`; None if there is none, or what is there is
    none.
    """
    try:
        return msgspec.json.decode(
            resources.files(package).joinpath(FILE).read_bytes(), type=Evidence
        )
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def refusal(evidence: Evidence | None, dialect: str, versions: tuple[str, ...], code: str) -> str:
    """Why this evidence enables no adapter of that code; empty if it does."""
    if evidence is None:
        return "there is no evidence: turnreel conform --qualify writes it"
    if evidence.dialect != dialect:
        return f"the evidence is of {evidence.dialect}"
    if evidence.contract != CONTRACT:
        return f"the evidence is of {evidence.contract}, and this is {CONTRACT}"
    if evidence.set != SET:
        return f"the evidence is of set {evidence.set} of the requirements, and this is {SET}"
    if evidence.versions != versions:
        return "the evidence is of other versions of the agent"
    if evidence.code != code:
        return "its code has changed since it was qualified"
    return ""


def code_of(package: str) -> str:
    """The digest of the adapter in `package`. Raises `ImportError` if there is none."""
    return digest(texts(package))


def digest(told: Mapping[str, str]) -> str:
    """The digest of texts by name, over lines without white space at their ends."""
    whole = hashlib.sha256()
    for name in sorted(told):
        lines = "\n".join(line.rstrip() for line in told[name].splitlines())
        whole.update(f"{name}\n{lines.rstrip()}\n\0".encode())
    return whole.hexdigest()[:16]


def texts(package: str) -> dict[str, str]:
    """The modules that an adapter is made of: all of its folder, and those of this room that its
    ``adapter`` imports, directly or not.
    """
    found = {f"{package}.{name}": text for name, text in _folder(package)}
    waiting = [f"{package}.adapter"]
    seen = set(waiting)
    while waiting:
        module = waiting.pop()
        if module not in found and (text := _text(module)) is not None:
            found[module] = text
        for other in _imports(found.get(module, ""), module):
            if other not in seen and other.startswith((f"{_ROOM}.", f"{package}.")):
                seen.add(other)
                waiting.append(other)
    return found


def _folder(package: str) -> Iterator[tuple[str, str]]:
    for file in resources.files(package).iterdir():
        if file.name.endswith(".py"):
            yield file.name.removesuffix(".py"), file.read_text(encoding="utf-8")


def _text(module: str) -> str | None:
    parent, _, name = module.rpartition(".")
    try:
        spec = find_spec(parent)
        if spec is None or spec.submodule_search_locations is None:
            return None  # a name that a module holds
        return resources.files(parent).joinpath(f"{name}.py").read_text(encoding="utf-8")
    except (OSError, ImportError, TypeError):
        return None


def _imports(text: str, module: str) -> Iterator[str]:
    """The modules that `module` may import from; names of what they hold come with them."""
    package = module.rpartition(".")[0]
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.ImportFrom(module=source, level=level):
                base = package if level else ""
                whole = ".".join(part for part in (base, source) if part)
                yield whole
                yield from (f"{whole}.{name.name}" for name in node.names)
            case ast.Import(names=names):
                yield from (name.name for name in names)
