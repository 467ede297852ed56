"""What of Hermes' TUI gateway may land."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.literals import NOTICES
from turnreel.adapters.hermes.policy import COMMON, KEYS, NAMES
from turnreel.sanitizers.policy import Blocks, Policy, lines

_FRAMES: Final = """
frame  *    jsonrpc                       version
frame  *    id                            call
frame  *    method                        word
frame  *    params.session_id             id
frame  *    params.type                   word
frame  *    error.code                    int
frame  *    error.message                 shape
frame  *    result.status                 word
frame  *    result.resolved               int
frame  *    result.session_id             id
frame  *    result.stored_session_id      id
frame  *    result.resumed                id
frame  *    result.message_count          int
frame  *    result.running                bool
frame  *    result.session_key            id
frame  *    result.started_at             when
frame  *    result.messages               masked
frame  *    result.info                   masked
frame  *    result.inflight               masked

# What the client asks
frame  prompt.submit      params.text     shape
frame  session.create     params.cols     int
frame  session.resume     params.cols     int
frame  approval.respond   params.choice   word
frame  approval.respond   params.all      bool
frame  clarify.respond    params.request_id id
frame  clarify.respond    params.answer   text
frame  sudo.respond       params.request_id id
frame  sudo.respond       params.password masked
frame  secret.respond     params.request_id id
frame  secret.respond     params.value    masked

# Events
frame  event/gateway.ready        params.payload                 masked
frame  event/session.info         params.payload                 masked
frame  event/session.title        params.payload.session_id      id
frame  event/session.title        params.payload.title           text
frame  event/message.start        params.payload                 masked
frame  event/message.delta        params.payload.text            delta text
frame  event/message.interim      params.payload.text            text
frame  event/message.interim      params.payload.already_streamed bool
frame  event/message.complete     params.payload.text            text
frame  event/message.complete     params.payload.rendered        masked
frame  event/message.complete     params.payload.status          enum complete interrupted error
frame  event/message.complete     params.payload.usage           record usage
frame  event/message.complete     params.payload.reasoning       filler
frame  event/message.complete     params.payload.warning         shape
frame  event/message.complete     params.payload.response_previewed bool
frame  event/thinking.delta       params.payload.text            masked
frame  event/reasoning.delta      params.payload.text            filler
frame  event/reasoning.delta      params.payload.verbose         bool
frame  event/reasoning.available  params.payload.text            filler
frame  event/reasoning.available  params.payload.verbose         bool
frame  event/tool.generating      params.payload.name            name
frame  event/tool.start           params.payload.tool_id         id
frame  event/tool.start           params.payload.name            name
frame  event/tool.start           params.payload.context         shape
frame  event/tool.start           params.payload.args_text       shape
frame  event/tool.complete        params.payload.tool_id         id
frame  event/tool.complete        params.payload.name            name
frame  event/tool.complete        params.payload.args            record input
frame  event/tool.complete        params.payload.duration_s      number
frame  event/tool.complete        params.payload.result          record result
frame  event/tool.complete        params.payload.summary         shape
frame  event/tool.complete        params.payload.result_text     shape
frame  event/tool.complete        params.payload.inline_diff     shape
frame  event/tool.complete        params.payload.todos[]         record todo
frame  event/status.update        params.payload.kind            word
frame  event/status.update        params.payload.text            shape
frame  event/approval.request     params.payload.command         command
frame  event/approval.request     params.payload.pattern_key     shape
frame  event/approval.request     params.payload.pattern_keys[]  shape
frame  event/approval.request     params.payload.description     shape
frame  event/approval.request     params.payload.allow_permanent bool
frame  event/approval.request     params.payload.choices[]       word
frame  event/clarify.request      params.payload.question        text
frame  event/clarify.request      params.payload.choices[]       text
frame  event/clarify.request      params.payload.request_id      id
frame  event/sudo.request         params.payload.request_id      id
frame  event/sudo.expire          params.payload.request_id      id
frame  event/secret.request       params.payload.request_id      id
frame  event/secret.request       params.payload.prompt          shape
frame  event/secret.expire        params.payload.request_id      id
frame  event/error                params.payload.message         shape
frame  event/subagent.start       params.payload                 record child
frame  event/subagent.thinking    params.payload                 record child
frame  event/subagent.tool        params.payload                 record child
frame  event/subagent.progress    params.payload                 record child
frame  event/subagent.complete    params.payload                 record child
frame  event/subagent.complete    params.payload                 record child
child  *    subagent_id                   id
child  *    parent_id                     id
child  *    child_session_id              id
child  *    goal                          shape
child  *    text                          shape
child  *    tool_preview                  shape
child  *    tool_name                     name
child  *    model                         name
child  *    toolsets[]                    name
child  *    status                        word
child  *    summary                       text
child  *    files_read[]                  path
child  *    files_written[]               path
child  *    output_tail                   masked
child  *    **                            number
"""

POLICY: Final = Policy(
    dialect="hermes-tui",
    version=1,
    discriminators={"frame": ("method", "params.type")},
    lines=lines(_FRAMES + COMMON),
    blocks=Blocks(
        key=("params.session_id",),
        start="event/message.start",
        stop="-",
        tool="",
        ends=(
            "event/message.interim",
            "event/message.complete",
            "event/reasoning.available",
            "event/tool.start",
            "event/error",
        ),
    ),
    names=NAMES,
    name_prefixes=("mcp_",),
    notices=NOTICES,
    keys=KEYS,
)
