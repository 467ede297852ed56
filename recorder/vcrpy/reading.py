"""What stands in a vcrpy cassette, as exchanges. Pure but for the file that is read.

One interaction is a request and an answer, both with whole bodies; the forms that older versions of
vcrpy wrote are read as well.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from turnreel.recorder.errors import RecorderError
from turnreel.recorder.imports import opened
from turnreel.recorder.interactions import BODY_LIMIT, Header, Interaction, undone
from turnreel.recorder.json_items import BadItems, json_items

from .yaml_items import yaml_items

FILE_LIMIT: Final = 256 << 20
MARK: Final = "x-turnreel-recorded"
"""The header of a request by which a cassette of ours knows its own again. It holds no more than
the cassette: `Mark`."""

_INTERACTIONS: Final = "interactions"
_REMEDY: Final = "vcrpy cassettes are YAML or JSON with a list of interactions"


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where an exchange was recorded, what is spoken there, by what its request is recognised."""

    cassette: str = ""
    track: str = ""
    exchange: int = 0
    dialect: str | None = None
    features: Any = None  # JSON; msgspec reads no recursive alias


class BadInteraction(ValueError):
    """An interaction that is none, said in the middle of a sentence."""


def read_interactions(path: Path) -> Iterator[Interaction]:
    """The interactions of the vcrpy cassette at `path`, YAML or JSON by its content, in order and
    one at a time. Raises `RecorderError`: not readable, too large, or not what it should be.
    """
    with opened(path, FILE_LIMIT) as file:
        yield from interactions_in(file, str(path))


def interactions_in(file: BinaryIO, name: str) -> Iterator[Interaction]:
    """The same of an open `file`, which errors call `name`."""
    number = 0
    is_json = file.read(64).lstrip()[:1] == b"{"
    file.seek(0)
    if not is_json:
        _require_yaml()
    items: Iterator[Any] = (
        json_items(file, (_INTERACTIONS,)) if is_json else yaml_items(file, _INTERACTIONS)
    )
    try:
        for number, item in enumerate(items, 1):  # noqa: B007
            yield interaction(item)
    except BadItems as error:
        raise RecorderError(f"{name}: {error}", _REMEDY) from None
    except BadInteraction as error:
        raise RecorderError(f"{name}: interaction {number}: {error}", _REMEDY) from None
    except RecorderError as error:
        raise RecorderError(
            f"{name}: interaction {number}: {error.message}", error.remedy
        ) from None


def interaction(item: Any) -> Interaction:
    """One interaction as vcrpy writes it. Raises `BadInteraction`; `RecorderError` for a body that
    unpacks without end.
    """
    request, response = _part(item, "request"), _part(item, "response")
    method, uri = request.get("method"), request.get("uri", request.get("url"))
    if not isinstance(method, str) or not isinstance(uri, str):
        raise BadInteraction("its request has no method or no uri")
    status = response.get("status", response.get("status_code"))
    if isinstance(status, dict):
        status = status.get("code")
    if not isinstance(status, int) or not 100 <= status <= 599:
        raise BadInteraction("its response has no status")
    asked, answered = headers_of(request), headers_of(response)
    body, encoding = undone(body_of(response, "content"), answered)
    mark = mark_of(asked)
    return Interaction(
        method=method.upper(),
        url=uri,
        asked=tuple(pair for pair in asked if pair[0] != MARK),
        sent=body_of(request) if mark is None else None,
        features=None if mark is None else mark.features,
        told=None if mark is None else mark.dialect,
        status=status,
        answered=answered,
        body=body,
        encoding=encoding,
    )


def mark_of(headers: tuple[Header, ...]) -> Mark | None:
    """The mark among the headers of a request that was recorded by us."""
    for name, value in headers:
        if name == MARK:
            try:
                return msgspec.json.decode(value, type=Mark)
            except (msgspec.DecodeError, RecursionError):
                return None
    return None


def headers_of(part: dict[str, Any]) -> tuple[Header, ...]:
    """The headers of a request or response, names in lower case: a map to values or lists of them,
    or a list of pairs.
    """
    headers = part.get("headers") or {}
    if isinstance(headers, dict):
        pairs = list(headers.items())
    elif isinstance(headers, list):
        pairs = [(pair[0], pair[1]) for pair in headers if isinstance(pair, list) and len(pair) > 1]
    else:
        raise BadInteraction("its headers are no map")
    return tuple(
        (str(name).lower(), _text(one))
        for name, value in pairs
        for one in (value if isinstance(value, list | tuple) else [value])
        if isinstance(one, str | bytes | int | float)
    )


def body_of(part: dict[str, Any], older: str = "body") -> bytes:
    """The body of a request or response, in whatever form it stands there."""
    body = part.get("body", part.get(older))
    if isinstance(body, dict):
        if isinstance(encoded := body.get("base64_string"), str | bytes):
            try:
                return _bounded(base64.b64decode(encoded, validate=True))
            except ValueError:
                raise BadInteraction("its body is not base64") from None
        body = body.get("string")
    if isinstance(body, list):
        body = b"".join(_bytes(piece) for piece in body)
    return _bounded(_bytes(body))


def _part(item: Any, name: str) -> dict[str, Any]:
    part = item.get(name) if isinstance(item, dict) else None
    if not isinstance(part, dict):
        raise BadInteraction(f"it has no {name}")
    return part


def _bytes(value: Any) -> bytes:
    match value:
        case None:
            return b""
        case bytes():
            return value
        case str():
            return value.encode("utf-8", "replace")
        case dict():
            return msgspec.json.encode(value)
    raise BadInteraction("its body is neither text nor bytes")


def _text(value: str | bytes | float) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _bounded(body: bytes) -> bytes:
    if len(body) > BODY_LIMIT:
        raise BadInteraction(f"its body is longer than {BODY_LIMIT >> 20} MiB")
    return body


def _require_yaml() -> None:
    try:
        import yaml  # noqa: F401
    except ImportError:
        raise RecorderError("vcrpy cassettes need PyYAML", "pip install 'turnreel[vcr]'") from None
