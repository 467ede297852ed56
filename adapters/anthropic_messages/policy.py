"""What of the Messages API's answers may land. Requests never come here: only their features do.

Visible: what the model says, what its tools put to a person, its plans. Hidden: thinking and
signatures. Private: tool arguments and results, error texts.
"""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.policy import Blocks, Policy, lines

STOPS: Final = (
    "end_turn max_tokens stop_sequence tool_use pause_turn refusal model_context_window_exceeded"
    " compaction tool_deferred"
)
ERRORS: Final = (
    "api_error invalid_request_error rate_limit_error authentication_error not_found_error"
    " request_too_large permission_error overloaded_error timeout_error billing_error conflict"
    " error"
)
BLOCKS: Final = (
    "text thinking redacted_thinking tool_use server_tool_use mcp_tool_use tool_result"
    " web_search_tool_result web_fetch_tool_result code_execution_tool_result"
    " bash_code_execution_tool_result text_editor_code_execution_tool_result mcp_tool_result"
    " tool_search_tool_result container_upload image document compaction"
)
MODELS: Final = r"claude-[a-z0-9.\-]{1,48}(?:@[0-9]{8})?(?:\[1m\])?"

MESSAGES: Final = f"""
message  *  id                            id
message  *  type                          enum message
message  *  role                          enum assistant
message  *  model                         name
message  *  content                       text
message  *  content[]                     record block
message  *  stop_reason                   enum {STOPS}
message  *  stop_sequence                 shape
message  *  stop_details                  record details
message  *  usage                         record usage
message  *  container                     record container
message  *  context_management            shape
container * id                            id
container * expires_at                    when
details  *  type                          enum refusal
details  *  category                      word
details  *  explanation                   shape
usage    *  service_tier                  word
usage    *  inference_geo                 word
usage    *  speed                         word
usage    *  iterations[]                  record usage
usage    *  type                          word
usage    *  **                            number

block    *  type                          enum {BLOCKS}
block    *  id                            id
block    *  tool_use_id                   id
block    *  is_error                      bool
block    *  name                          name
block    *  server_name                   name
block    *  text                          text
block    *  thinking                      filler
block    *  signature                     filler
block    *  data                          filler
block    *  input                         record input name
block    *  content                       record result
block    *  citations                     shape
block    *  caller.type                   word
result   *  type                          word
result   *  error_code                    word
result   *  return_code                   int
result   *  **                            shape

# A tool's arguments are private, except what it puts to a person.
input  *                **                             shape
input  AskUserQuestion  questions[].question           text
input  AskUserQuestion  questions[].header             text
input  AskUserQuestion  questions[].options[].label    text
input  AskUserQuestion  questions[].options[].description text
input  AskUserQuestion  questions[].multiSelect        bool
input  TodoWrite        todos[].content                text
input  TodoWrite        todos[].activeForm             text
input  TodoWrite        todos[].status                 enum pending in_progress completed
input  TodoWrite        todos[].id                     id
input  ExitPlanMode     plan                           text
input  Task             subagent_type                  name
input  Task             run_in_background              bool
input  Agent            subagent_type                  name
input  Agent            run_in_background              bool

delta  *                 type             word
delta  text_delta        text             delta text
delta  input_json_delta  partial_json     delta json
delta  thinking_delta    thinking         filler
delta  thinking_delta    estimated_tokens int
delta  signature_delta   signature        filler
delta  citations_delta   citation         shape
delta  compaction_delta  content          filler
"""
"""The records of a message, its blocks and deltas; Claude Code's own stream repeats them."""

_FRAMES: Final = f"""
frame  *    type                          word
frame  *    index                         int
frame  *    input_tokens                  int
frame  *    request_id                    id
frame  error    error.type                enum {ERRORS}
frame  error    error.message             shape
frame  error    error.details             shape
frame  message  id                        id
frame  message  role                      enum assistant
frame  message  model                     name
frame  message  content[]                 record block
frame  message  stop_reason               enum {STOPS}
frame  message  stop_sequence             shape
frame  message  stop_details              record details
frame  message  usage                     record usage
frame  message  container                 record container
frame  message  context_management        shape
frame  message_start        message       record message
frame  content_block_start  content_block record block
frame  content_block_delta  delta         record delta
frame  message_delta  delta.stop_reason   enum {STOPS}
frame  message_delta  delta.stop_sequence shape
frame  message_delta  delta.stop_details  record details
frame  message_delta  delta.container     record container
frame  message_delta  usage               record usage
frame  message_delta  context_management  shape
"""

POLICY: Final = Policy(
    dialect="anthropic-messages",
    version=1,
    discriminators={"frame": ("type",), "delta": ("type",)},
    lines=lines(_FRAMES + MESSAGES),
    blocks=Blocks(
        key=("index",),
        start="content_block_start",
        stop="content_block_stop",
        tool="content_block.name",
        ends=("message_start", "message_stop"),
    ),
    name_patterns=(MODELS,),
    name_prefixes=("mcp__",),
    literals=("Overloaded", "Internal server error"),
)
