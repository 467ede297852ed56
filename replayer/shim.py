"""`turnreel shim`: a recorded agent as a program.

Rules of this file
- stdout and stderr carry the recorded bytes, exactly and in order; where the host's own request
  ids or message uuids stand in them, the live host's stand instead.
- What the host did gates what came after it: the line, the end of stdin or the signal must come
  again before anything recorded later happens. Times count from the last gate.
- A line is what is waited for if it says it is of the same kind; its content is the host's. A
  line of another kind is reported on stderr and otherwise ignored.
- A SIGINT or SIGTERM that neither recording nor plan waits for ends the agent as it would by
  default: killed by that signal.
- The process ends as recorded, or as the plan says. If the host makes the recording impossible
  to continue, or a planned fault did not happen, the shim says so on stderr and exits with 2.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

import msgspec

from turnreel.adapters import registry
from turnreel.adapters.base import Program
from turnreel.wire.units import Unit

from .arming import Arming, require_reachable
from .errors import ReplayError
from .faults import Plan
from .hearing import Hearing
from .identities import Identities
from .plan import require
from .schedule import schedule
from .script import Heard, HeardEnd, Signalled, label_of
from .steps import Await, Break, Hold, Linger, Mark, Quit, Send, Step, awaited
from .tape import Tape

PATIENCE_S: Final = 30.0
"""How long a cancel is waited for, and the end of a recording that merely stops."""


_NEVER_FATAL: Final = frozenset(
    signal.Signals.__members__.get(f"SIG{name}")
    for name in ("STOP", "TSTP", "TTIN", "TTOU", "CONT", "CHLD", "URG", "WINCH")
)


class Departure(msgspec.Struct, frozen=True):
    """How the shim's process must end: exit `code`, or killed by `signal`."""

    code: int = 0
    signal: str | None = None


def run_shim(
    tape: Tape,
    plan: Plan | None = None,
    args: Sequence[str] = (),
    *,
    patience_s: float = PATIENCE_S,
    fds: tuple[int, int, int] = (0, 1, 2),
) -> Departure:
    """Play the agent of `tape` on the descriptors `fds` (stdin, stdout, stderr).

    `args` is the agent's command line; of it only a question for the version is answered.
    Returns how the process must end: see `depart`. Raises ReplayError if the cassette holds no
    agent or the host did not do what the recording needs, PlanError for a fault that is not the
    agent's or can never happen, or that did not happen.
    """
    if _asks_version(args):
        line = _program(tape).version_line.format(tape.agent_version)
        os.write(fds[1], f"{line}\n".encode())
        return Departure()
    script = tape.agent_script()
    plan = require(plan or Plan(), "agent")
    arming = Arming(plan, require_reachable(plan, [script]))
    identities = Identities(_program(tape))
    player = _Player(schedule(script, plan).steps, identities, fds, patience_s)
    try:
        departure = player.play()
    finally:
        arming.settle((), player.fired)
        for report in player.unexpected:
            os.write(fds[2], f"turnreel shim: {report}\n".encode())
    arming.check()
    return departure


def _program(tape: Tape) -> Program:
    """What the agent's dialect says of its program; nothing where no dialect is known."""
    dialect = tape.acting.dialect if tape.acting is not None else ""
    return registry.adapter(dialect).info.program if dialect in registry.dialects() else Program()


def _asks_version(args: Sequence[str]) -> bool:
    """Whether an agent would print its version. Behind ``--`` stands a prompt, except where it
    separates our arguments from the agent's.
    """
    own = list(args)
    if own[:1] == ["--"]:
        del own[0]
    options = own[: own.index("--")] if "--" in own else own
    return "--version" in options or options == ["-v"]


def depart(departure: Departure) -> NoReturn:
    """End this process as `departure` says. Raises ReplayError for a signal that ends no process
    here.
    """
    if departure.signal is not None:
        number = signal.Signals.__members__.get(departure.signal)
        if number is None or number in _NEVER_FATAL:
            raise ReplayError(
                f"the recording ends killed by {departure.signal}, which ends no process here",
                "plan another end, as kill@event=K",
            )
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(departure.code & 0xFF)  # what the system makes of it


class _Over(Exception):
    """The agent's process ends now."""

    def __init__(self, departure: Departure) -> None:
        super().__init__()
        self.departure = departure


class _Player:
    """Executes an agent's steps."""

    def __init__(
        self,
        steps: Sequence[Step],
        identities: Identities,
        fds: tuple[int, int, int],
        patience_s: float,
    ) -> None:
        self._steps = steps
        self._fds = {"stdout": fds[1], "stderr": fds[2]}
        self._patience_s = patience_s
        self._hearing = Hearing(fds[0])
        self._expected = Counter(
            step.what.name
            for step in steps
            if isinstance(step, Await) and isinstance(step.what, Signalled)
        )
        self._holds = sum(isinstance(step, Hold) for step in steps)
        self._identities = identities
        self._begun = 0.0
        self.fired: list[int] = []
        self.unexpected: list[str] = []

    def play(self) -> Departure:
        """Execute the steps; returns how the process ends."""
        with self._hearing.listening():
            self._begun = time.monotonic()
            try:
                for step in self._steps:
                    self._execute(step)
            except _Over as over:
                return over.departure
            except BrokenPipeError:  # nobody reads: agents end, and so does their stand-in
                return Departure(code=1)
        return Departure()

    def _execute(self, step: Step) -> None:
        if isinstance(step, Linger) and step.faults:
            # It hangs as soon as all before it was said: a signal that comes then finds it hanging.
            self.fired += step.faults
            self._wait(lambda: False)
        if not isinstance(step, Await):
            self._wait(lambda: False, self._begun + step.at_us / 1e6)
        match step:
            case Send():
                spoken = self._identities.spoken(step)
                if not self._hearing.write(self._fds[step.stream], spoken, self._killed):
                    self._die_if_killed()
            case Await(at_us=at_us, what=what):
                self._await(what)
                self._begun = time.monotonic() - at_us / 1e6
            case Hold():
                self._hold(step)
            case Break():
                os.close(self._fds["stdout"])
            case Linger():
                self._wait(lambda: self._hearing.ended, time.monotonic() + self._patience_s)
            case Mark():
                pass
            case Quit(code=code, signal=name):
                self.fired += step.faults
                raise _Over(Departure(code or 0, name))
            case _:
                raise TypeError(f"{type(step).__name__} is a provider's step, not an agent's")
        self.fired += step.faults

    def _await(self, what: Heard | HeardEnd | Signalled) -> None:
        hearing = self._hearing
        match what:
            case Heard(unit=unit):
                while not self._heard(unit):
                    self._wait(lambda: bool(hearing.lines) or hearing.ended)
                    if hearing.ended and not hearing.lines:
                        raise ReplayError(
                            f"stdin ended while the recording waits for {awaited(what)}",
                            "keep stdin open and send what the recorded host sent",
                        )
            case HeardEnd():
                self._wait(lambda: hearing.ended)
            case Signalled(name=name):
                self._wait(lambda: name in hearing.signals)
                hearing.signals.remove(name)
                self._expected[name] -= 1

    def _wait(self, ready: Callable[[], bool], until: float | None = None) -> bool:
        """Hear until `ready()` or `until`; whether it became ready. Ends the process if it is
        killed meanwhile.
        """
        self._hearing.wait(lambda: self._killed() or ready(), until)
        self._die_if_killed()
        return ready()

    def _heard(self, recorded: Unit) -> bool:
        """Whether a line heard is of the kind of `recorded`; lines of other kinds are reported."""
        while self._hearing.lines:
            live = self._hearing.lines.popleft()
            if label_of(live) == label_of(recorded):
                self._identities.learn(recorded, live)
                return True
            self.unexpected.append(
                f"unexpected input {label_of(live)} while waiting for {label_of(recorded)}"
            )
        return False

    def _hold(self, step: Hold) -> None:
        signals = self._hearing.signals
        if not self._wait(lambda: bool(signals), time.monotonic() + self._patience_s):
            raise ReplayError(
                f"the plan waits for a cancel that did not come in {self._patience_s:g} s",
                "send SIGINT or SIGTERM, or plan no cancel",
            )
        self._holds -= 1
        name = signals.popleft()
        if step.then == "stop":
            self.fired += step.faults
            raise _Over(Departure(signal=name))
        self._begun = time.monotonic() - step.at_us / 1e6

    def _killed(self) -> bool:
        """Whether a signal came that nothing waits for."""
        heard = Counter(self._hearing.signals)
        return not self._holds and any(heard[name] > self._expected[name] for name in heard)

    def _die_if_killed(self) -> None:
        if self._killed():
            raise _Over(Departure(signal=self._hearing.signals[-1]))
