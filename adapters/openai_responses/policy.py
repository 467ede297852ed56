"""What of the Responses API's answers may land, and of what a client sends on a WebSocket.
Requests over HTTP never come here: only their features do.

Visible: what the model says. Hidden: reasoning. Private: tool arguments and results, error
sentences, all content of what a client sends.
"""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.policy import Blocks, Policy, lines

MODELS: Final = r"(?:gpt|codex|o[1-9])[a-z0-9.\-]{0,40}"
TOOLS: Final = """
    exec_command write_stdin apply_patch shell shell_command local_shell update_plan view_image
    web_search request_user_input request_user_input_async send_message_to_user_async exec
    list_mcp_resources read_mcp_resource spawn_agent send_input wait wait_agent resume_agent
    close_agent send_message followup_task interrupt_agent list_agents functions
"""

_LINES: Final = """
frame  *  type                            word
frame  *  sequence_number                 int
frame  *  output_index                    int
frame  *  content_index                   int
frame  *  summary_index                   int
frame  *  annotation_index                int
frame  *  item_id                         id
frame  *  response                        record response
frame  *  item                            record item
frame  *  part                            record part
frame  *  status                          word
frame  error  status                      int
frame  *  error.type                      word
frame  *  error.code                      word
frame  *  error.param                     word
frame  *  error.message                   shape
frame  *  error.plan_type                 word
frame  *  error.resets_at                 when
frame  *  headers                         masked
frame  response.output_text.delta         delta       delta text
frame  response.output_text.delta         logprobs    masked
frame  response.output_text.delta         obfuscation masked
frame  response.output_text.done          text        text
frame  response.output_text.done          logprobs    masked
frame  response.output_text.annotation.added annotation shape
frame  response.refusal.delta             delta       shape
frame  response.refusal.done              refusal     shape
frame  response.function_call_arguments.delta delta     delta json
frame  response.function_call_arguments.done  arguments source input
frame  response.custom_tool_call_input.delta  delta     shape
frame  response.custom_tool_call_input.done   input     shape
frame  response.reasoning_summary_part.added  part      record hidden
frame  response.reasoning_summary_part.done   part      record hidden
frame  response.reasoning_summary_text.delta  delta     filler
frame  response.reasoning_summary_text.done   text      filler
frame  response.reasoning_text.delta          delta     filler
frame  response.reasoning_text.done           text      filler
frame  response.metadata                  metadata    masked

# What a client sends on a WebSocket
frame  response.create  model                 name
frame  response.create  previous_response_id  id
frame  response.create  generate              bool
frame  response.create  stream                bool
frame  response.create  store                 bool
frame  response.create  prompt_cache_key      id
frame  response.create  input[]               record sent
frame  response.create  **                    masked
sent   *  type                            word
sent   *  role                            word
sent   *  phase                           word
sent   *  status                          word
sent   *  id                              id
sent   *  call_id                         id
sent   *  name                            name
sent   *  **                              masked

# A whole answer, and the shell that events repeat
frame  *  id                              id
frame  *  object                          word
frame  *  output[]                        record item
frame  *  usage                           record usage
response  *  id                           id
response  *  object                       word
response  *  status                       word
response  *  model                        name
response  *  output[]                     record item
response  *  usage                        record usage
response  *  end_turn                     bool
response  *  created_at                   when
response  *  completed_at                 when
response  *  previous_response_id         id
response  *  error.code                   word
response  *  error.type                   word
response  *  error.message                shape
response  *  incomplete_details.reason    word
response  *  service_tier                 word
response  *  store                        bool
response  *  background                   bool
response  *  parallel_tool_calls          bool
response  *  **                           masked
usage     *  **                           number

item  *                 id                id
item  *                 type              word
item  *                 status            word
item  *                 role              word
item  *                 phase             word
item  *                 call_id           id
item  *                 name              name
item  *                 namespace         name
item  message           content[]         record part
item  function_call     arguments         source input
item  custom_tool_call  input             shape
item  reasoning         summary[]         record hidden
item  reasoning         content[]         record hidden
item  reasoning         encrypted_content filler
item  web_search_call   action.type       word
item  web_search_call   action.**         shape
item  *                 **                shape

input   *  **                             shape

part    *  type                           word
part    *  text                           text
part    *  refusal                        shape
part    *  annotations                    shape
part    *  logprobs                       masked
hidden  *  type                           word
hidden  *  text                           filler
"""

POLICY: Final = Policy(
    dialect="openai-responses",
    version=3,
    discriminators={"frame": ("type",), "item": ("type",)},
    lines=lines(_LINES),
    blocks=Blocks(
        key=("output_index", "content_index"),
        start="response.content_part.added",
        stop="response.output_text.done",
        tool="item.name",
        ends=("response.output_item.done",),
    ),
    names=frozenset(TOOLS.split()),
    name_patterns=(MODELS,),
    name_prefixes=("mcp__",),
)
