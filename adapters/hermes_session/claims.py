"""What Hermes' session stream can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, impossible, inferred, proven

CLAIMS: Final = Claims(
    commentary=proven("`tool.started` after the end of a model call"),
    live=impossible("no event tells before the model call is over that it calls a tool"),
    answer=proven("the last row of `run.completed`, an assistant's that stopped"),
    activities=proven("`tool.started` names the tool; calls of unknown tools leave no event"),
    tool_outcomes=proven("the rows of `run.completed` hold what each tool answered"),
    plans=impossible("no event tells of it"),
    refusals=impossible("nobody can be asked: the runtime blocks the tool"),
    gates=impossible("nobody can be asked: the runtime blocks the tool"),
    withdrawals=impossible("nobody can be asked: the runtime blocks the tool"),
    questions=impossible("nobody can be asked"),
    retries=impossible("a repeated request leaves no event"),
    cuts=inferred("the runtime's own notice between two texts"),
    cancels=impossible("there is no stop, and hanging up stops nothing"),
    failures=inferred("the rows prove the failure, the runtime's own sentence its code"),
    missing_answers=proven("the rows of `run.completed` end without an answer"),
    resumes=proven("former turns are not streamed"),
    repeats=proven("`run_id` and `seq` of every event"),
    replays=proven("`run_id` and `seq` of every event"),
    neighbours=impossible("a stream has one run"),
    steers=impossible("the stream of a turn has no way back"),
    children=impossible("a subagent shows as the call of its tool alone"),
    wakes=impossible("a stream ends with its turn"),
)
