"""C5: a final answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnreel.conformance.sessions import Run, Session, Violation, broken
from turnreel.lifecycle.events import Artifact
from turnreel.lifecycle.events import Final as Answer

CLAUSE: Final = "C5"
SENTENCE: Final = (
    "A final without text needs an artifact or a runtime's own answer; error text of a "
    "vendor is no final."
)
READS: Final = "run"


_ERROR_TEXT: Final = re.compile(r"(API Error: \d{3}\b|HTTP [45]\d\d\b|No reply\b)")


def check(run: Run, session: Session) -> Iterator[Violation]:
    """Empty finals and error text in a final's place."""
    final = run.terminal
    if not isinstance(final, Answer):
        return
    produced = any(isinstance(event, Artifact) for event in run.before)
    if not final.text and not produced and final.confidence != "runtime":
        yield broken(CLAUSE, final, "the final is empty and nothing was produced")
    if _ERROR_TEXT.match(final.text):
        yield broken(CLAUSE, final, "the final is a vendor's error text")
