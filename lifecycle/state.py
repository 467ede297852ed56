"""The state of one run: an immutable value.

Everything the lifecycle remembers of a run is here and nothing else is: what was seen before
and how much was dropped stand beside it (`ledger`), so that two states compare equal when they
mean the same.
"""

from __future__ import annotations

import msgspec

from .events import ActivityKind, Code, GateKind, HealthState
from .observations import Extent, Role, StopKind
from .shelf import Shelf
from .tables import ActivityPhase, GatePhase, MessagePhase, RunPhase
from .terms import PLAIN, Terms


class MessageState(msgspec.Struct, frozen=True):
    """A message: a maximal series of text blocks of one native message (C6).

    `number` makes its id and is given when it first appears in an event or as a final.
    `published` is the text readers have (C7). `resay` is the attempt in which the agent may say
    it again as the same message.
    """

    native: str
    phase: MessagePhase
    role: Role
    blocks: tuple[tuple[int, str], ...] = ()
    complete: bool = True
    stop: StopKind | None = None
    abandoned: bool = False
    number: int = 0
    published: str = ""
    revision: int = 1
    resay: int = 0

    @property
    def raw(self) -> str:
        """The text as the agent wrote it, blocks in their order, nothing between them."""
        return "".join(text for _, text in self.blocks)

    @property
    def text(self) -> str:
        """The text a reader may see: no white space at either end (C9)."""
        return self.raw.strip()


class ActivityState(msgspec.Struct, frozen=True):
    """An activity and the phase it is in (T10)."""

    native: str
    number: int
    kind: ActivityKind
    name: str
    phase: ActivityPhase


class GateState(msgspec.Struct, frozen=True):
    """A gate, the activity behind it, and how it was resolved (G5, G7)."""

    native: str
    request_id: str
    kind: GateKind
    prompt: str
    phase: GatePhase
    blocking: bool = True
    activity: str | None = None


class NamedText(msgspec.Struct, frozen=True):
    """The text that the native terminal named (C2)."""

    text: str
    extent: Extent
    alone: bool
    message: str | None = None


class HealthView(msgspec.Struct, frozen=True):
    """Health so far (O2): the state, the trouble not yet overcome, and the message it struck."""

    state: HealthState = "healthy"
    code: Code | None = None
    attempt: int | None = None
    message: str | None = None
    lasting: bool = False


class RunState(msgspec.Struct, frozen=True):
    """One run. `turn` is the adapter's key; `run_id` and `thread_id` are the ledger's.

    What is open stands in order (`messages`, `activities`, `gates`), what is settled on shelves by
    native id (`told`, `closed`, `answered`); `refused` has the activities whose gate was denied or
    expired, `given_up` the native messages that the next attempt may say again. `artifacts` and
    `sources` are the native ids of what was told. `parked` is the gate that an ended run waits
    with until somebody answers it, `answering` says that an answer opened this run and that the
    agent has not spoken since (T5). `names` is what the agent, its provider and what it keeps call
    the turn by (O5).
    """

    turn: str
    run_id: str
    thread_id: str
    began_us: int
    dialect: str = ""
    terms: Terms = PLAIN
    parent: str | None = None
    seq: int = 0
    phase: RunPhase = "open"
    awake: bool = False
    cancelling: bool = False
    crashed: bool = False
    attempt: int = 0
    attempt_message: str | None = None
    tooled: str | None = None
    messages: tuple[MessageState, ...] = ()
    told: Shelf[tuple[MessageState, ...]] = Shelf()
    given_up: tuple[str, ...] = ()
    activities: tuple[ActivityState, ...] = ()
    closed: Shelf[ActivityState] = Shelf()
    gates: tuple[GateState, ...] = ()
    answered: Shelf[GateState] = Shelf()
    refused: Shelf[GatePhase] = Shelf()
    named: NamedText | None = None
    health: HealthView = HealthView()
    artifacts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    numbered: int = 0
    ending: str | None = None
    parked: GateState | None = None
    answering: bool = False
    names: tuple[str, ...] = ()
