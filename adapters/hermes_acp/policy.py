"""What of Hermes' ACP may land."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.literals import NOTICES
from turnreel.adapters.hermes.policy import COMMON, KEYS, NAMES
from turnreel.sanitizers.policy import Blocks, Policy, lines

from .titles import TITLES

_FRAMES: Final = """
frame  *  jsonrpc                                 version
frame  *  id                                      call
frame  *  method                                  name
frame  *  params.sessionId                        id
frame  *  error.code                              int
frame  *  error.message                           shape
frame  *  error.data                              masked
frame  *  result.stopReason                       word
frame  *  result.usage                            record usage
frame  *  result.sessionId                        id
frame  *  result.protocolVersion                  int
frame  *  result.agentInfo.name                   name
frame  *  result.agentInfo.version                version
frame  *  result.agentCapabilities                masked
frame  *  result.authMethods                      masked
frame  *  result.models                           masked
frame  *  result.modes                            masked
frame  *  result._meta                            masked
frame  *  result.outcome.outcome                  enum selected cancelled
frame  *  result.outcome.optionId                 word
frame  initialize      params.protocolVersion     int
frame  initialize      params.clientCapabilities  masked
frame  session/new     params.cwd                 path
frame  session/new     params.mcpServers          masked
frame  session/load    params.cwd                 path
frame  session/load    params.mcpServers          masked
frame  session/prompt  params.prompt[].type       word
frame  session/prompt  params.prompt[].text       shape
frame  session/request_permission  params.options[].kind      word
frame  session/request_permission  params.options[].name      text
frame  session/request_permission  params.options[].optionId  word
frame  session/request_permission  params.toolCall            record tool
frame  session/update/*  params.update                        record update
update *  sessionUpdate                           word
update *  toolCallId                              id
update *  title                                   shape
update *  kind                                    word
update *  status                                  word
update *  locations                               masked
update tool_call            content[]             record part
update tool_call_update     content[]             record part
update *  rawInput                                record input
update *  rawOutput                               shape
update agent_message_chunk  content.type          word
update agent_message_chunk  content.text          delta text
update agent_thought_chunk  content.type          word
update agent_thought_chunk  content.text          filler
update user_message_chunk   content.type          word
update user_message_chunk   content.text          shape
update plan                 entries[].content     text
update plan                 entries[].status      word
update plan                 entries[].priority    word
update usage_update         size                  int
update usage_update         used                  int
update session_info_update  _meta                 masked
update session_info_update  title                 text
update session_info_update  updatedAt             when
update available_commands_update  availableCommands  masked
tool   *  toolCallId                              id
tool   *  title                                   shape
tool   *  kind                                    word
tool   *  status                                  word
tool   *  locations                               masked
tool   *  content[]                               record part
tool   *  rawInput.command                        command
tool   *  rawInput.**                             shape
part   *  type                                    word
part   *  content.type                            word
part   *  content.text                            shape
part   *  path                                    path
part   *  oldText                                 shape
part   *  newText                                 shape
"""

_METHODS: Final = frozenset(
    {
        "initialize", "authenticate", "session/new", "session/load", "session/list",
        "session/fork", "session/resume", "session/prompt", "session/cancel", "session/update",
        "session/set_mode", "session/set_model", "session/request_permission",
        "fs/read_text_file", "fs/write_text_file", "terminal/create", "terminal/output",
    }
)  # fmt: skip

POLICY: Final = Policy(
    dialect="hermes-acp",
    version=1,
    discriminators={
        "frame": ("method", "params.update.sessionUpdate"),
        "update": ("sessionUpdate",),
    },
    lines=lines(_FRAMES + COMMON),
    blocks=Blocks(
        key=("params.sessionId",),
        start="session/prompt",
        stop="-",
        tool="",
        ends=("session/update/tool_call", "session/update/usage_update"),
    ),
    names=NAMES | _METHODS,
    name_prefixes=("mcp_",),
    literals=tuple(TITLES),
    notices=NOTICES,
    keys=KEYS,
)
