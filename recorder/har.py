"""Import of HAR files: what a browser or a debugging proxy saw of sessions with providers.

A HAR holds bodies whole and the time of each exchange, of server-sent events neither their times
nor how they were read. The file is read twice, entry by entry, so that nothing is written before
all of it was understood and no more of it than one entry is in memory.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from turnreel.adapters import registry
from turnreel.cassettes import AgentInfo, Existing, Origin
from turnreel.sanitizers import OpinionName, Profile, Raw
from turnreel.wire.units import Json

from .errors import RecorderError
from .exchanges import By
from .imports import land, opened
from .interactions import (
    SYNTHESIZED,
    Header,
    Interaction,
    Message,
    Telling,
    Tracks,
    intake_of,
)
from .json_items import BadItems, json_items
from .knowledge import known_secrets
from .messages import Plan, Sealed
from .project_policy import ProjectPolicy

FILE_LIMIT: Final = 1 << 30
ENTRIES: Final = ("log", "entries")
LACKS: Final = (
    SYNTHESIZED,
    "read boundaries",
    "what happened at the same time: exchanges stand one after another",
)
_LONGEST_US: Final = 366 * 24 * 3600 * 1_000_000
"""No session lasts a year: a time that is further away is a clock that was set."""


class _Named(msgspec.Struct):
    name: str
    value: str = ""


class _Post(msgspec.Struct):
    text: str | None = None


class _Request(msgspec.Struct, rename={"post": "postData"}):
    method: str
    url: str
    headers: list[_Named] = []
    post: _Post | None = None


class _Content(msgspec.Struct, rename={"media_type": "mimeType"}):
    size: float = 0
    text: str | None = None
    encoding: str | None = None
    media_type: str | None = None


class _Response(msgspec.Struct, rename={"error": "_error"}):
    status: float
    headers: list[_Named] = []
    content: _Content = msgspec.field(default_factory=_Content)
    error: str | None = None


class _Timings(msgspec.Struct):
    receive: float | None = None


class _Message(msgspec.Struct):
    type: str = ""
    time: float = 0
    opcode: float = 1
    data: str = ""


class _Entry(
    msgspec.Struct,
    rename={"started": "startedDateTime", "messages": "_webSocketMessages"},
):
    """What is read of an entry; whatever else is in it is left."""

    request: _Request
    response: _Response
    started: str = ""
    time: float | None = None
    timings: _Timings | None = None
    messages: list[_Message] | None = None


def import_har(
    path: Path,
    target: Path,
    *,
    profile: Profile = "strict",
    existing: Existing = Existing.REFUSE,
    policy: ProjectPolicy | None = None,
    opinions: tuple[OpinionName, ...] = (),
) -> Sealed:
    """Make a sealed cassette of the providers' exchanges in the HAR file at `path`; how many others
    were left out is in the answer's note.

    The same file gives the same cassette, its id included. Raises `RecorderError`: no HAR, cut off,
    too large, no exchange with a known provider in it; `CassetteError`: the target exists or cannot
    be written.
    """
    har = _Har(path)
    plan = har.plan(target, profile, existing, policy or ProjectPolicy())
    sealed = land(replace(plan, opinions=opinions), har.raws(plan))
    if not har.left_out:
        return sealed
    note = f"exchanges with others, left out: {har.left_out}"
    return replace(sealed, note=note)


class _Har:
    """A HAR on disk, understood in a first pass."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tracks = Tracks()
        self._bodiless = 0
        self.left_out = 0
        kept = 0
        for one in self._interactions():
            if one.dialect == registry.NO_DIALECT:
                self.left_out += 1
                continue
            kept += 1
            self._tracks.see(one)
        if not kept:
            raise RecorderError(
                f"{path}: holds no exchange with a provider that is known",
                "record one of /v1/messages, /chat/completions or /responses",
            )

    def plan(
        self, target: Path, profile: Profile, existing: Existing, policy: ProjectPolicy
    ) -> Plan:
        missing = (f"bodies of answers: {self._bodiless}",) if self._bodiless else ()
        return Plan(
            target=str(target),
            replaces=existing is Existing.REPLACE,
            agent=AgentInfo("client"),
            tracks=self._tracks.specs(),
            profile=profile,
            origin=Origin(kind="imported", source="har"),
            known=known_secrets(os.environ),
            lacks=LACKS + missing,
            policy=policy,
        )

    def raws(self, plan: Plan) -> Iterator[Raw]:
        """Its records, in order: for a sanitizer, never for a file."""
        telling, intake = Telling(plan.tracks), intake_of(plan.tracks)
        for one in self._interactions():
            if one.dialect != registry.NO_DIALECT:
                for message in telling.told(one):
                    yield from intake.take(message)

    def _interactions(self) -> Iterator[Interaction]:
        """Every entry, one after another: where two overlap, the later one waits for the earlier
        one to end and keeps its own durations.
        """
        began: datetime | None = None
        free_us = 0
        self._bodiless = 0
        for number, entry in self._entries():
            moment = _moment(entry.started)
            began = began or moment
            asked_us = free_us
            if moment is not None and began is not None:
                since_us = round((moment - began).total_seconds() * 1e6)
                if free_us < since_us < free_us + _LONGEST_US:
                    asked_us = since_us
            one = self._interaction(number, entry, asked_us)
            free_us = one.ended_us
            yield one

    def _entries(self) -> Iterator[tuple[int, _Entry]]:
        with opened(self._path, FILE_LIMIT) as file:
            try:
                for number, value in enumerate(json_items(file, ENTRIES), 1):
                    yield number, self._entry(number, value)
            except BadItems as error:
                raise RecorderError(f"{self._path}: {error}", "export the HAR again") from None

    def _entry(self, number: int, value: Json) -> _Entry:
        try:
            return msgspec.convert(value, _Entry)
        except msgspec.ValidationError as error:
            raise RecorderError(
                f"{self._path}: entry {number}: {str(error)[:1].lower()}{str(error)[1:]}",
                "export the HAR again",
            ) from None

    def _interaction(self, number: int, entry: _Entry, asked_us: int) -> Interaction:
        request, response = entry.request, entry.response
        total_us = _us(entry.time)
        receive_us = min(total_us, _us(entry.timings.receive if entry.timings else None))
        answered = _headers(response.headers)
        if response.content.media_type and "content-type" not in dict(answered):
            answered = (*answered, ("content-type", response.content.media_type))
        body = self._body(number, response.content)
        is_answered = 100 <= response.status <= 599
        broken = _broken(response, is_answered)
        if is_answered and body is None and response.content.size > 0:
            self._bodiless += 1
            broken = broken or "unknown"
        messages = None if entry.messages is None else _messages(entry, asked_us)
        spoken_us = [asked_us + total_us, *(message.at_us for message in messages or ())]
        return Interaction(
            method=request.method.upper(),
            url=request.url,
            asked=_headers(request.headers),
            sent=_utf8(request.post.text if request.post else None),
            status=int(response.status) if is_answered else None,
            answered=answered,
            body=body or b"",
            encoding=dict(answered).get("content-encoding", ""),
            broken=broken,
            messages=messages,
            asked_us=asked_us,
            answered_us=asked_us + total_us - receive_us,
            ended_us=max(spoken_us),
        )

    def _body(self, number: int, content: _Content) -> bytes | None:
        """The body, which a HAR holds decoded; None if it was not kept."""
        if content.text is None:
            return None
        if content.encoding != "base64":
            return _utf8(content.text)
        try:
            return base64.b64decode(content.text, validate=True)
        except ValueError:
            raise RecorderError(
                f"{self._path}: entry {number}: its content is not base64", "export the HAR again"
            ) from None


def _headers(headers: list[_Named]) -> tuple[Header, ...]:
    """Without those that http/2 writes in place of a request line."""
    return tuple((one.name.lower(), one.value) for one in headers if one.name[:1] not in ("", ":"))


def _broken(response: _Response, is_answered: bool) -> By | None:
    if response.error is not None and response.error.startswith("net::ERR_ABORTED"):
        return "client"
    return "unknown" if response.error or not is_answered else None


def _messages(entry: _Entry, asked_us: int) -> tuple[Message, ...]:
    """The messages of a websocket; its control frames are not messages."""
    found: list[Message] = []
    moment = _moment(entry.started)
    began = entry.messages[0].time if entry.messages else 0.0
    began = min(began, moment.timestamp()) if moment is not None else began
    at_us = asked_us
    for message in entry.messages or ():
        since_us = _us((message.time - began) * 1000)
        at_us = max(at_us, asked_us + since_us)
        data = _utf8(message.data)
        if message.opcode == 2:
            try:
                data = base64.b64decode(data, validate=True)
            except ValueError:
                data = b""
        if message.opcode in (1, 2):
            found.append(Message(at_us, "send" if message.type == "send" else "receive", data))
    return tuple(found)


def _us(milliseconds: float | None) -> int:
    """-1 is how a HAR says that it does not know."""
    return round(max(0.0, min(milliseconds or 0.0, _LONGEST_US / 1000)) * 1000)


def _utf8(text: str | None) -> bytes:
    return (text or "").encode("utf-8", "replace")


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
