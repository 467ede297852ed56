"""``turnreel translate``: an agent's native stream in, the events of its turns out."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from .terms import terms, terms_options

if TYPE_CHECKING:
    from turnreel.adapters.base import Arrival, FrameCode
    from turnreel.wire.units import Unit

READ_BYTES = 1 << 16
EDGE = "host"


@click.command(
    "translate",
    epilog="\b\nExamples:\n"
    "  claude -p --output-format stream-json --verbose -- 'Hello' | turnreel translate\n"
    "  turnreel translate --dialect claude-stream-json < agent.jsonl > events.jsonl\n"
    "  turnreel translate --with-input host.jsonl < agent.jsonl",
)
@click.option("--dialect", default="claude-stream-json", show_default=True, help="See adapters.")
@click.option(
    "--with-input",
    "input_log",
    type=click.Path(path_type=Path),
    help="What the host wrote to the agent's stdin.",
)
@click.option(
    "--lockstep", is_flag=True, help="Answer requests, one line for one line: docs/lockstep.md."
)
@terms_options
def command(
    dialect: str,
    input_log: Path | None,
    lockstep: bool,
    marker: str | None,
    empty_finals: bool,
) -> None:
    """Turn native frames on stdin into events on stdout.

    Events are printed as soon as they are due. The end of stdin is the end of the agent's stream,
    and nobody knows a receipt: a run without a native terminal ends as the contract says (T4).
    Without --with-input, gates and cancels are read from the agent's side alone. With --lockstep,
    stdin holds requests of the lock-step protocol, which name sessions and dialects themselves.
    """
    if lockstep:
        _lockstep()
        return
    from turnreel.adapters.registry import adapter
    from turnreel.adapters.translator import Translator
    from turnreel.lifecycle.events import encode_event
    from turnreel.wire.errors import TurnreelError

    spoken = adapter(dialect)
    if not spoken.info.has_runs:
        raise TurnreelError(
            f"{dialect} is what a provider speaks: it has no runs",
            "name an agent's dialect: turnreel adapters",
        )
    translator = Translator(
        {"agent": spoken},
        session="stdin",
        agent=spoken.info.agent,
        terms=terms(marker, empty_finals),
    )
    stdout = sys.stdout.buffer
    events = read = 0
    for arrival in _arrivals(sys.stdin.buffer, input_log):
        read = arrival.number
        for event in translator.feed(arrival):
            stdout.write(encode_event(event) + b"\n")
            events += 1
        stdout.flush()
    if read > 2 and not events:  # the two arrivals that say the stream ended
        raise TurnreelError(
            f"stdin: no frame of {dialect} in {read - 2} lines", "name another --dialect"
        )


def _lockstep() -> None:
    from turnreel.conformance.answering import answers

    for answer in answers(sys.stdin.buffer):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


def _arrivals(stdin: BinaryIO, input_log: Path | None) -> Iterator[Arrival]:
    from turnreel.adapters.base import Edge, Frame
    from turnreel.lifecycle.signals import Closed, Unreconciled

    began = time.monotonic_ns()
    number = 0
    for number, (code, unit) in enumerate(_lines(stdin, input_log), start=1):
        yield Frame("agent", code, number, (time.monotonic_ns() - began) // 1_000, unit)
    ended = (time.monotonic_ns() - began) // 1_000
    yield Edge(EDGE, number + 1, ended, Closed())
    yield Edge(EDGE, number + 2, ended, Unreconciled())


def _lines(stdin: BinaryIO, input_log: Path | None) -> Iterable[tuple[FrameCode, Unit]]:
    if input_log is None:
        return (("out", unit) for unit in _units(stdin))
    from turnreel.adapters.interleave import interleave

    with input_log.open("rb") as file:
        inputs = list(_units(file))
    return interleave(inputs, list(_units(stdin)))


def _units(file: BinaryIO) -> Iterator[Unit]:
    from turnreel.wire.ndjson import LineFramer

    framer = LineFramer()
    read = getattr(file, "read1", file.read)
    while data := read(READ_BYTES):
        yield from framer.feed(data)
    yield from framer.close()
