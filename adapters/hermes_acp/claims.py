"""What Hermes' ACP can tell of a turn."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.claims import Claims, impossible, inferred, proven

CLAIMS: Final = Claims(
    commentary=inferred("the text before a tool call"),
    live=impossible("no update tells before a tool call that the text is not the answer"),
    answer=inferred(
        "the text after the last tool call, if the answer to the prompt counted tokens"
    ),
    activities=proven("`tool_call` has an id; its title begins with what the tool does"),
    tool_outcomes=proven("`status` of `tool_call_update`"),
    plans=proven("`plan` updates"),
    refusals=proven("the client's answer before the tool fails"),
    gates=proven("`session/request_permission` and its answer have one id"),
    withdrawals=proven("the client's answer to the request says that it was cancelled"),
    questions=impossible("the runtime asks for permission only"),
    retries=impossible("a repeated request leaves no update"),
    cuts=inferred("the runtime's own notice between two texts"),
    cancels=proven("the client's `session/cancel`, and stop reason `cancelled`"),
    failures=inferred(
        "an answer to the prompt that counted no tokens and, of its code, a sentence"
    ),
    missing_answers=inferred("an answer to the prompt without a text after the last tool call"),
    resumes=proven("the history comes before the answer to `session/load`, outside any turn"),
    repeats=impossible("chunks have no identity, and no whole text follows"),
    replays=impossible("chunks have no identity, and no whole text follows"),
    neighbours=impossible("an answer to a prompt that failed names no session"),
    steers=impossible("no update tells what became of a prompt sent while a turn runs"),
    children=impossible("a subagent shows as the call of its tool alone"),
    wakes=impossible("no update tells of a turn that nobody asked for"),
)
