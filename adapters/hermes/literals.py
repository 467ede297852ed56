"""Fixed strings of Hermes (C9, E5), each with the versions and the recording that prove it.

They refine a failure's code, void the message on its way and set health. They decide no outcome
and no text's role. The sanitizer's policies let them through wherever they stand, or a sanitized
stream would translate differently (S6).
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from turnreel.lifecycle.events import Code
from turnreel.lifecycle.tables import code_of_status

TABLE: Final = 1
"""The version of this table."""


class Proven(msgspec.Struct, frozen=True):
    """A literal: an expression, what it means, and the recording that proves it."""

    form: str
    means: str
    versions: tuple[str, ...]
    proof: str


DROPPED: Final = Proven(
    r"⚠ Connection dropped mid tool-call; reconnecting…",
    "the message on its way is void; the model is asked again",
    ("0.19.0",),
    "d_session_drop_toolargs",
)
STALLED: Final = Proven(
    r"⚠ Stream stalled mid tool-call \([^()\n]{1,300}\); the action was not executed\. "
    r"Ask me to retry if you want to continue\.",
    "the message on its way is void; the model is asked again",
    ("0.19.0",),
    "d_acp_stalled_toolargs",
)
STATUS: Final = Proven(
    r"HTTP [1-5][0-9]{2}(?=: )",
    "the provider answered with this status",
    ("0.19.0",),
    "c_session_bad400",
)
EXHAUSTED: Final = Proven(
    r"API call failed after [0-9]{1,3} retries(?=: )",
    "what follows is the last of several errors",
    ("0.19.0",),
    "c_session_rl429x",
)
STEPS: Final = Proven(
    r"⚠️ No reply: the maximum tool-iteration limit was reached",
    "the limit of steps was reached",
    ("0.19.0",),
    "n_run_iteration_limit",
)
NO_REPLY: Final = Proven(
    r"⚠️ No reply: ",
    "the runtime speaks where an answer would be: the message is void",
    ("0.19.0",),
    "p_run_tool_then_empty",
)
LITERALS: Final = (DROPPED, STALLED, STATUS, EXHAUSTED, STEPS, NO_REPLY)

NOTICES: Final = tuple(one.form for one in LITERALS)
"""For the sanitizer's policies."""

_DROPPED: Final = re.compile(rf"\s*(?:{DROPPED.form}|{STALLED.form})\s*")
_FAILURE: Final = re.compile(rf"(?:Error: )?(?:{EXHAUSTED.form}: )?(?:{STATUS.form})")
_STEPS: Final = re.compile(STEPS.form)


def after_drop(text: str) -> str | None:
    """What was said after the notice that the connection was dropped or the stream stalled within a
    tool call; None if it is not there.
    """
    pieces = _DROPPED.split(text)
    return pieces[-1] if len(pieces) > 1 else None


def is_no_reply(text: str) -> bool:
    """Whether the runtime says in `text` that there is no answer (C5, C9)."""
    return NO_REPLY.form in text


def code_in(text: str) -> Code | None:
    """The code that a failure's own text refines (E5), or None."""
    if (found := _FAILURE.match(text)) is not None:
        return code_of_status(int(found[0][-3:]))
    return "max_turns" if _STEPS.search(text) else None
