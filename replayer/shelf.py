"""What is served: the provider exchanges of one cassette or of many, and which of them compete.

A shelf is fixed when serving begins. Who was served what is a client's own matter (`matching`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from turnreel.adapters.recognition import same_path

from .errors import ReplayError
from .script import Exchange
from .tape import Tape, load

SPOKEN_AT: Final = {
    "/messages": "anthropic-messages",
    "/messages/count_tokens": "anthropic-messages",
    "/chat/completions": "openai-chat",
    "/responses": "openai-responses",
}
"""How the paths of providers end, and what is spoken there: for a request that nothing recorded is
like.
"""

Carrier = Literal["http", "websocket"]


class Entry(msgspec.Struct, frozen=True):
    """An exchange on a shelf: its place there, and the name of its cassette."""

    place: int
    cassette: str
    exchange: Exchange


class Shelf:
    """The exchanges of `tapes`, in the order given. Raises ReplayError where there is none."""

    def __init__(self, tapes: Sequence[Tape]) -> None:
        found = [
            (tape.name, exchange)
            for tape in tapes
            for script in tape.providers
            for exchange in script.exchanges
        ]
        if not found:
            for tape in tapes:
                tape.provider()  # says of a single one what it lacks
            raise ReplayError("nothing was named that could be served", "name a cassette")
        self.entries = tuple(
            Entry(place, name, exchange) for place, (name, exchange) in enumerate(found)
        )
        self.cassettes = tuple(dict.fromkeys(name for name, _ in found))
        self.dialects = tuple(dict.fromkeys(exchange.dialect for _, exchange in found))

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All of them, by their place."""
        return tuple(entry.exchange for entry in self.entries)

    @property
    def name(self) -> str:
        """What is served, for people."""
        return self.cassettes[0] if len(self.cassettes) == 1 else f"{len(self.cassettes)} cassettes"

    def called(self, entry: Entry) -> str:
        """What an exchange is called in messages."""
        of = f" of {entry.cassette}" if len(self.cassettes) > 1 else ""
        return f"exchange {entry.exchange.number}{of}"

    def competing(
        self, dialect: str, method: str, path: str, carrier: Carrier = "http"
    ) -> list[Entry]:
        """The exchanges of a dialect with this method and path, which holds no query."""
        return [
            entry
            for entry in self.entries
            if (entry.exchange.dialect, entry.exchange.carrier) == (dialect, carrier)
            and entry.exchange.method == method
            and same_path(target(entry.exchange.path), path)
        ]

    def dialects_at(self, path: str) -> tuple[str, ...]:
        """The dialects that are spoken at a path: those recorded there, else the one that its end
        tells, else the first there is. Never empty.
        """
        recorded = dict.fromkeys(
            entry.exchange.dialect
            for entry in self.entries
            if same_path(target(entry.exchange.path), path)
        )
        if recorded:
            return tuple(recorded)
        told = (name for end, name in SPOKEN_AT.items() if path.endswith(end))
        return (next(told, self.dialects[0]),)


def target(path: str) -> str:
    """A path without its query."""
    return urlsplit(path).path or "/"


def opened(cassettes: Path | Tape | Sequence[Path | Tape]) -> tuple[Tape, ...]:
    """The tapes that are meant. Of several those count that hold provider exchanges. Raises
    CassetteError.
    """
    several = [cassettes] if isinstance(cassettes, Path | Tape) else list(cassettes)
    paths = [one for one in several if isinstance(one, Path)]
    alike = Counter(path.name for path in paths)
    tapes = tuple(one if isinstance(one, Tape) else load(one) for one in several)
    named = tuple(
        tape if isinstance(one, Tape) or alike[one.name] == 1 else replace(tape, name=str(one))
        for one, tape in zip(several, tapes, strict=True)
    )
    serving = tuple(tape for tape in named if any(one.exchanges for one in tape.providers))
    return serving or named
