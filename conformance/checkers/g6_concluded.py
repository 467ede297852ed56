"""G6: only a person concludes."""

from __future__ import annotations

from collections.abc import Iterator

from turnreel.conformance.moments import Moment, SessionWatch
from turnreel.lifecycle.notices import Concluded


class SessionChecker(SessionWatch):
    """No message, verdict or terminal of an agent concludes a session."""

    clause = "G6"
    sentence = "A session is concluded by the person, and by nothing an agent says."

    def see(self, moment: Moment) -> Iterator[str]:
        moved = moment.after == "concluded" != moment.before
        if moved and not isinstance(moment.fact, Concluded):
            yield "concluded, and no person did it"
