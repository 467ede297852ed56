"""Streamed blocks of real sessions, with a secret in their text and their text cut anew."""

from __future__ import annotations

import copy
import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple

import brotli  # type: ignore[import-untyped]
import zstandard

from turnreel.recorder.intake import Intake
from turnreel.recorder.messages import Captured, Chunk, Fact, Over
from turnreel.sanitizers import Policy, Raw
from turnreel.wire.encode import encode
from turnreel.wire.units import JsonUnit, SseFraming

from .corpus import Session

TEXTS: Final = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "input_json_delta": "partial_json",
}
COMPRESSIONS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "identity": bytes,
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


class Stream(NamedTuple):
    """A block as it was streamed: the frames before its first delta, the deltas, the last frame."""

    policies: dict[str, Policy]
    before: tuple[Raw, ...]
    deltas: tuple[Raw, ...]
    after: tuple[Raw, ...]

    @property
    def is_json(self) -> bool:
        return bool(_delta(self.deltas[0])["type"] == "input_json_delta")

    def text(self) -> str:
        """Its whole text."""
        return "".join(_delta(raw)[TEXTS[_delta(raw)["type"]]] for raw in self.deltas)

    def with_secret(self, secret: str) -> str:
        """Its text with `secret` in the middle, inside a string where the text is JSON."""
        text = self.text()
        if not self.is_json:
            middle = len(text) // 2
            return f"{text[:middle]} é日本 {secret} 🎉 {text[middle:]}"
        return json.dumps({"command": f"é {secret} x", "file_path": secret, "z": [text]})

    def cut(self, pieces: list[str]) -> list[Raw]:
        """The block with `pieces` as its deltas."""
        model = self.deltas[0]
        key = TEXTS[_delta(model)["type"]]
        deltas = []
        for piece in pieces:
            value = copy.deepcopy(_value(model))
            (value.get("event") or value)["delta"][key] = piece
            assert isinstance(model.body, JsonUnit)
            body = JsonUnit(value, model.body.framing)
            deltas.append(Raw(model.at_us, model.track, model.code, body, model.exchange))
        return [*self.before, *deltas, *self.after]


def streams(sessions: tuple[Session, ...]) -> Iterator[Stream]:
    """One streamed block of each kind of each session."""
    for session in sessions:
        seen: set[object] = set()
        raws = [raw for raw in session.raws if isinstance(raw.body, JsonUnit)]
        for number, raw in enumerate(raws):
            if _kind(raw) != "content_block_start":
                continue
            deltas = list(_deltas(raws[number + 1 :], raw))
            if not deltas or not all(_delta(one).get("type") in TEXTS for one in deltas):
                continue
            sort = raw.track, _delta(deltas[0])["type"]
            if sort not in seen:
                seen.add(sort)
                same = [one for one in raws[:number] if _place(one) == _place(raw)]
                before = [one for one in same if _kind(one) == "message_start"][-1:]
                stop = copy.deepcopy(_value(raw))
                inner = stop.get("event") or stop
                inner["type"] = "content_block_stop"
                inner.pop("content_block")
                assert isinstance(raw.body, JsonUnit)
                after = Raw(0, raw.track, raw.code, JsonUnit(stop, raw.body.framing), raw.exchange)
                yield Stream(session.policies, (*before, raw), tuple(deltas), (after,))


def _deltas(raws: list[Raw], start: Raw) -> Iterator[Raw]:
    """The deltas behind `start`, up to the next frame of its stream that is none."""
    for raw in raws:
        if _place(raw) != _place(start):
            continue
        kind = _kind(raw)
        if kind == "ping":
            continue
        if kind != "content_block_delta":
            return
        yield raw


def splits(text: str, low: int, high: int, chance: Random) -> Iterator[list[str]]:
    """`text` in pieces: cut once at every place from `low` to `high`, in single characters, at
    random.
    """
    for place in range(low, high + 1):
        yield [text[:place], text[place:]]
    yield list(text)
    places = sorted(chance.choices(range(len(text)), k=7))
    yield [text[a:b] for a, b in pairwise([0, *places, len(text)])]


def over_the_wire(
    raws: list[Raw], compression: str, reads: Callable[[bytes], list[bytes]]
) -> list[Raw]:
    """The units of one exchange as bytes on a socket, compressed, and read in `reads`."""
    data = COMPRESSIONS[compression](b"".join(encode(_unit(raw)) for raw in raws))
    track, exchange = raws[0].track, raws[0].exchange
    headers = {"content-type": "text/event-stream; charset=utf-8"}
    if compression != "identity":
        headers["content-encoding"] = compression
    messages: list[Captured] = [
        Fact(0, track, "response", exchange, {"status": 200, "headers": headers}),
        *(Chunk(0, track, "data", exchange, piece) for piece in reads(data)),
        Over(0, track, "data", exchange),
        Fact(0, track, "end", exchange, {}),
    ]
    intake = Intake({})
    return [raw for message in messages for raw in intake.take(message)]


def _place(raw: Raw) -> tuple[str, int | None]:
    return raw.track, raw.exchange


def _unit(raw: Raw) -> JsonUnit:
    assert isinstance(raw.body, JsonUnit) and isinstance(raw.body.framing, SseFraming)
    return raw.body


def _value(raw: Raw) -> Any:
    assert isinstance(raw.body, JsonUnit)
    return raw.body.value


def _inner(raw: Raw) -> dict[str, Any]:
    value = _value(raw)
    inner = value.get("event") or value if isinstance(value, dict) else {}
    return inner if isinstance(inner, dict) else {}


def _kind(raw: Raw) -> object:
    return _inner(raw).get("type")


def _delta(raw: Raw) -> dict[str, Any]:
    delta = _inner(raw).get("delta")
    return delta if isinstance(delta, dict) else {}
