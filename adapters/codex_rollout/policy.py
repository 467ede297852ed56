"""What of a rollout may land: which turn did what when, what the model said, and how it ended.

A rollout holds system prompts, contexts, whole requests and tool results. Rows of other kinds than
`KEPT` never reach the sanitizer; of the kept ones, fields that nobody asks for are masked on
purpose.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters.codex_literals import heads
from turnreel.adapters.openai_responses.policy import MODELS, TOOLS
from turnreel.sanitizers.policy import Policy, lines

from .codes import CARRIERS, INFOS

KEPT: Final = frozenset({"session_meta", "event_msg", "response_item", "token_usage_record"})
"""Types of rows that are more than their type."""

_STATUSES: Final = "\n".join(
    f"failure  *  codex_error_info.{carrier}.http_status_code  int" for carrier in sorted(CARRIERS)
)

_ITEMS: Final = """
    AgentMessage UserMessage Reasoning CommandExecution FileChange McpToolCall DynamicToolCall
    CollabAgentToolCall SubAgentActivity WebSearch Plan ImageView ImageGeneration Sleep HookPrompt
    ContextCompaction EnteredReviewMode ExitedReviewMode
"""
_LINES: Final = f"""
frame  *                   type              word
frame  *                   timestamp         when
frame  *                   ordinal           int
frame  *                   **                masked
frame  session_meta        payload           record meta
frame  event_msg           payload           record event
frame  response_item       payload           record item
frame  token_usage_record  payload           record spent

meta  *  id              id
meta  *  session_id      id
meta  *  timestamp       when
meta  *  cli_version     version
meta  *  history_mode    word
meta  *  **              masked

event  *  type                    word
event  *  turn_id                 id
event  *  root_turn_id            id
event  *  thread_id               id
event  *  started_at              when
event  *  completed_at            when
event  *  started_at_ms           when
event  *  completed_at_ms         when
event  *  duration_ms             int
event  *  time_to_first_token_ms  int
event  *  reason                  word
event  *  **                      masked
event  item_completed             item                record done
event  task_complete              last_agent_message  text
event  task_complete              error               record failure
event  agent_message              message             text
event  agent_message              phase               word

failure  *  message           shape
failure  *  codex_error_info  enum {" ".join(sorted({*INFOS, "other"}))}
{_STATUSES}

done  *             type       enum {" ".join(_ITEMS.split())}
done  *             id         id
done  *             status     word
done  *             exit_code  int
done  *             **         masked
done  AgentMessage  phase      word
done  AgentMessage  delivery   word
done  AgentMessage  content[]  record part
part  *             type       enum Text
part  *             text       text
part  *             **         masked

item  *                  type       word
item  *                  id         id
item  *                  call_id    id
item  *                  role       word
item  *                  phase      word
item  *                  status     word
item  *                  name       name
item  *                  **         masked
item  message/assistant  content[]  record said
said  *                  type       word
said  *                  text       text
said  *                  **         masked

spent  *  thread_id            id
spent  *  turn_id              id
spent  *  session_id           id
spent  *  root_turn_id         id
spent  *  response_id          id
spent  *  usage.**             number
spent  *  turn_token_usage.**  number
spent  *  thread_token_usage.** number
"""

_KEYS: Final = """
    account_scoped cwd runtime_workspace_roots originator source thread_source model_provider
    base_instructions context_window window_id turn_attribution collaboration_mode_kind
    thread_settings model internal_chat_message_metadata_passthrough content_item_kinds create_time
    arguments output input summary encrypted_content annotations logprobs info rate_limits
    total_token_usage last_token_usage model_context_window input_tokens cached_input_tokens
    cache_write_input_tokens output_tokens reasoning_output_tokens total_tokens text_elements
    command process_id aggregated_output duration changes tool sender_thread_id reasoning_effort
    kind agent_thread_id prompt namespace text content
"""

POLICY: Final = Policy(
    dialect="codex-rollout",
    version=1,
    discriminators={
        "frame": ("type",),
        "event": ("type",),
        "done": ("type",),
        "item": ("type", "role"),
    },
    lines=lines(_LINES),
    names=frozenset(TOOLS.split()),
    name_patterns=(MODELS,),
    literals=heads(),
    keys=frozenset(_KEYS.split()),
)
