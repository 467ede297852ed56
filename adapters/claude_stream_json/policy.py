"""What of Claude Code's stream-json may land.

Visible: what the model says, what it asks a person, its plans. Hidden: thinking and signatures.
Private: what a person wrote, tool arguments and results, paths, accounts. The structure that says
how a turn went passes as it is. The messages inside are the provider's, and so are their lines;
system frames and the control protocol have files of their own.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters.anthropic_messages.policy import BLOCKS, ERRORS, MESSAGES, MODELS, STOPS
from turnreel.sanitizers.policy import Blocks, Policy, lines

from . import catalogue, literals
from .policy_control import CONTROL, MODES
from .policy_system import SYSTEM, TASKS

_FAILURES: Final = (
    "authentication_failed oauth_org_not_allowed account_on_hold verification_required"
    " billing_error rate_limit overloaded invalid_request model_not_found server_error unknown"
    " max_output_tokens cloud_credential_error connection_failed"
)
_REASONS: Final = (
    "completed aborted_streaming aborted_tools max_turns budget_exhausted"
    " structured_output_retry_exhausted api_error model_error prompt_too_long image_error"
    " blocking_limit rapid_refill_breaker malformed_tool_use_exhausted turn_setup_failed"
    " stop_hook_prevented hook_stopped tool_deferred tool_deferred_unavailable background_requested"
)
_KEY_SOURCES: Final = "ANTHROPIC_API_KEY none user project org temporary oauth"

_FRAMES: Final = f"""
# Every frame
frame  *    type                          word
frame  *    subtype                       word
frame  *    uuid                          serial
frame  *    session_id                    id
frame  *    parent_tool_use_id            id
frame  *    timestamp                     when
frame  *    tool_use_id                   id
frame  *    task_id                       id
frame  *    run_id                        id
frame  *    agent_id                      id
frame  *    request_id                    id
frame  *    user_message_uuid             id
frame  *    user_message_uuids[]          id
frame  *    api_message_id                id
frame  *    subagent_type                 name
frame  *    api_error_status              int
frame  *    api_error_type                enum {ERRORS}
frame  *    api_error                     enum {_FAILURES}
frame  *    error                         enum {_FAILURES}
frame  *    thinking_display              enum updates summarized omitted full

# The start of a turn
frame  system/init  cwd                   path
frame  system/init  original_cwd          path
frame  system/init  additional_directories[] path
frame  system/init  messaging_socket_path path
frame  system/init  memory_paths.{{word}} path
frame  system/init  tools[]               name
frame  system/init  mcp_servers[].name    name
frame  system/init  mcp_servers[].status  enum connected failed pending disabled needs-auth
frame  system/init  mcp_servers[].source  name
frame  system/init  model                 name
frame  system/init  permissionMode        enum {MODES}
frame  system/init  slash_commands[]      name
frame  system/init  terminal_slash_commands[] name
frame  system/init  agents[]              name
frame  system/init  skills[]              name
frame  system/init  plugins[].name        name
frame  system/init  plugins[].path        path
frame  system/init  plugins[].source      name
frame  system/init  capabilities[]        word
frame  system/init  apiKeySource          enum {_KEY_SOURCES}
frame  system/init  claude_code_version   version
frame  system/init  output_style          name
frame  system/init  view_mode             name
frame  system/init  fast_mode_state       word
frame  system/init  analytics_disabled    bool
frame  system/init  product_feedback_disabled bool
frame  system/init  per_turn_effort_active bool
frame  system/init  sandbox_enabled       bool
frame  system/init  served_by_anthropic   bool
frame  system/init  ultrathink_available  bool
frame  system/init  ultrathink_typed_raises bool
frame  system/init  fast_mode_disabled_reason word

# Messages
frame  assistant  message                 record message
frame  assistant  aborted                 bool
frame  assistant  is_api_error_message    bool
frame  assistant  api_error_params.cut    word
frame  assistant  supersedes[]            id
frame  assistant  task_description        shape
frame  assistant  thinking_duration_ms    int
frame  assistant  local_command_source    shape
frame  assistant  local_command_run       masked
frame  assistant  context_usage           masked
frame  user       message                 record said
frame  user       isSynthetic             bool
frame  user       isReplay                bool
frame  user       isMeta                  bool
frame  user       refusal_retry           bool
frame  user       refused_message_id      id
frame  user       task_description        shape
frame  user       origin                  record origin
frame  user       priority                word
frame  user       tool_result_meta[].id   id
frame  user       tool_result_meta[].permission_decision.decision    enum accept reject
frame  user       tool_result_meta[].permission_decision.source      word
frame  user       tool_result_meta[].permission_decision.reason_type word
frame  user       tool_result_meta[].permission_decision.reasonType  word
frame  user       tool_result_meta[].non_execution_kind word
frame  user       tool_use_result               shape
frame  user       tool_use_result.status        enum {TASKS}
frame  user       tool_use_result.agentId       id
frame  user       tool_use_result.agentType     name
frame  user       tool_use_result.resolvedModel name
frame  user       tool_use_result.isAsync       bool
frame  user       tool_use_result.canContinueAgent bool
frame  user       tool_use_result.outputFile    path
frame  user       tool_use_result.usage         record usage
frame  user       tool_use_result.**            shape
said     *  role                          enum user
said     *  content                       shape
said     *  content[]                     record given
given    *  type                          enum {BLOCKS}
given    *  tool_use_id                   id
given    *  is_error                      bool
given    *  text                          shape
given    *  content[].type                enum {BLOCKS}
given    *  content[].tool_name           name
given    *  content[].**                  shape
given    *  content                       shape
given    *  **                            shape
origin   *  kind                          enum task-notification human channel coordinator peer
origin   *  producer                      word
origin   *  runId                         id


# Streamed messages
frame  stream_event/*  event.type         word
frame  stream_event/*  event.index        int
frame  stream_event/*  ttft_ms            int
frame  stream_event/message_start  event.message      record message
frame  stream_event/message_start  owed_rows          masked
frame  stream_event/content_block_start  event.content_block record block
frame  stream_event/content_block_delta  event.delta  record delta
frame  stream_event/message_delta  event.delta.stop_reason   enum {STOPS}
frame  stream_event/message_delta  event.delta.stop_sequence shape
frame  stream_event/message_delta  event.delta.stop_details  record details
frame  stream_event/message_delta  event.delta.container record container
frame  stream_event/message_delta  event.usage        record usage
frame  stream_event/message_stop   abandoned_blocks.api_message_id   id
frame  stream_event/message_stop   abandoned_blocks.from_block_index int

# The end of a turn
frame  result/*  is_error                 bool
frame  result/*  result                   text
frame  result/*  errors[]                 shape
frame  result/*  stop_reason              enum {STOPS}
frame  result/*  terminal_reason          enum {_REASONS}
frame  result/*  num_turns                int
frame  result/*  duration_ms              int
frame  result/*  duration_api_ms          int
frame  result/*  ttft_ms                  int
frame  result/*  ttft_stream_ms           int
frame  result/*  time_to_request_ms       int
frame  result/*  first_content_frame_ms   int
frame  result/*  request_sent_wall_ms     when
frame  result/*  first_request_input_tokens            int
frame  result/*  first_request_cache_read_input_tokens int
frame  result/*  total_cost_usd           number
frame  result/*  usage                    record usage
frame  result/*  modelUsage.{{name}}      record modelusage
frame  result/*  model_usage_since_last_result.{{name}} record modelusage
frame  result/*  permission_denials[].tool_name   name
frame  result/*  permission_denials[].tool_use_id id
frame  result/*  permission_denials[].tool_input  record input tool_name
frame  result/*  structured_output        text
frame  result/*  deferred_tool_use.id     id
frame  result/*  deferred_tool_use.name   name
frame  result/*  deferred_tool_use.input  record input name
frame  result/*  origin                   record origin
frame  result/*  queued_turn_count        int
frame  result/*  result_index             int
frame  result/*  begun_message_ids[]      id
frame  result/*  safety_stops             int
frame  result/*  subagent_stats.by_type.{{name}} int
frame  result/*  subagent_stats.**        number
frame  result/*  local_command            name
frame  result/*  startup_failure_reason   word
frame  result/*  fast_mode_state          word
frame  result/*  fast_mode_disabled_reason word
modelusage  *  canonicalModel             name
modelusage  *  provider                   word
modelusage  *  costBasis                  word
modelusage  *  **                         number

# Progress
frame  tool_progress  tool_name             name
frame  tool_progress  elapsed_time_seconds  number
frame  tool_progress  subagent_retry.agent_id       id
frame  tool_progress  subagent_retry.attempt        int
frame  tool_progress  subagent_retry.max_retries    int
frame  tool_progress  subagent_retry.retry_delay_ms number
frame  tool_progress  subagent_retry.error_status   int
frame  tool_progress  subagent_retry.error_category word
frame  command_lifecycle  command_uuid      id
frame  command_lifecycle  state             enum queued started completed cancelled
frame  rate_limit_event  rate_limit_info.status        enum allowed allowed_warning rejected
frame  rate_limit_event  rate_limit_info.resetsAt      when
frame  rate_limit_event  rate_limit_info.rateLimitType word
frame  rate_limit_event  rate_limit_info.utilization   number
frame  rate_limit_event  rate_limit_info.isUsingOverage bool
"""

_NAMES: Final = """
    <synthetic> default Proactive Explanatory Learning claude Explore Plan general-purpose
    statusline-setup output-style-setup builtin clear compact context cost doctor exit help init
    login logout memory model review status stop-hook-error
"""
_KEYS: Final = """
    file_path path content command description prompt old_string new_string replace_all pattern
    glob output_mode offset limit timeout url query subagent_type run_in_background questions
    answers todos plan edits notebook_path cell_id new_source skill args task_id stdout stderr
    interrupted isImage filePath structuredPatch originalFile userModified file numLines startLine
    totalLines type text tool_use_id status summary toolStats
"""

POLICY: Final = Policy(
    dialect="claude-stream-json",
    version=1,
    discriminators={
        "frame": ("type", "subtype", "event.type", "request.subtype"),
        "delta": ("type",),
    },
    lines=lines(_FRAMES + SYSTEM + CONTROL + MESSAGES),
    blocks=Blocks(
        key=("parent_tool_use_id", "event.index"),
        start="stream_event/content_block_start",
        stop="stream_event/content_block_stop",
        tool="event.content_block.name",
        ends=("stream_event/message_start", "stream_event/message_stop"),
    ),
    names=frozenset(catalogue.KINDS).union(_NAMES.split()),
    name_patterns=(MODELS,),
    name_prefixes=("mcp__",),
    texts={"out": "text"},
    literals=(
        *(literal.head for literal in literals.LITERALS),
        "[Request interrupted by user for tool use]",
        "[Request interrupted by user]",
    ),
    keys=frozenset(_KEYS.split()),
)
