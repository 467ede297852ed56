"""The open blocks of a track: which deltas belong together, and when a text is whole."""

from __future__ import annotations

from turnreel.wire.units import Json

from .compile import Plan
from .json_source import JsonBlock
from .paths import at, path, spelled
from .policy import Profile
from .scrub import Scrubber
from .slots import Slot, Visit
from .streaming import Block, TextBlock, WholeBlock
from .treatments import Treatments

_Key = tuple[int | None, tuple[Json, ...]]


class Blocks:
    """Keeps a track's blocks by exchange and native key. Blocks are closed by the frames that
    the policy names, by a new start under the same key, and by the end of their exchange.
    """

    def __init__(self, plan: Plan, treat: Treatments, scrubber: Scrubber, profile: Profile) -> None:
        self._plan = plan
        self._treat = treat
        self._scrubber = scrubber
        self._policy = plan.policy.blocks
        self._profile = profile
        self._paths = tuple(map(path, self._policy.key)) if self._policy else ()
        self._tool = (path(self._policy.tool),) if self._policy else ()
        self._open: dict[_Key, tuple[str, Block]] = {}
        self._tools: dict[_Key, str] = {}

    def before(self, variant: str, value: Json, exchange: int | None) -> None:
        """What a frame of `variant` says about blocks, before its own deltas are read."""
        policy = self._policy
        if policy is None:
            return
        if variant == policy.start:
            key = self._key(value, exchange)
            self._close(key)
            self._tools[key] = spelled(value, self._tool)
        elif variant in policy.ends:
            self._close_scope(self._key(value, exchange))

    def after(self, variant: str, value: Json, exchange: int | None) -> None:
        """What a frame of `variant` says about blocks, after its own deltas were read."""
        if self._policy is not None and variant == self._policy.stop:
            self._close(self._key(value, exchange))

    def feed(self, slot: Slot, value: Json, exchange: int | None, visit: Visit) -> None:
        """A delta of the block that `value` names; without a policy for blocks each one stands
        alone.
        """
        key = self._key(value, exchange)
        kind, block = self._open.get(key, ("", None))
        if block is None or kind != slot.stream:
            self._close(key, forget=False)
            block = self._new(slot.stream, key, visit)
            self._open[key] = slot.stream, block
        slot.block = block
        block.feed(slot)
        if self._policy is None:
            self._close(key)

    def close_exchange(self, exchange: int | None) -> None:
        """Closes all blocks of an exchange; of the whole track if there is none."""
        for key in [key for key in self._open if exchange is None or key[0] == exchange]:
            self._close(key)

    def freeze(self) -> None:
        """Decides all that is held, although more may follow."""
        for _, block in self._open.values():
            block.freeze()

    def close_all(self) -> None:
        """Closes all blocks: nothing follows."""
        for key in list(self._open):
            self._close(key)

    def _new(self, stream: str, key: _Key, visit: Visit) -> Block:
        match stream:
            case "json":
                root = self._plan.of(self._plan.policy.input).named(self._tools.get(key, ""))
                return JsonBlock(root, Visit(visit.track, visit.frame, self._treat))
            case "text" if self._profile == "fixture":
                return TextBlock(self._scrubber)
            case _:
                return WholeBlock(self._scrubber.visible)

    def _key(self, value: Json, exchange: int | None) -> _Key:
        if self._policy is None:
            return exchange, ()
        return exchange, tuple([_scalar(at(value, steps)) for steps in self._paths])

    def _close(self, key: _Key, *, forget: bool = True) -> None:
        opened = self._open.pop(key, None)
        if opened is not None:
            opened[1].close()
        if forget:
            self._tools.pop(key, None)

    def _close_scope(self, key: _Key) -> None:
        scope = key[1][:-1]
        for other in [one for one in self._open if one[0] == key[0] and one[1][:-1] == scope]:
            self._close(other)


def _scalar(value: Json) -> Json:
    return value if isinstance(value, (str, int)) else None
