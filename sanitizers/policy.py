"""What may land: a policy is data, one line a path, and everything no line names is masked (S1).

A *policy* belongs to a dialect and has a version of its own. Its lines stand in *records*:
kinds of JSON objects told apart by the values of their discriminators (``type``, ``subtype``
…). A frame of the dialect is the record named ``frame``; a line's mode may hand a value over to
another record. A line reads

    RECORD VARIANT PATH MODE [ARGUMENT …]

    frame  system/init            model           name
    frame  assistant              message         record message
    block  tool_use/*             id              id
    usage  *                      **              number

VARIANT is what the discriminators spell, joined with ``/``; ``*`` stands for every variant and
``a/*`` for every variant that begins with ``a``. PATH steps into objects by ``.`` and into
arrays by ``[]``; ``**`` as the last step names every key that no other line names, ``{name}``
every key of a map, whose keys are themselves cleaned in that mode. A later line wins over an
earlier one for the same path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, get_args

import msgspec

from turnreel.wire.errors import TurnreelError

Profile = Literal["fixture", "strict"]
"""``fixture``: visible text is scrubbed and stays readable. ``strict``: visible text lands as
its shape.
"""

Mode = Literal[
    "enum",  # one of the arguments; another value becomes a distinct placeholder
    "word",  # a lower-case identifier; anything else becomes a placeholder
    "words",  # words with single spaces between them
    "version",  # digits and dots
    "int",
    "bool",
    "number",
    "id",  # a placeholder of the same form, one map for all tracks
    "call",  # the id of a call that is answered: a small number as it is, a string as an id
    "serial",  # an id that is met again soon or never, as a frame's own
    "name",  # a public name the policy lists; another becomes a placeholder
    "path",  # a file or socket path: a placeholder
    "url",  # path and query of a request: listed words pass
    "when",  # a date or epoch, shifted by one offset for the session
    "text",  # visible text: scrubbed, or shaped in the strict profile
    "scrub",  # text that stays readable in every profile, its secrets replaced
    "drop",  # nothing of it: an empty text, 0
    "shape",  # letters to x, digits to 0; literals of the dialect pass
    "command",  # a command line: program name and shape
    "filler",  # hidden: x of the same length
    "delta",  # a piece of a streamed block: text or json
    "record",  # an object described by the named record
    "source",  # a string that is the JSON source of the named record
    "masked",  # a typed placeholder, on purpose and not reported
]

_MODES: Final = frozenset(get_args(Mode))
_WITH_ARGUMENTS: Final = frozenset({"enum", "delta", "record", "source"})

Key = Literal["name", "text", "id", "word"]


class PolicyError(TurnreelError):
    """A policy that cannot be read. Raised when it is compiled, never while sanitizing."""


class Line(msgspec.Struct, frozen=True):
    """One line of a policy: in `variant` of `record`, what stands at `path` lands as `mode`
    says.
    """

    record: str
    variant: str
    path: str
    mode: Mode
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.record, self.variant, self.path, self.mode, *self.arguments))

    def applies_to(self, variant: str) -> bool:
        """Whether this line speaks about objects of `variant`."""
        if self.variant in ("*", variant):
            return True
        return self.variant.endswith("/*") and variant.startswith(self.variant[:-1])


class Blocks(msgspec.Struct, frozen=True, kw_only=True):
    """How a dialect streams: which frames open, feed and close a block whose deltas are one text.

    `key` are the paths that tell blocks of one track and exchange apart, `start` and `stop` the
    frames that open and close one, `tool` the path in the start frame that names the record
    variant of a tool's input, `ends` the frames that close all blocks with the same leading
    keys.
    """

    key: tuple[str, ...]
    start: str
    stop: str
    tool: str
    ends: tuple[str, ...] = ()


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """A dialect's policy.

    `discriminators` maps a record to the paths that spell its variant; ``@event`` is the name in
    an event stream's ``event`` line. `names` are the
    dialect's public names (models, tools, capabilities), `name_patterns` expressions for whole
    families of them; `texts` says how units that are no JSON land, by record code (shape,
    unless said otherwise); `literals` fixed strings of its runtime (C9, E5): a text that begins
    with one keeps it in every mode; `inner` those that a shaped text keeps wherever they stand
    in it, since the runtime quotes its own sentences; `notices` expressions for what the runtime
    says inside visible text too (C9): it stands as it is and parts the text around it; `keys` are
    further public field names that may stand in shaped values. `input` is the record whose
    variants, by tool name, describe a tool's arguments.
    """

    dialect: str
    version: int
    discriminators: dict[str, tuple[str, ...]]
    lines: tuple[Line, ...]
    blocks: Blocks | None = None
    names: frozenset[str] = frozenset()
    name_patterns: tuple[str, ...] = ()
    name_prefixes: tuple[str, ...] = ()
    texts: dict[str, Mode] = {}
    literals: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()
    input: str = "input"


def lines(text: str) -> tuple[Line, ...]:
    """The lines of `text`; empty ones and what follows ``#`` are skipped. Raises `PolicyError`."""
    return tuple(_parse(text))


def _parse(text: str) -> Iterator[Line]:
    for number, source in enumerate(text.splitlines(), 1):
        fields = source.split("#", 1)[0].split()
        if not fields:
            continue
        if len(fields) < 4:
            raise PolicyError(
                f"policy line {number} has {len(fields)} fields",
                "write RECORD VARIANT PATH MODE [ARGUMENT …]",
            )
        record, variant, path, mode, *arguments = fields
        if mode not in _MODES:
            raise PolicyError(
                f"policy line {number} names no known mode: {mode}",
                f"use one of {', '.join(sorted(_MODES))}",
            )
        if bool(arguments) != (mode in _WITH_ARGUMENTS):
            raise PolicyError(
                f"policy line {number}: mode {mode} with {len(arguments)} arguments",
                "enum, delta, record and source take arguments, other modes take none",
            )
        yield Line(record, variant, path, mode, tuple(arguments))  # type: ignore[arg-type]
