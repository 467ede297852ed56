"""What Hermes' responses can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, impossible, inferred, proven

CLAIMS: Final = Claims(
    commentary=inferred("the text before a function call"),
    live=impossible("no event tells before a function call that the text is not the answer"),
    answer=inferred("the text after the last function call, if tokens were counted"),
    activities=proven("`function_call` items name the tool and have an id"),
    tool_outcomes=proven("the result in `function_call_output`"),
    plans=impossible("no event tells of it"),
    refusals=impossible("nobody can be asked: the runtime blocks the tool"),
    gates=impossible("nobody can be asked: the runtime blocks the tool"),
    withdrawals=impossible("nobody can be asked: the runtime blocks the tool"),
    questions=impossible("nobody can be asked"),
    retries=impossible("a repeated request leaves no event"),
    cuts=inferred("the runtime's own notice between two texts"),
    cancels=impossible("there is no stop but hanging up, which the stream cannot confirm"),
    failures=inferred(
        "a response that counted no tokens and, of its code, the runtime's own sentence"
    ),
    missing_answers=inferred("a completed response without a text after the last function call"),
    resumes=proven("former turns are not streamed"),
    repeats=proven("`sequence_number` of every event"),
    replays=proven("`sequence_number` of every event"),
    neighbours=impossible("a stream has one thread"),
    steers=impossible("the stream of a turn has no way back"),
    children=impossible("a subagent shows as the call of its tool alone"),
    wakes=impossible("a stream ends with its turn"),
)
