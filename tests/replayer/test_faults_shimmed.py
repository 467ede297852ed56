"""Every fault that a shim plays, seen on real pipes, for every agent's dialect that has stdio."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from turnreel.conformance.faulting import AGENTS, agent
from turnreel.replayer.errors import PlanError
from turnreel.replayer.faults import WORDS
from turnreel.replayer.plan import make_plan, parse_fault
from turnreel.replayer.script import Heard, Printed
from turnreel.replayer.shim import Departure, run_shim
from turnreel.replayer.tape import Tape
from turnreel.wire.encode import encode


@dataclass
class Seen:
    """What a host got of an agent, and how it ended."""

    out: bytes = b""
    err: bytes = b""
    pieces: list[bytes] = field(default_factory=list)
    departure: Departure = field(default_factory=Departure)

    @property
    def lines(self) -> list[bytes]:
        return self.out.splitlines(keepends=True)


def recorded(dialect: str) -> list[bytes]:
    """The lines of stdout."""
    return [act.event.data for act in agent(dialect).acts if isinstance(act, Printed)]


def said(dialect: str) -> bytes:
    """What the recorded host wrote."""
    heard = [act.unit for act in agent(dialect).acts if isinstance(act, Heard)]
    return b"".join(encode(unit) for unit in heard)


def played(dialect: str, spec: str, kill: tuple[int, signal.Signals] | None = None) -> Seen:
    """What is seen under one fault, which must have fired. `kill` sends a signal as soon as so many
    bytes have come.
    """
    seen = Seen()
    pipes = [os.pipe() for _ in range(3)]
    (stdin, host), (out, stdout), (err, stderr) = pipes
    os.write(host, said(dialect))

    def listen() -> None:
        waiting = kill
        while piece := os.read(out, 1 << 16):
            seen.pieces.append(piece)
            seen.out += piece
            if waiting is not None and len(seen.out) >= waiting[0]:
                os.kill(os.getpid(), waiting[1])
                waiting = None

    listener = threading.Thread(target=listen)
    listener.start()
    open_fds = {stdin, host, out, err, stderr}
    try:
        tape = Tape("t", "agent", "1", acting=agent(dialect))
        plan = make_plan([spec], pacing="max")
        seen.departure = run_shim(tape, plan, fds=(stdin, stdout, stderr), patience_s=5)
    finally:
        with suppress(OSError):  # a cut closes it
            os.close(stdout)
        listener.join(timeout=10)
        os.close(stderr)
        open_fds.discard(stderr)
        while piece := os.read(err, 1 << 16):
            seen.err += piece
        for fd in open_fds:
            os.close(fd)
    return seen


Check = Callable[[Seen, list[bytes]], None]


def ends(departure: Departure, lines: int) -> Check:
    """The first lines, then this end."""

    def check(seen: Seen, recorded: list[bytes]) -> None:
        count = len(recorded) + lines if lines < 0 else lines
        assert seen.out == b"".join(recorded[:count])
        assert seen.departure == departure

    return check


def whole(seen: Seen, recorded: list[bytes]) -> None:
    assert (seen.out, seen.departure) == (b"".join(recorded), Departure(0))


def order(*numbers: int) -> Check:
    def check(seen: Seen, recorded: list[bytes]) -> None:
        first = [recorded[number - 1] for number in numbers]
        whole(seen, first + recorded[max(numbers) :])

    return check


def truncated(seen: Seen, recorded: list[bytes]) -> None:
    before = b"".join(recorded[:3])
    assert len(before) < len(seen.out) < len(before) + len(recorded[3]) - 1
    assert b"".join(recorded).startswith(seen.out)
    seen.out.decode()


def partial(seen: Seen, recorded: list[bytes]) -> None:
    truncated(seen, recorded)
    assert seen.departure == Departure(7)


def in_character(seen: Seen, recorded: list[bytes]) -> None:
    assert b"".join(recorded).startswith(seen.out)
    with pytest.raises(UnicodeDecodeError, match="unexpected end of data"):
        seen.out.decode()


def dripped(seen: Seen, recorded: list[bytes]) -> None:
    whole(seen, recorded)
    assert len(seen.pieces) > 2


def behind(at: int, pattern: bytes, count: int = 1) -> Check:
    """`count` lines that say `pattern` behind line `at`, and everything else as recorded."""

    def check(seen: Seen, recorded: list[bytes]) -> None:
        place = len(recorded) if at < 0 else at
        lines = seen.lines
        extra = lines[place : place + count]
        assert lines[:place] + lines[place + count :] == recorded
        assert all(re.search(pattern, line) for line in extra) and len(extra) == count
        assert seen.departure == Departure(0)

    return check


def malformed(seen: Seen, recorded: list[bytes]) -> None:
    lines = seen.lines
    assert lines[:2] + lines[3:] == recorded[:2] + recorded[3:]
    with pytest.raises(json.JSONDecodeError):
        json.loads(lines[2])


def changed_id(seen: Seen, recorded: list[bytes]) -> None:
    changed = [(a, b) for a, b in zip(seen.lines, recorded, strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0][0].replace(b"-other", b"") == changed[0][1]


def retried(seen: Seen, recorded: list[bytes]) -> None:
    """The attempt comes again; nothing of the recording is missing, in order."""
    extra, left = [], list(recorded)
    for line in seen.lines:
        if left and line == left[0]:
            left.pop(0)
        else:
            extra.append(json.loads(line))
    assert left == []
    assert re.search("api_retry|willRetry|Reconnecting", json.dumps(extra))


def missing(seen: Seen, recorded: list[bytes]) -> None:
    whole(seen, recorded[:-1])


def late(seen: Seen, recorded: list[bytes]) -> None:
    whole(seen, [*recorded[:2], *recorded[3:], recorded[2]])


def noise_on_stderr(seen: Seen, recorded: list[bytes]) -> None:
    whole(seen, recorded)
    assert seen.err.count(b"planned noise") == seen.err.count(b"\n") == 3


def resumed(seen: Seen, recorded: list[bytes]) -> None:
    assert seen.out.endswith(b"".join(recorded[3:]))
    assert len(seen.lines) - len(recorded[3:]) in (0, 1)


CASES: dict[str, Check] = {
    "cut:clean@event=3": ends(Departure(0), 3),
    "truncate@event=4": truncated,
    "truncate:character@event=1": in_character,
    "stall:0.1@event=3": whole,
    "delay:0.1": whole,
    "drip:1,gap=1@event=4": dripped,
    "drop@event=3": order(1, 2, 4),
    "duplicate@event=3": order(1, 2, 3, 3),
    "reorder,by=2@event=3": order(1, 2, 4, 5, 3),
    "late@event=3": late,
    "second-terminal": behind(-1, rb"result|turn.completed|message.complete|stopReason"),
    "conflicting-terminal": behind(-1, rb"error|fail"),
    "success-then-error": behind(-1, rb"error"),
    "missing-terminal": missing,
    "unknown@event=3": behind(3, rb"turnreel.unknown"),
    "malformed@event=3": malformed,
    "native-retry@event=5": retried,
    "ping-storm:20@event=3": behind(3, rb"ping", 20),
    "replay@event=3": order(1, 2, 3, 1, 2, 3),
    "resume@event=3": resumed,
    "exit:0@event=terminal-1": ends(Departure(0), -1),
    "exit:2@event=terminal": ends(Departure(2), 99),
    "kill@event=3": ends(Departure(0, "SIGKILL"), 3),
    "partial-line:7@event=4": partial,
    "stderr-noise:3@event=2": noise_on_stderr,
    "stdout-noise:2@event=2": behind(2, rb"planned noise \d\n", 2),
}
CHANGED = {"codex-app-server": 4, "hermes-tui": 8, "hermes-acp": 3}
"""A line that gives out an id, where the first one does not."""
CANNOT = {
    ("codex-app-server", "ping-storm"): "codex-app-server has no sign of life",
    ("codex-exec", "ping-storm"): "codex-exec has no sign of life",
    ("hermes-tui", "ping-storm"): "hermes-tui has no sign of life",
    ("hermes-acp", "ping-storm"): "hermes-acp has no sign of life",
    ("hermes-tui", "native-retry"): "hermes-tui tells nothing of retries",
    ("hermes-acp", "native-retry"): "hermes-acp tells nothing of retries",
    ("hermes-tui", "success-then-error"): "hermes-tui has no error frame beside its terminals",
    ("hermes-acp", "success-then-error"): "hermes-acp has no error frame beside its terminals",
}  # fmt: skip
"""What a dialect has no frame for, and says so."""


@pytest.mark.parametrize("spec", CASES)
@pytest.mark.parametrize("dialect", AGENTS)
def test_a_fault_is_seen_on_the_pipe(dialect: str, spec: str) -> None:
    refusal = CANNOT.get((dialect, re.split("[:@]", spec)[0]))
    if refusal is not None:
        with pytest.raises(PlanError) as caught:
            played(dialect, spec)
        assert refusal in str(caught.value)
        return
    CASES[spec](played(dialect, spec), recorded(dialect))


@pytest.mark.parametrize("dialect", AGENTS)
def test_an_id_is_changed(dialect: str) -> None:
    changed_id(played(dialect, f"changed-id@event={CHANGED.get(dialect, 1)}"), recorded(dialect))


@pytest.mark.parametrize("dialect", AGENTS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_hang_ends_when_it_is_killed(dialect: str, number: signal.Signals) -> None:
    lines = b"".join(recorded(dialect))
    seen = played(dialect, "hang@event=terminal", (len(lines), number))
    assert (seen.out, seen.departure) == (lines, Departure(0, number.name))


@pytest.mark.parametrize("dialect", AGENTS)
@pytest.mark.parametrize("then", ["stop", "rest"])
def test_a_cancel_comes_where_it_is_planned(dialect: str, then: str) -> None:
    lines = recorded(dialect)
    before = b"".join(lines[:4])
    seen = played(dialect, f"cancel:{then}@event=4", (len(before), signal.SIGINT))
    if then == "stop":
        assert (seen.out, seen.departure) == (before, Departure(0, "SIGINT"))
    else:
        whole(seen, lines)


def test_no_fault_of_a_shim_is_left_out() -> None:
    others = ("changed-id@event=1", "hang@event=1", "cancel@event=1")
    shown: set[Any] = {type(parse_fault(spec)) for spec in (*CASES, *others)}
    assert shown == {word.fault for word in WORDS if "agent" in word.sides}
