"""O6: parents, causes and continuations."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.watching import Watch
from turnreel.lifecycle.events import AnyEvent, RunStarted


class Checker(Watch):
    """Parents, causes and continuations."""

    clause = "O6"
    sentence = (
        "A parent, a causing and a continued run is another run of the session that began before."
    )

    def every(self, event: AnyEvent) -> Iterator[str]:
        if not isinstance(event, RunStarted):
            return
        for role, name in (
            ("parent", event.parent_run_id),
            ("cause", event.caused_by),
            ("continued run", event.continues),
        ):
            if name is not None and name not in self.earlier:
                yield f"the {role} {name} did not begin before"
