"""The capturing side of the sealing process: started, fed without delay, asked for the result."""

from __future__ import annotations

import asyncio
import itertools
import os
import select
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from turnreel.sanitizers import Unlisted

from .descriptors import roomy_pipe
from .errors import RecorderError
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
    answer_decoder,
    framed,
)
from .project_policy import ProjectPolicy

HIGH_WATER: Final = 12 << 20
"""Bytes that may wait for the sealing process. Beyond, telling blocks and so stalls the source:
a bounded stall beats loss.
"""

Reviewer = Callable[[tuple[Unlisted, ...], Mapping[str, str]], ProjectPolicy]
"""Shown the fields that no policy lists, and the dialects of the tracks, it answers with the
policy by which the session shall land.
"""

SEALING: Final = "turnreel.recorder.sealing"
_BATCH: Final = 64

STALL_SECONDS: Final = 60.0
"""A sealing process that takes nothing for so long is given up; the recorded program goes on."""

GRACE_SECONDS: Final = 5.0
"""How long one that was given up may take to leave what it has."""


class Sealer:
    """A running sealing process. Speak to it from one thread; where a loop runs, what does not
    fit into the pipe at once is sent by the loop.
    """

    def __init__(self, plan: Plan, high_water: int = HIGH_WATER) -> None:
        """Start it. It is not certain to record before `wait_until_open` returned. Raises
        `RecorderError` for a target whose name is no text: it is told between processes, and to
        people.
        """
        _require_text(plan.target)
        self._target = plan.target
        self._dialects = {track.id: track.dialect for track in plan.tracks}
        self._high_water = high_water
        self._waiting: deque[memoryview] = deque()
        self._size = 0
        self._broken = ""  # how, once nothing can be told any more
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unframer = Unframer()
        self._answers: list[bytes] = []
        read, self._pipe = roomy_pipe()
        os.set_blocking(self._pipe, False)
        # A session of its own: no signal that is meant for the recorder's group reaches it.
        self._process = subprocess.Popen(
            # As isolated as we are: a host may say things to Python that are not meant for us.
            [sys.executable, "-I" if sys.flags.isolated else "-P", "-m", SEALING],
            stdin=read,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(read)
        self._queue(framed(plan))
        self._send_waiting()

    def wait_until_open(self) -> None:
        """Block until the target is open. Raises `RecorderError` if it cannot be, and is closed
        then. Call once, before anything is recorded that must not be lost.
        """
        self._drain(0)
        answer = self._answer(STALL_SECONDS)
        if not isinstance(answer, Ready):
            self.close()
            raise _error(answer, "the sealing process did not start")

    def put(self, message: Message) -> None:
        """Hand over, in order. Never raises; blocks while more than the high-water mark waits.
        After a failure nothing is taken any more, and `finish` tells.
        """
        if self._broken:
            return
        self._queue(framed(message))
        if self._size > self._high_water:
            self._drain(self._high_water)
        elif self._loop is None:
            self._send_soon()

    def finish(self, review: Reviewer | None = None) -> Sealed:
        """Everything was told: seal. `review` is asked about fields that no policy lists, where
        the plan asked for that. Raises `RecorderError` if recording had failed, or sealing does;
        what was recorded until then is in the target, unsealed.
        """
        answer = self._ask(Finish())
        if isinstance(answer, Review) and review is not None:
            answer = self._ask(Approved(review(answer.unlisted, self._dialects)))
        self.close()
        if isinstance(answer, Sealed):
            return answer
        how = self._broken or "was killed"
        raise _error(answer, f"the sealing process {how}: {self._target} is unsealed")

    def leave(self) -> None:
        """Everything was told: let it seal, and do not wait."""
        self.put(Finish())
        self._drain(0)
        self._hang_up()
        assert self._process.stdout is not None, "asked for"
        self._process.stdout.close()
        self._process.returncode = 0  # not ours to wait for any more

    def close(self) -> None:
        """Let go: without `finish` the session counts as cut. Idempotent."""
        self._hang_up()
        assert self._process.stdout is not None, "asked for"
        if self._process.stdout.closed:
            return
        try:
            self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _ask(self, message: Message) -> Answer | None:
        self.put(message)
        self._drain(0)
        return self._answer(GRACE_SECONDS if self._broken else None)

    @property
    def _patience(self) -> float:
        return GRACE_SECONDS if self._broken else STALL_SECONDS

    def _queue(self, data: bytes) -> None:
        self._waiting.append(memoryview(data))
        self._size += len(data)

    def _send_soon(self) -> None:
        """Send when the loop comes round: what was told is being forwarded right now, and waking
        the sealing process would only delay that.
        """
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:  # no loop here
            self._send_waiting()
        else:
            self._loop.call_soon(self._begin_sending)

    def _begin_sending(self) -> None:
        self._send_waiting()
        if self._waiting and self._loop is not None:
            self._loop.add_writer(self._pipe, self._send_waiting)

    def _send_waiting(self) -> None:
        """Send what the pipe takes now."""
        while self._waiting:
            batch = list(itertools.islice(self._waiting, _BATCH))
            try:
                sent = os.writev(self._pipe, batch)
            except BlockingIOError:
                return
            except OSError:  # it ended
                self._give_up("was killed")
                return
            self._size -= sent
            for data in batch:
                if sent < len(data):
                    self._waiting[0] = data[sent:]
                    break
                sent -= len(data)
                self._waiting.popleft()
        self._unlisten()

    def _drain(self, size: int) -> None:
        """Block until no more than `size` bytes wait."""
        if self._size <= size:
            return
        poller = select.poll()
        poller.register(self._pipe, select.POLLOUT)
        while self._size > size:
            if poller.poll(STALL_SECONDS * 1000):
                self._send_waiting()
            else:
                self._give_up("took nothing any more")

    def _give_up(self, how: str) -> None:
        """Nothing is told any more. Hung up, it ends with what it has, once it goes on."""
        self._broken = how
        self._waiting.clear()
        self._size = 0
        self._hang_up()

    def _hang_up(self) -> None:
        self._unlisten()
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1

    def _unlisten(self) -> None:
        if self._loop is not None:
            if not self._loop.is_closed():
                self._loop.remove_writer(self._pipe)
            self._loop = None

    def _answer(self, patience: float | None) -> Answer | None:
        """The next answer; None if the process ends or `patience` seconds do."""
        assert self._process.stdout is not None, "asked for"
        descriptor = self._process.stdout.fileno()
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        while not self._answers:
            if not poller.poll(None if patience is None else patience * 1000):
                return None
            if not (data := os.read(descriptor, 1 << 16)):
                return None
            self._answers += self._unframer.feed(data)
        return answer_decoder.decode(self._answers.pop(0))


def _require_text(target: str) -> None:
    try:
        target.encode()
    except UnicodeEncodeError:
        shown = os.fsencode(target).decode("utf-8", "replace")
        raise RecorderError(
            f"{shown}: the name is not UTF-8", "choose another name for the cassette"
        ) from None


def _error(answer: Answer | None, otherwise: str) -> RecorderError:
    if isinstance(answer, Failed):
        return RecorderError(answer.message, answer.remedy)
    return RecorderError(otherwise, "what was recorded until then can be sealed: turnreel recover")
