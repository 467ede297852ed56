"""What Claude Code's stream can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, impossible, proven

CLAIMS: Final = Claims(
    commentary=proven("a tool call in the same message, or a stop reason that goes on"),
    live=impossible("no frame tells before a message is over that it will not be the answer"),
    answer=proven("`result` ends the turn and repeats the end of the answer"),
    activities=proven("`tool_use` blocks name the tool and have an id"),
    tool_outcomes=proven("`is_error` of the tool's result"),
    plans=proven("`todos` of the tool that keeps the plan, once it returned"),
    refusals=proven("the permission decision beside the tool's result"),
    gates=proven("`can_use_tool` and the host's answer have one request id"),
    withdrawals=proven("`control_cancel_request`"),
    questions=proven("`can_use_tool` of the tool that asks, and the host's answer"),
    retries=proven("`api_retry` with the status"),
    cuts=proven("`abandoned_blocks` names the message and the first block that is void"),
    cancels=proven("the host's `interrupt`, and `terminal_reason` of the result"),
    failures=proven("typed words and the status beside the runtime's own message"),
    missing_answers=proven("a successful `result` without text"),
    resumes=proven("a resumed session tells nothing of former turns before `init`"),
    repeats=proven("`uuid` of every frame, `request_id` of every question"),
    replays=proven("`uuid` of every frame, `request_id` of every question"),
    neighbours=impossible("a stream has one thread"),
    steers=proven("the uuids of the user messages beside the next request of the model"),
    children=proven("`task_started` and `task_notification` name the tool call"),
    wakes=proven("`init` after the `task_notification` of a call that had returned"),
)
