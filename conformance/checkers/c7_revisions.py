"""C7: commentary can be applied."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import AnyTerminal, Watch
from turnreel.lifecycle.events import AnyEvent, Commentary


class Checker(Watch):
    """Commentary can be applied."""

    clause = "C7"
    sentence = (
        "Commentary is applied at its offset; a higher revision starts anew; what is done or "
        "taken back changes only by a higher revision; none is unfinished at the terminal."
    )

    def begin(self) -> None:
        self.messages: dict[str, tuple[Commentary, int]] = {}
        """The last event of each message, and how long its text is now."""
        self.unfinished: set[str] = set()

    def told(self, event: AnyEvent) -> Iterator[str]:
        if not isinstance(event, Commentary):
            return
        former, length = self.messages.get(event.message_id, (None, 0))
        if fault := _fault(event, former, length):
            yield fault
        fresh = former is None or event.revision > former.revision
        length = (0 if fresh else event.offset) + len(event.text)
        self.messages[event.message_id] = (event, length)
        if event.done:
            self.unfinished.discard(event.message_id)
        else:
            self.unfinished.add(event.message_id)

    def ended(self, terminal: AnyTerminal) -> Iterator[str]:
        for message in sorted(self.unfinished):
            yield f"{message} is unfinished at the terminal"


def _fault(event: Commentary, former: Commentary | None, length: int) -> str:
    if former is None or event.revision > former.revision:
        return "a new revision does not begin at 0" if event.offset else ""
    if event.revision < former.revision:
        return f"revision {event.revision} after {former.revision}"
    if former.retracted:
        return "said on after it was taken back"
    if event.retracted:
        return "taken back without a higher revision"
    if former.done and event.text:
        return "said on after it was done"
    if event.offset > length:
        return f"offset {event.offset} behind the text's end at {length}"
    return ""
