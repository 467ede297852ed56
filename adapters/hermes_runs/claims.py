"""What Hermes' runs can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, impossible, inferred, proven

CLAIMS: Final = Claims(
    commentary=proven("`tool.started` after the end of a model call"),
    live=impossible("no event tells before the model call is over that it calls a tool"),
    answer=proven(
        "`run.completed` repeats the text of the last model call, which is known to be over"
    ),
    activities=proven("`tool.started` names the tool; calls of unknown tools leave no event"),
    tool_outcomes=proven("`error` of `tool.completed`"),
    plans=impossible("no event tells of it"),
    refusals=proven("`approval.responded` before the tool fails"),
    gates=proven("`approval.request` and `approval.responded`, in order"),
    withdrawals=impossible("the runtime takes no question back: it expires"),
    questions=impossible("the runtime has nobody to ask here"),
    retries=impossible("a repeated request leaves no event"),
    cuts=inferred("the runtime's own notice between two texts"),
    cancels=proven("the host's stop and `run.cancelled`"),
    failures=inferred("`run.failed` proves the failure, the runtime's own sentence its code"),
    missing_answers=proven("`run.completed` without a text that was streamed to its end"),
    resumes=proven("former turns are not streamed"),
    repeats=proven("`run_id`, event and time of every event"),
    replays=proven("`run_id`, event and time of every event"),
    neighbours=impossible("a stream has one run"),
    steers=impossible("the runtime takes no message into a run"),
    children=impossible("a subagent shows as the call of its tool alone"),
    wakes=impossible("a stream ends with its run"),
)
