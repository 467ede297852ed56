"""The sealing process: ``python -P -m turnreel.recorder.sealing``, started by `Sealer`.

Reads a plan and then messages from stdin, answers on stdout. All that is slow or dangerous is
here: framing, decoding, sanitizing, writing. It survives whoever started it: when its input ends
without a `Finish`, it leaves an unsealed cassette complete to the last whole unit, and goes. It
has nothing to say to a terminal, and raw text of an exception might, so stderr is closed to it.
"""

from __future__ import annotations

import os
import select
import signal
from typing import Final

from turnreel.adapters import registry
from turnreel.wire.errors import TurnreelError

from .intake import Features, Intake
from .landing import Landing
from .messages import (
    Answer,
    Approved,
    Failed,
    Finish,
    Message,
    Plan,
    Ready,
    Review,
    Sealed,
    Unframer,
    framed,
    message_decoder,
    plan_decoder,
)
from .project_policy import ProjectPolicy
from .reviewing import Kept

READ_BYTES: Final = 1 << 20
NICENESS: Final = 5
"""Forwarding goes first: what is sealed later is not lost, only late."""

VERSION_SECONDS: Final = 3.0
"""How long first records wait, in silence, for the agent to say its version."""


def main() -> None:
    """Serve one session."""
    # The terminal's ^C and a hang-up are for the recorder and its child; we end with our input.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICENESS)
    try:
        _serve()
    except TurnreelError as error:
        _answer(Failed(error.message, error.remedy))
    except Exception as error:
        # Its own words may quote what it choked on; its place may not.
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = place.tb_frame.f_code.co_qualname if place else "?"
        line = place.tb_lineno if place else 0
        _answer(
            Failed(
                f"sealing stopped: {type(error).__name__} in {where}, line {line}",
                "what was recorded until then can be sealed: turnreel recover",
            )
        )


def _serve() -> None:
    inbox = _Inbox()
    plan = inbox.plan()
    landing = Landing(plan)
    kept = Kept(plan) if plan.is_reviewed else None
    _answer(Ready())
    intake = Intake(_features(plan))
    while (messages := inbox.messages(VERSION_SECONDS if landing.is_holding else None)) is not None:
        if not messages:
            landing.release()
        captured = [m for m in messages if not isinstance(m, Finish | Approved)]
        landing.land(raw for message in captured for raw in intake.take(message))
        if kept is not None:
            kept.keep(captured)
        if len(captured) < len(messages):
            _answer(landing.seal() if kept is None else _reviewed(plan, landing, kept, inbox))
            return
    landing.abandon()


def _reviewed(plan: Plan, landing: Landing, kept: Kept, inbox: _Inbox) -> Sealed:
    """Ask whoever records about fields that no policy lists, then seal."""

    def ask(review: Review) -> ProjectPolicy:
        _answer(review)
        match inbox.messages(None):
            case [Approved(policy)]:
                return policy
            case _:  # nobody there any more
                return plan.policy

    return kept.reviewed(landing, Intake(_features(plan)), ask)


def _features(plan: Plan) -> dict[str, Features]:
    """How the requests of each track are recognised again."""
    return {
        track.id: registry.provider(track.dialect).features
        for track in plan.tracks
        if track.carrier != "stdio"
    }


class _Inbox:
    """Standard input, message by message."""

    def __init__(self) -> None:
        self._unframer = Unframer()
        self._bodies: list[bytes] = []

    def plan(self) -> Plan:
        """The first message. Raises `EOFError` if none comes."""
        while not self._bodies:
            if not self._read():
                raise EOFError
        return plan_decoder.decode(self._bodies.pop(0))

    def messages(self, patience: float | None) -> list[Message] | None:
        """What has come, in order; empty after `patience` seconds of silence, None at the end."""
        if not self._bodies:
            if patience is not None and not select.select([0], [], [], patience)[0]:
                return []
            if not self._read():
                return None
        bodies, self._bodies = self._bodies, []
        return [message_decoder.decode(body) for body in bodies]

    def _read(self) -> bool:
        data = os.read(0, READ_BYTES)
        self._bodies += self._unframer.feed(data)
        return bool(data)


def _answer(answer: Answer) -> None:
    with memoryview(framed(answer)) as data:
        sent = 0
        while sent < len(data):
            try:
                sent += os.write(1, data[sent:])
            except BrokenPipeError:  # whoever asked is gone
                return


if __name__ == "__main__":
    main()
