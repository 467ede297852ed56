"""What both of Codex' own streams do with a script: count answers and retries, name items, and say
why something broke in the runtime's own words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Final, assert_never

import msgspec

from turnreel.lifecycle.events import ActivityKind
from turnreel.wire.units import Json

from .codex_items import flagged
from .openai_responses.builders import Phase
from .openai_responses.render import item_id, phase_of
from .rendering import Rendering, W
from .steps import Block, Call, Say, Script, Think


class Cause(msgspec.Struct, frozen=True):
    """Why something broke: ``codexErrorInfo``, and the runtime's sentence."""

    info: Json
    sentence: str


REFUSALS: Final[dict[int, Cause]] = {
    400: Cause("other", '{"error": {"type": "invalid_request_error"}}'),
    401: Cause(
        {"httpConnectionFailed": {"httpStatusCode": 401}},
        "unexpected status 401 Unauthorized: scripted",
    ),
    404: Cause("modelNotFound", "unexpected status 404 Not Found: scripted"),
    429: Cause(
        {"responseTooManyFailedAttempts": {"httpStatusCode": 429}},
        "exceeded retry limit, last status: 429 Too Many Requests",
    ),
    500: Cause(
        "internalServerError",
        "We\u2019re currently experiencing high demand, which may cause temporary errors.",
    ),
}
"""A status at which the runtime gives up."""

LIMIT: Final = Cause("other", "Incomplete response returned, reason: max_output_tokens")
BROKE: Final = "stream disconnected before completion: scripted"
SENTENCES: Final[dict[int | None, str]] = {429: REFUSALS[429].sentence}
"""How the runtime says that a status made it ask again; of others it says that the stream broke."""


def retried(status: int | None) -> Cause:
    """A status that is retried, or a stream that broke off."""
    info: Json = {"responseStreamDisconnected": {"httpStatusCode": status}}
    return Cause(info, SENTENCES.get(status, BROKE))


class Codex(Rendering[W]):
    """One rendering of one script. The agent passes on the provider's items: they have the ids of
    `openai_responses.render` of the same script. `command` is the item of a tool whose name is no
    item of the stream.
    """

    def __init__(
        self, script: Script, items: Mapping[str, ActivityKind], command: str, prompt: str
    ) -> None:
        super().__init__(script, flagged(items), prompt)
        self._items = items
        self.command = command
        self._answers = 0
        self._retries = 0
        self._limited = False

    def kind(self, call: Call) -> str:
        """The item that a call is."""
        return call.name if call.name in self._items else self.command

    def answers(self, blocks: tuple[Block, ...], stop: str) -> Iterator[W]:
        """The items of a whole response."""
        self._answers += 1
        yield from self._blocks(blocks, stop)
        self._limited = stop == "max_tokens"

    def breaks(self, blocks: tuple[Block, ...], partial: str) -> Iterator[W]:
        """Whole items, one that is never completed, and a retry."""
        self._answers += 1
        yield from self._blocks(blocks, "tool_use")
        yield from self.begun(item_id(self._answers, len(blocks) + 1), partial)
        yield from self._retry(None)

    def rejected(self, status: int) -> Iterator[W]:
        """A retry."""
        yield from self._retry(status)

    def gives_up(self, status: int) -> Iterator[W]:
        """The turn fails with what the status means."""
        yield from self.fails(REFUSALS[status])

    def ends(self) -> Iterator[W]:
        """The turn completes, unless the answer was cut by a limit."""
        yield from self.fails(LIMIT) if self._limited else self.completes()

    def _retry(self, status: int | None) -> Iterator[W]:
        self._retries += 1
        yield from self.retries(self._retries, retried(status))

    def _blocks(self, blocks: tuple[Block, ...], stop: str) -> Iterator[W]:
        for index, block in enumerate(blocks):
            name = item_id(self._answers, index + 1)
            match block:
                case Say(text):
                    yield from self.says(name, text, phase_of(blocks, index, stop))
                case Think(text):
                    yield from self.thinks(name, text)
                case Call():
                    yield from self.runs(block)
                case other:
                    assert_never(other)

    @abstractmethod
    def says(self, name: str, text: str, phase: Phase) -> Iterator[W]:
        """A whole text."""

    @abstractmethod
    def begun(self, name: str, partial: str) -> Iterator[W]:
        """A text that is never completed."""

    @abstractmethod
    def thinks(self, name: str, text: str) -> Iterator[W]:
        """A whole summary of reasoning."""

    @abstractmethod
    def runs(self, call: Call) -> Iterator[W]:
        """A tool starts."""

    @abstractmethod
    def retries(self, number: int, cause: Cause) -> Iterator[W]:
        """The runtime asks again, for the `number`-th time."""

    @abstractmethod
    def fails(self, cause: Cause) -> Iterator[W]:
        """The turn fails."""

    @abstractmethod
    def completes(self) -> Iterator[W]:
        """The turn completes."""
