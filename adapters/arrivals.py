"""What a record of a session is to whoever translates it, live or from a cassette: a native frame,
a signal of the edge, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast, get_args

import msgspec

from turnreel.lifecycle.events import Code, Outcome
from turnreel.lifecycle.receipts import digest_of
from turnreel.lifecycle.signals import CANCELLING, AnySignal, CancelRequested, Exited, Receipt
from turnreel.sanitizers.records import Raw
from turnreel.wire.units import BodyFraming, JsonUnit, Unit

from .base import Arrival, Edge, Frame, FrameCode

FRAMES: Final = frozenset(get_args(FrameCode))
"""Codes of records that an adapter sees as native frames."""


class _Receipt(msgspec.Struct):
    """A receipt as a cassette holds it: its run and thread by their numbers in the session, which
    sanitizing it again keeps, and the answer instead of a digest, which it would not.
    """

    run: int
    native_turn: str
    outcome: Outcome
    thread: int = 0
    text: str = ""
    code: Code | None = None


_signals = msgspec.json.Decoder(AnySignal)


def arrival(
    number: int, at_us: int, track: str, code: str, body: Unit, n: int | None, session: str
) -> Arrival | None:
    """The arrival that a record of this `code` is, or None if it is none. `body` is its unit,
    or its fields as a `JsonUnit`; `n` the exchange, `session` heads the ids of its runs."""
    if code in FRAMES:
        return Frame(track, cast("FrameCode", code), number, at_us, body, n)
    signal = _signal(code, body.value if isinstance(body, JsonUnit) else None, session)
    return None if signal is None else Edge(track, number, at_us, signal)


def raw_arrival(number: int, raw: Raw, session: str = "") -> Arrival | None:
    """The same for a record as an edge told it, the `number`-th of the session."""
    body = JsonUnit(raw.body, BodyFraming()) if isinstance(raw.body, dict) else raw.body
    return arrival(number, raw.at_us, raw.track, raw.code, body, raw.exchange, session)


def _signal(code: str, data: object, session: str) -> AnySignal | None:
    fields = data if isinstance(data, Mapping) else {}
    match code:
        case "signal":
            name = fields.get("name")
            is_cancel = isinstance(name, str) and name in CANCELLING
            return CancelRequested(via=str(name)) if is_cancel else None
        case "exit":
            status, killed_by = fields.get("code"), fields.get("signal")
            return Exited(
                code=status if isinstance(status, int) else None,
                killed_by=killed_by if isinstance(killed_by, str) else None,
            )
        case "receipt":
            return _receipt(fields, session)
        case _:
            try:
                return _signals.decode(msgspec.json.encode({**fields, "signal": code}))
            except msgspec.ValidationError:
                return None


def _receipt(fields: Mapping[str, object], session: str) -> Receipt | None:
    try:
        told = msgspec.convert(fields, _Receipt)
    except msgspec.ValidationError:
        return None
    return Receipt(
        run_id=f"{session}.{told.run}",
        thread_id=f"{session}/{told.thread}",
        native_turn=told.native_turn,
        outcome=told.outcome,
        text_digest=digest_of(told.text),
        text=told.text,
        code=told.code,
    )
