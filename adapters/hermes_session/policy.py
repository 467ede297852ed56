"""What of Hermes' session stream may land."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.literals import NOTICES
from turnreel.adapters.hermes.policy import COMMON, KEYS, NAMES, STATUS
from turnreel.sanitizers.policy import Blocks, Policy, lines

_FRAMES: Final = """
frame  *                    session_id            id
frame  *                    run_id                id
frame  *                    message_id            id
frame  *                    seq                   int
frame  *                    ts                    when
frame  run.started          user_message.role     enum user
frame  run.started          user_message.content  shape
frame  message.started      message.id            id
frame  message.started      message.role          enum assistant
frame  assistant.delta      delta                 delta text
frame  tool.progress        tool_name             name
frame  tool.progress        delta                 filler
frame  tool.started         tool_name             name
frame  tool.started         preview               shape
frame  tool.started         args                  record input
frame  tool.completed       tool_name             name
frame  tool.completed       preview               shape
frame  tool.completed       args                  record input
frame  tool.failed          tool_name             name
frame  tool.failed          preview               shape
frame  tool.failed          args                  record input
frame  assistant.completed  content               text
frame  assistant.completed  completed             bool
frame  assistant.completed  partial               bool
frame  assistant.completed  interrupted           bool
frame  run.completed        completed             bool
frame  run.completed        messages[]            record row
frame  run.completed        usage                 record usage
frame  error                message               shape
"""

POLICY: Final = Policy(
    dialect="hermes-session",
    version=1,
    discriminators={"frame": ("@event",), "row": ("role",)},
    lines=lines(STATUS + _FRAMES + COMMON),
    blocks=Blocks(
        key=("message_id",),
        start="message.started",
        stop="-",
        tool="",
        ends=("tool.progress", "tool.started", "assistant.completed", "error", "done"),
    ),
    names=NAMES,
    name_prefixes=("mcp_",),
    notices=NOTICES,
    keys=KEYS,
)
