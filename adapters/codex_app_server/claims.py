"""What Codex' app-server can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, inferred, proven

CLAIMS: Final = Claims(
    commentary=proven("`phase` of the item, confirmed by how the turn ends"),
    live=proven("`phase` stands in `item/started`, before the text"),
    answer=proven("`turn/completed` with status `completed`, its summary, and `phase`"),
    activities=proven("items of a tool's type, with an id"),
    tool_outcomes=proven("`status` of the completed item"),
    plans=proven("`turn/plan/updated`"),
    refusals=proven("status `declined`"),
    gates=proven("requests to the host and its responses have one id"),
    withdrawals=proven("the host answers the request with an error"),
    questions=proven("`item/tool/requestUserInput` and its answer have one id"),
    retries=proven(
        "`error` with `willRetry`; an HTTP request's own retries show on the provider's track"
    ),
    cuts=proven("`error` with `willRetry` after an item that is not completed"),
    cancels=proven("the host's `turn/interrupt`, and status `interrupted`"),
    failures=inferred(
        "status `failed` proves the failure and `codexErrorInfo` its code; where that says"
        " `other`, the runtime's own sentence"
    ),
    missing_answers=proven("`turn/completed` without a message that could be the answer"),
    resumes=proven("former turns come in the response to `thread/resume` only"),
    repeats=inferred(
        "items and ends are known by id and time; deltas have none, and the whole text"
        " corrects them"
    ),
    replays=proven("items, turns and ends are known by id and time"),
    neighbours=proven("`threadId` of every notification"),
    steers=proven("the response to `turn/steer` names the turn"),
    children=proven("`parentThreadId` of a child agent's thread, and the turns of that thread"),
    wakes=inferred("a turn that no host asked for, in a thread that has child agents"),
)
