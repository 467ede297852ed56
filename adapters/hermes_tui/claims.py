"""What Hermes' TUI gateway can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, impossible, inferred, proven

CLAIMS: Final = Claims(
    commentary=proven("`message.interim`"),
    live=proven("`tool.generating` tells that the message on its way calls a tool"),
    answer=proven("`message.complete` with status `complete` repeats the text that was streamed"),
    activities=proven("`tool.start` names the tool and has an id"),
    tool_outcomes=proven("the result in `tool.complete`"),
    plans=proven("`todos` beside what a tool answered"),
    refusals=proven("the person's answer before the tool fails"),
    gates=proven("`approval.request` and the client's answer, in order"),
    withdrawals=impossible("the runtime takes no question back: it expires"),
    questions=proven("`clarify.request` and its answer have one id"),
    retries=impossible("a repeated request leaves no event"),
    cuts=inferred("the runtime's own notice between two texts"),
    cancels=proven("the client's `session.interrupt`, and status `interrupted`"),
    failures=inferred("status `error` proves the failure, the runtime's own sentence its code"),
    missing_answers=proven("`message.complete` without a text that was streamed"),
    resumes=proven("former turns come in the answer to `session.resume` only"),
    repeats=inferred("events have no identity; the whole text corrects what was told twice"),
    replays=impossible("events have no identity, and a turn that starts again is another"),
    neighbours=proven("`session_id` of every event"),
    steers=proven("the answer to `prompt.submit` says `steered`"),
    children=proven("`subagent.start` and `subagent.complete` name the subagent"),
    wakes=impossible("a turn that begins by itself does not say what had caused it"),
)
