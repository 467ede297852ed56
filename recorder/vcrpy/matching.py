"""vcrpy's matchers, for requests that our cassettes recorded.

A cassette of ours holds no request body and no private host, query value or header: what the
recording does not say does not distinguish. Instead of a body its *features* decide, which are
computed here of the live request exactly as the recorder computes them. Where neither request comes
from a cassette of ours, vcrpy's own matcher answers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from turnreel.adapters import registry
from turnreel.adapters.recognition import differences, same_path
from turnreel.recorder.interactions import spoken
from turnreel.sanitizers.placeholders import MARKER, MASKED
from turnreel.wire.units import Json

from .exchanges import UNKNOWN_ORIGIN
from .reading import MARK, Mark, body_of, mark_of

if TYPE_CHECKING:
    from vcr.request import Request

Matcher = Callable[["Request", "Request"], None]
"""Of the request that is made and a recorded one: returns, or raises `AssertionError` with the
difference."""

SHOWN: Final = 3
_HOST_PARTS: Final = ("scheme", "host", "port")


def features(asked: Request, recorded: Request) -> None:
    """The same step of the same conversation: model, streaming or not, roles and kinds of the
    history, tool-result ids. A dialect that nobody knows has none, so its requests are equal here.
    """
    known = _features(recorded)
    if known is None:
        return
    found = list(islice(differences(known, _features(asked)), SHOWN))
    _require(not found, "; ".join(found))


def matchers() -> dict[str, Matcher]:
    """By the names that vcrpy has for them, and ``features``."""
    from vcr import matchers as own

    tolerant: dict[str, tuple[Matcher, Matcher]] = {
        "scheme": (own.scheme, _where(own.scheme)),
        "host": (own.host, _where(own.host)),
        "port": (own.port, _where(own.port)),
        "path": (own.path, _path),
        "query": (own.query, _query),
        "uri": (own.uri, _uri),
        "url": (own.uri, _uri),
        "headers": (own.headers, _headers),
        "body": (own.body, features),
        "raw_body": (own.raw_body, features),
    }
    return {
        "features": features,
        **{name: _either(name, *pair) for name, pair in tolerant.items()},
    }


def _either(name: str, own: Matcher, ours: Matcher) -> Matcher:
    def matcher(asked: Request, recorded: Request) -> None:
        answers = own if _mark(recorded) is None else ours
        answers(asked, recorded)

    matcher.__name__ = name  # what vcrpy shows
    return matcher


def _where(own: Matcher) -> Matcher:
    def matcher(asked: Request, recorded: Request) -> None:
        if not recorded.uri.startswith(UNKNOWN_ORIGIN):
            own(asked, recorded)

    return matcher


def _path(asked: Request, recorded: Request) -> None:
    same = same_path(recorded.path or "/", asked.path or "/")
    _require(same, f"{asked.path} != {recorded.path}")


def _query(asked: Request, recorded: Request) -> None:
    """The same keys, and their values where they were kept; a key that was masked is any other."""
    left = parse_qsl(asked.parsed_uri.query, keep_blank_values=True)
    masked = 0
    for key, value in parse_qsl(recorded.parsed_uri.query, keep_blank_values=True):
        if MARKER.fullmatch(key):
            masked += 1
            continue
        same = (pair for pair in left if pair[0] == key and value in (pair[1], MASKED))
        found = next(same, None)
        if found is None:
            raise AssertionError(f"the query has no such {key}")
        left.remove(found)
    _require(len(left) == masked, "the query differs")


def _uri(asked: Request, recorded: Request) -> None:
    from vcr import matchers as own

    for part in _HOST_PARTS:
        _where(getattr(own, part))(asked, recorded)
    _path(asked, recorded)
    _query(asked, recorded)


def _headers(asked: Request, recorded: Request) -> None:
    """Every recorded header is there, with its value where that was kept."""
    for name, value in recorded.headers.items():
        if name != MARK:
            given = asked.headers.get(name)
            _require(given is not None, f"no header {name}")
            kept = value != MASKED and not MARKER.fullmatch(value)
            _require(not kept or given == value, f"header {name} differs")


def _require(holds: bool, difference: str) -> None:
    if not holds:
        raise AssertionError(difference)  # how vcrpy wants to be told


def _features(request: Request) -> Json:
    """Recorded, or computed as the recorder does."""
    if (mark := _mark(request)) is not None:
        known: Json = mark.features
        return known
    target = request.path or "/"
    provider = registry.provider(spoken(request.method, target))
    from vcr.util import read_body

    body = body_of({"body": read_body(request)})
    return provider.features(request.method, target, body)


def _mark(request: Request) -> Mark | None:
    value = request.headers.get(MARK)
    return mark_of(((MARK, value),)) if isinstance(value, str) else None
