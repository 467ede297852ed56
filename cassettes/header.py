"""The first and the last line: what was recorded, and what holds it together."""

from __future__ import annotations

import hashlib
from typing import Any, Final, Literal

import msgspec

from turnreel.lifecycle.terms import PLAIN, Terms
from turnreel.wire.units import Json

FORMAT: Final = 1
"""The major version of the format. A reader refuses a newer one; within a major the format only
grows."""

Carrier = Literal["stdio", "http", "websocket", "host"]


class TrackSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One channel of the session. `endpoint` is the shape of an http track's address."""

    id: str
    carrier: Carrier
    dialect: str
    endpoint: str | None = None


class AgentInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The program that was recorded; the version as it calls itself, if it was known."""

    name: str
    version: str | None = None


class Origin(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"source": "from"}
):
    """Where the cassette comes from: for an import, `source` is the other format and `name` the
    capture's own name."""

    kind: Literal["recorded", "imported", "generated"]
    source: str | None = None
    name: str | None = None


class Outline(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything of a header that is known before the first record.

    `policies` is the field policy's version for each dialect, `rules` the version of the secret
    rules, `project_policy` the digest of lines that a project added to them. `lacks` is what the
    source could not give ("timing synthesized"). `sanitized_from` is the id of the cassette that
    this one was sanitized again from, `continues` that of the one it goes on from. `terms` are what
    the host declared of the turns it asks for, None if nothing. `issue` is the address of the
    report that a fixture was made for, `minimized_from` the id of the cassette it was shrunk from.
    """

    agent: AgentInfo
    tracks: tuple[TrackSpec, ...]
    policies: dict[str, int]
    rules: int
    profile: Literal["fixture", "strict"]
    origin: Origin
    tags: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    project_policy: str | None = None
    sanitized_from: str | None = None
    continues: str | None = None
    terms: Terms | None = None
    issue: str | None = None
    minimized_from: str | None = None

    @property
    def declared(self) -> Terms:
        """What the host declared."""
        return self.terms or PLAIN

    def track(self, id_: str) -> TrackSpec | None:
        """The track of that id."""
        return next((track for track in self.tracks if track.id == id_), None)


class Header(Outline, frozen=True, kw_only=True, omit_defaults=True):
    """A cassette's first line. `id` derives from the rest of it and the first record."""

    id: str


class Seal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A cassette's last line: the session was recorded to its end and checked.

    `digest` is the SHA-256 of all uncompressed bytes above it; `report` what was replaced, by rule
    and count (S5). `recovered` says that a killed recorder left the cassette and that it was sealed
    later; `unchecked` names the checks that could not be repeated then.
    """

    records: int
    digest: str
    report: dict[str, Any] | None = None
    recovered: bool = False
    unchecked: tuple[str, ...] = ()


_Major = msgspec.defstruct("_Major", [("turnreel", int)])
_major = msgspec.json.Decoder(_Major)
_header = msgspec.json.Decoder(Header)


class _Last(msgspec.Struct, frozen=True):
    seal: Seal


_last = msgspec.json.Decoder(_Last)


def derive_id(outline: Outline, first_line: bytes) -> str:
    """The session's id: 16 hexadecimal digits of the outline and the first record's line. The same
    recording imported again gets the same id, two recordings get two."""
    return hashlib.sha256(_line({}, outline) + first_line).hexdigest()[:16]


def header_line(outline: Outline, first_line: bytes) -> tuple[Header, bytes]:
    """The header of a cassette whose first record is `first_line`, and its line."""
    id_ = derive_id(outline, first_line)
    fields = {name: getattr(outline, name) for name in Outline.__struct_fields__}
    return Header(id=id_, **fields), _line({"id": id_}, outline)


def seal_line(seal: Seal) -> bytes:
    """The last line of a cassette."""
    return msgspec.json.encode(_Last(seal)) + b"\n"


def digest_word(digest: hashlib._Hash) -> str:
    """A digest as the seal writes it."""
    return f"sha256:{digest.hexdigest()}"


def read_major(line: bytes) -> int | None:
    """The format's major version in a first line, or None if the line is no header."""
    try:
        return int(_major.decode(line).turnreel)  # type: ignore[attr-defined]
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def is_cut_header(line: bytes) -> bool:
    """Whether a first line that says no major is the beginning of a header."""
    if not line.startswith(b'{"turnreel":'):
        return False
    try:
        _major.decode(line)
    except msgspec.ValidationError:  # whole, and something else
        return False
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return True
    return False


def read_header(line: bytes) -> Header:
    """The header in a first line of this major.

    Raises:
        msgspec.ValidationError: a field is missing or of a wrong type.
    """
    return _header.decode(line)


def read_seal(line: bytes) -> Seal | None:
    """The seal in a line, or None if the line is none."""
    try:
        return _last.decode(line).seal
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def _line(lead: dict[str, Json], outline: Outline) -> bytes:
    fields = msgspec.to_builtins(outline)
    return msgspec.json.encode({"turnreel": FORMAT, **lead, **fields}) + b"\n"
