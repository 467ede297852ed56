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

_KEPT: Final = """
frame  *  object  enum list hermes.session hermes.session.deleted hermes.session.chat.completion
frame  *  id                  call
frame  *  deleted             bool
frame  *  has_more            bool
frame  *  limit               int
frame  *  offset              int
frame  *  data[]              record row
frame  *  session             record row
frame  *  usage               record usage
frame  *  message.role        enum assistant
frame  *  message.content     text
row    *  id                  call
row    *  source              word
row    *  user_id             id
row    *  parent_session_id   id
row    *  model               name
row    *  title               text
row    *  preview             shape
row    *  started_at          when
row    *  ended_at            when
row    *  last_active         when
row    *  end_reason          word
row    *  message_count       int
row    *  tool_call_count     int
row    *  api_call_count      int
row    *  input_tokens        int
row    *  output_tokens       int
row    *  cache_read_tokens   int
row    *  cache_write_tokens  int
row    *  reasoning_tokens    int
row    *  estimated_cost_usd  number
row    *  actual_cost_usd     number
row    *  has_system_prompt   bool
row    *  has_model_config    bool
"""
"""Answers to other calls: sessions, and the messages of one, which are rows as well."""

POLICY: Final = Policy(
    dialect="hermes-session",
    version=1,
    discriminators={"frame": ("@event",), "row": ("role",)},
    lines=lines(STATUS + COMMON + _KEPT + _FRAMES),
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
