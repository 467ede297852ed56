"""What Hermes' chat completions can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, impossible, inferred, proven

CLAIMS: Final = Claims(
    commentary=inferred("the text before a tool"),
    live=impossible("no chunk tells before a tool starts that the text is not the answer"),
    answer=inferred("the text after the last tool; the finish reason is honest"),
    activities=proven("`hermes.tool.progress` names the tool and has an id"),
    tool_outcomes=impossible("a tool that failed is `completed` as well"),
    plans=impossible("no chunk tells of it"),
    refusals=impossible("nobody can be asked: the runtime blocks the tool"),
    gates=impossible("nobody can be asked: the runtime blocks the tool"),
    withdrawals=impossible("nobody can be asked: the runtime blocks the tool"),
    questions=impossible("nobody can be asked"),
    retries=impossible("a repeated request leaves no chunk"),
    cuts=inferred("the runtime's own notice between two texts"),
    cancels=impossible("there is no stop but hanging up, which the stream cannot confirm"),
    failures=inferred("the finish reason proves the failure, the runtime's own sentence its code"),
    missing_answers=proven("finish reason `stop` without a text after the last tool"),
    resumes=proven("former turns are not streamed"),
    repeats=impossible("chunks have no identity, and no whole text follows"),
    replays=impossible("chunks have no identity, and no whole text follows"),
    neighbours=impossible("a stream has one thread"),
    steers=impossible("the stream of a turn has no way back"),
    children=impossible("a subagent shows as the call of its tool alone"),
    wakes=impossible("a stream ends with its turn"),
)
