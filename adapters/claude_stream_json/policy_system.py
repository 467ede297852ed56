"""What of Claude Code's ``system`` frames may land, but for the one that begins a turn."""

from __future__ import annotations

from typing import Final

from .policy_control import HOOKS, MODES

TASKS: Final = "completed failed stopped killed running pending async_launched"

SYSTEM: Final = f"""
frame  system/status  status              enum requesting compacting
frame  system/status  permissionMode      enum {MODES}
frame  system/status  compact_result      word
frame  system/status  compact_error       shape
frame  system/api_retry  attempt          int
frame  system/api_retry  max_retries      int
frame  system/api_retry  retry_delay_ms   number
frame  system/api_retry  error_status     int
frame  system/api_retry  no_response.waited_ms     number
frame  system/api_retry  no_response.retry_wait_ms number
frame  system/model_fallback  trigger        word
frame  system/model_fallback  original_model name
frame  system/model_fallback  fallback_model name
frame  system/model_fallback  content        shape
frame  system/model_refusal_fallback    retracted_message_uuids[] id
frame  system/model_refusal_fallback    scope   word
frame  system/model_refusal_fallback    original_model name
frame  system/model_refusal_fallback    fallback_model name
frame  system/model_refusal_no_fallback retracted_message_uuids[] id
frame  system/informational  content      shape
frame  system/informational  level        enum info notice suggestion warning error
frame  system/informational  prompt_submit_outcome word
frame  system/notification   key          word
frame  system/notification   text         shape
frame  system/notification   priority     enum immediate high medium low
frame  system/permission_denied  tool_name            name
frame  system/permission_denied  message              shape
frame  system/permission_denied  decision_reason      shape
frame  system/permission_denied  decision_reason_type word
frame  system/thinking_tokens    estimated_tokens       int
frame  system/thinking_tokens    estimated_tokens_delta int
frame  system/session_state_changed  state  enum idle running requires_action
frame  system/compact_boundary   compact_metadata.trigger     enum manual auto
frame  system/compact_boundary   compact_metadata.pre_tokens  int
frame  system/compact_boundary   compact_metadata.post_tokens int
frame  system/compact_boundary   logical_parent_uuid          id
frame  system/hook_started   hook_id      id
frame  system/hook_started   hook_name    name
frame  system/hook_started   hook_event   enum {HOOKS}
frame  system/hook_progress  hook_id      id
frame  system/hook_progress  hook_name    name
frame  system/hook_progress  hook_event   enum {HOOKS}
frame  system/hook_progress  stdout       shape
frame  system/hook_progress  stderr       shape
frame  system/hook_progress  output       shape
frame  system/hook_response  hook_id      id
frame  system/hook_response  hook_name    name
frame  system/hook_response  hook_event   enum {HOOKS}
frame  system/hook_response  stdout       shape
frame  system/hook_response  stderr       shape
frame  system/hook_response  output       shape
frame  system/hook_response  exit_code    int
frame  system/hook_response  outcome      word

# Child agents and background tasks
frame  system/task_started   description     shape
frame  system/task_started   prompt          shape
frame  system/task_started   task_type       word
frame  system/task_started   is_backgrounded bool
frame  system/task_started   spawn_depth     int
frame  system/task_progress  description     shape
frame  system/task_progress  last_tool_name  name
frame  system/task_progress  usage           record usage
frame  system/task_updated   patch.status    enum {TASKS}
frame  system/task_updated   patch.end_time  when
frame  system/task_updated   patch.error     shape
frame  system/task_notification  status      enum {TASKS}
frame  system/task_notification  summary     text
frame  system/task_notification  summary_is_report bool
frame  system/task_notification  output_file path
frame  system/task_notification  usage       record usage
frame  system/background_tasks_changed  tasks[].task_id       id
frame  system/background_tasks_changed  tasks[].run_id        id
frame  system/background_tasks_changed  tasks[].task_type     word
frame  system/background_tasks_changed  tasks[].subagent_type name
frame  system/background_tasks_changed  tasks[].description   shape
"""
