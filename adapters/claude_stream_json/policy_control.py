"""What of Claude Code's control protocol may land: questions, answers, cancels, and the rest
masked.

A command in an approval lands as its program's name and its shape.
"""

from __future__ import annotations

from typing import Final

MODES: Final = "default acceptEdits bypassPermissions plan dontAsk auto delegate"
HOOKS: Final = (
    "PreToolUse PostToolUse PostToolUseFailure Stop StopFailure SubagentStart SubagentStop"
    " SessionStart SessionEnd UserPromptSubmit Notification PreCompact PostCompact"
    " PermissionRequest Setup"
)

CONTROL: Final = f"""frame  control_request/*  request.subtype     word
frame  control_request/*  request.tool_use_id id
frame  control_request/*  request.agent_id    id
frame  control_request/can_use_tool  request.tool_name     name
frame  control_request/can_use_tool  request.display_name  name
frame  control_request/can_use_tool  request.input         record asked tool_name
frame  control_request/can_use_tool  request.description   shape
frame  control_request/can_use_tool  request.title         shape
frame  control_request/can_use_tool  request.blocked_path  path
frame  control_request/can_use_tool  request.decision_reason      shape
frame  control_request/can_use_tool  request.decision_reason_type word
frame  control_request/can_use_tool  request.requires_user_interaction bool
frame  control_request/can_use_tool  request.permission_suggestions[] record suggestion
frame  control_request/initialize    request.hooks.{{word}}[].matcher         name
frame  control_request/initialize    request.hooks.{{word}}[].hookCallbackIds[] id
frame  control_request/initialize    request.**            shape
frame  control_request/interrupt     request.cancel_queued bool
frame  control_request/set_model     request.model         name
frame  control_request/set_permission_mode  request.mode   enum {MODES}
frame  control_request/stop_task     request.task_id       id
frame  control_request/hook_callback request.callback_id   id
frame  control_request/hook_callback request.input.hook_event_name enum {HOOKS}
frame  control_request/hook_callback request.input.session_id      id
frame  control_request/hook_callback request.input.transcript_path path
frame  control_request/hook_callback request.input.cwd             path
frame  control_request/hook_callback request.input.prompt_id       id
frame  control_request/hook_callback request.input.permission_mode enum {MODES}
frame  control_request/hook_callback request.input.tool_name       name
frame  control_request/hook_callback request.input.tool_input      record input tool_name
frame  control_request/hook_callback request.input.tool_use_id     id
frame  control_request/hook_callback request.input.**      shape
frame  control_request/elicitation   request.message       text
frame  control_request/elicitation   request.mode          word
frame  control_request/elicitation   request.**            shape
frame  control_request/request_user_dialog  request.dialog_kind word
frame  control_request/request_user_dialog  request.**     shape
suggestion  *  type                       word
suggestion  *  mode                       enum {MODES}
suggestion  *  destination                word
suggestion  *  behavior                   enum allow deny ask
suggestion  *  rules[].toolName           name
suggestion  *  rules[].ruleContent        shape
suggestion  *  directories[]              path
frame  control_response    response.subtype      enum success error
frame  control_response    response.request_id   id
frame  control_response    response.error        shape
frame  control_response    response.error_code   word
frame  control_response    response.pending_permission_requests[]  masked
frame  control_response    response.pending_user_dialog_requests[] masked
frame  control_response    response.response     record reply
reply  *  behavior                        enum allow deny ask
reply  *  interrupt                       bool
reply  *  message                         shape
reply  *  updatedInput.questions[].question            text
reply  *  updatedInput.questions[].header              text
reply  *  updatedInput.questions[].options[].label     text
reply  *  updatedInput.questions[].options[].description text
reply  *  updatedInput.questions[].multiSelect         bool
reply  *  updatedInput.**                 shape
reply  *  updatedPermissions[]            record suggestion
reply  *  toolUseID                       id
reply  *  still_queued[]                  id
reply  *  cancelled[]                     id
reply  *  action                          enum accept decline cancel
reply  *  mode                            enum {MODES}
reply  *  model                           name
reply  *  pid                             masked
reply  *  session_state                   enum idle running requires_action
reply  *  current_permission_mode         enum {MODES}
reply  *  claude_code_version             version
reply  *  capabilities[]                  word
reply  *  fast_mode_state                 word
reply  *  fast_mode_disabled_reason       word
reply  *  output_style                    name
reply  *  hook_on_failure_supported       bool
reply  *  hooks_applied                   bool
reply  *  hooks_when_unanswered_kept      int
reply  *  **                              shape

asked  *                **                             shape
asked  Bash             command                        command
asked  PowerShell       command                        command
asked  AskUserQuestion  questions[].question           text
asked  AskUserQuestion  questions[].header             text
asked  AskUserQuestion  questions[].options[].label    text
asked  AskUserQuestion  questions[].options[].description text
asked  AskUserQuestion  questions[].multiSelect        bool
asked  ExitPlanMode     plan                           text
"""
"""Lines of the frames of the control protocol and of the records in them."""
