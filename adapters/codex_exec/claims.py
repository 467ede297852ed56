"""What Codex' exec stream can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, impossible, inferred, proven

CLAIMS: Final = Claims(
    commentary=inferred("a text before an activity or another text: there is no phase"),
    live=impossible("texts are printed whole"),
    answer=inferred("the last text before `turn.completed`, which may be commentary"),
    activities=proven("items of a tool's type, with an id"),
    tool_outcomes=proven("`status` of the completed item"),
    plans=proven("items of type `todo_list`"),
    refusals=impossible("approvals are refused inside the agent, and no item tells of it"),
    gates=impossible("approvals are refused inside the agent, and no item tells of it"),
    withdrawals=impossible("approvals are refused inside the agent, and no item tells of it"),
    questions=impossible("nobody can be asked"),
    retries=inferred("the runtime's own sentence tells a retry from a failure"),
    cuts=inferred("the runtime's own sentence tells a retry from a failure"),
    cancels=proven("the host's own signal: the process prints nothing more"),
    failures=inferred("the runtime's own sentence: there is no code"),
    missing_answers=proven("`turn.completed` without a text after the last activity"),
    resumes=proven("former turns are not printed"),
    repeats=inferred("lines have no identity; a whole item told again says the same"),
    replays=inferred("lines have no identity; a whole item told again says the same"),
    neighbours=impossible("a stream has one thread"),
    steers=impossible("the prompt is on the command line, and nothing more is read"),
    children=impossible("a child agent shows as the item of the call alone"),
    wakes=impossible("the process ends with its turn"),
)
