"""Export to vcrpy cassettes: what lands is what the cassette holds, which was sanitized."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from turnreel.cassettes import Existing, open_cassette
from turnreel.recorder.errors import RecorderError

from .exchanges import Exchange, as_request, as_response, exchanges_of

FORMAT: Final = 1
"""The version of vcrpy's own format."""

_SERVE: Final = "play it with turnreel serve"

Losses = Literal["refuse", "accept"]
Form = Literal["yaml", "json"]


class Exported(msgspec.Struct, frozen=True):
    """What was written; `lost` is one line for each exchange that vcrpy cannot hold whole."""

    path: Path
    interactions: int
    lost: tuple[str, ...] = ()


def export_vcr(
    path: Path,
    target: Path,
    *,
    losses: Losses = "refuse",
    existing: Existing = Existing.REFUSE,
    form: Form | None = None,
) -> Exported:
    """Write the exchanges of the cassette at `path` as a vcrpy cassette, YAML or JSON by the ending
    of `target` unless `form` says.

    Request bodies are not in it, as they are in none of ours; a header of each request holds its
    features. A stream that was cut would look whole to vcrpy: it, what has no answer and
    websockets are refused, unless `losses` are accepted. Raises `RecorderError`: those, no exchange
    at all, the target exists or cannot be written, the extra is missing; `CassetteError`: `path`
    cannot be read.
    """
    written = form or ("json" if target.suffix == ".json" else "yaml")
    dump = _dumper(written)
    cassette = open_cassette(path)
    found = list(exchanges_of(cassette))
    if not found:
        raise RecorderError(
            f"{path}: holds no exchange with a provider", "vcrpy holds nothing else"
        )
    lost = tuple(
        f"{one.track.id} exchange {one.number}: {one.loss}"
        + ("" if one.status is not None else "; left out")
        for one in found
        if one.loss is not None
    )
    if lost and losses == "refuse":
        more = f", and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise RecorderError(
            f"{path}: {lost[0]}{more}; vcrpy cannot hold that",
            f"{_SERVE}, or export with --lossy",
        )
    held = [one for one in found if one.status is not None]
    if not held:
        raise RecorderError(f"{path}: {lost[0]}; vcrpy can hold nothing of it", _SERVE)
    text = dump({"version": FORMAT, "interactions": interactions(held, cassette.header.id)})
    _write(target, text.encode(), existing)
    return Exported(target, len(held), lost)


def interactions(held: list[Exchange], cassette: str) -> list[dict[str, Any]]:
    """Exchanges with an answer, as vcrpy writes them: bodies are text where they can be."""
    return [
        {"request": as_request(one, cassette), "response": _readable(as_response(one))}
        for one in held
    ]


def _readable(response: dict[str, Any]) -> dict[str, Any]:
    try:
        return {**response, "body": {"string": response["body"]["string"].decode()}}
    except UnicodeDecodeError:
        return response


def _dumper(form: Form) -> Callable[[dict[str, Any]], str]:
    """vcrpy's own serializer, so that the file is as vcrpy would write it."""
    try:
        from vcr.serializers import jsonserializer, yamlserializer
    except ImportError:
        raise RecorderError(
            "exporting to vcrpy needs vcrpy", "pip install 'turnreel[vcr]'"
        ) from None
    serializer = jsonserializer if form == "json" else yamlserializer

    def dump(document: dict[str, Any]) -> str:
        try:
            return str(serializer.serialize(document))
        except TypeError:
            raise RecorderError(
                "a body holds bytes that are no text, which JSON cannot", "export to YAML"
            ) from None

    return dump


def _write(target: Path, data: bytes, existing: Existing) -> None:
    """Whole or not at all: a file that exists stays until the new one is."""
    part = target.with_name(f"{target.name}.part")
    try:
        if existing is Existing.REFUSE and target.exists():
            raise RecorderError(f"{target}: exists already", "choose another name, or --force")
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        reason = (error.strerror or "cannot be written").lower()
        raise RecorderError(f"{target}: {reason}", "choose a folder that can be written") from None
