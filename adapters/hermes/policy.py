"""What of Hermes may land, on every surface: the records that the surfaces share.

Visible: what the model says, what it asks a person, its plans. Hidden: reasoning and the echoes of
messages, which leak it. Private: what a person wrote, tool arguments and results, errors' texts.
"""

from __future__ import annotations

from typing import Final

from . import catalogue

RESULT: Final = """
result  *  exit_code                 int
result  *  success                   bool
result  *  status                    word
result  *  error                     shape
result  *  approval_pending          bool
result  *  smart_denied              bool
result  *  allow_permanent           bool
result  *  pattern_key               shape
result  *  todos[]                   record todo
result  *  **                        shape
todo    *  id                        id
todo    *  content                   text
todo    *  status                    word
"""
"""A tool's result, whose typed words say how it ended."""

ROWS: Final = """
row     *          role              enum user assistant tool system
row     *          finish_reason     word
row     *          tool_call_id      id
row     *          tool_name         name
row     *          id                int
row     *          session_id        id
row     *          timestamp         when
row     *          token_count       int
row     *          content           shape
row     *          reasoning         filler
row     *          reasoning_content filler
row     *          tool_calls[]      record call
row     assistant  content           text
row     tool       content           source result
call    *          id                id
call    *          call_id           id
call    *          response_item_id  id
call    *          type              enum function
call    *          function.name     name
call    *          function.arguments source input
input   *          **                shape
"""
"""The rows of a transcript."""

USAGE: Final = """
usage   *  model                     name
usage   *  input_tokens              int
usage   *  output_tokens             int
usage   *  total_tokens              int
usage   *  prompt_tokens             int
usage   *  completion_tokens         int
usage   *  inputTokens               int
usage   *  outputTokens              int
usage   *  totalTokens               int
usage   *  thoughtTokens             int
usage   *  cachedReadTokens          int
usage   *  input                     int
usage   *  output                    int
usage   *  reasoning                 int
usage   *  prompt                    int
usage   *  completion                int
usage   *  total                     int
usage   *  calls                     int
usage   *  context_used              int
usage   *  context_max               int
usage   *  context_percent           number
usage   *  compressions              int
usage   *  active_subagents          int
"""

ERROR: Final = """
error   *  message                   shape
error   *  type                      word
error   *  code                      word
error   *  param                     word
"""

STATUS: Final = """
frame   *  object                    enum list hermes.run hermes.run.approval_response
frame   *  status                    word
frame   *  model                     name
frame   *  created_at                when
frame   *  updated_at                when
frame   *  last_event                word
frame   *  error                     record error
"""
"""Answers to other calls of the API server: status, stop, approval, errors."""

COMMON: Final = RESULT + ROWS + USAGE + ERROR

NAMES: Final = frozenset(catalogue.KINDS) | {
    "hermes-agent", "_thinking",
    "sessions", "chat", "stream", "runs", "events", "stop", "approval", "fork",
}  # fmt: skip
"""Public names: tools, the agent, and the words of its paths."""

KEYS: Final = frozenset(
    {
        "command", "path", "content", "pattern", "query", "url", "urls", "question", "choices",
        "goal", "tasks", "code", "mode", "action", "old_string", "new_string", "output",
        "choices_offered", "user_response", "description", "preview",
    }
)  # fmt: skip
"""Public names of fields in private values."""
