"""What of ``codex exec --json`` may land.

Visible: what the model says, its plans. Hidden: reasoning. Private: commands beyond the program's
name, outputs, paths, error sentences beyond the runtime's own literals.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters import codex_items, codex_literals
from turnreel.sanitizers.policy import Policy, lines

_TYPES: Final = (
    "thread.started turn.started turn.completed turn.failed item.started item.updated"
    " item.completed error"
)
_STATUSES: Final = "in_progress completed failed declined"

_LINES: Final = f"""
frame  *               type               enum {_TYPES}
frame  thread.started  thread_id          id
frame  error           message            shape
frame  turn.failed     error.message      shape
frame  turn.completed  usage.**           number
frame  item.started    item               record item
frame  item.updated    item               record item
frame  item.completed  item               record item

item  *                  id                  id
item  *                  type                word
item  *                  status              enum {_STATUSES}
item  agent_message      text                text
item  reasoning          text                filler
item  error              message             shape
item  command_execution  command             command
item  command_execution  aggregated_output   shape
item  command_execution  exit_code           int
item  file_change        changes[].path      path
item  file_change        changes[].kind      word
item  mcp_tool_call      server              name
item  mcp_tool_call      tool                name
item  mcp_tool_call      **                  shape
item  collab_tool_call   tool                word
item  collab_tool_call   sender_thread_id    id
item  collab_tool_call   receiver_thread_ids[] id
item  collab_tool_call   prompt              shape
item  collab_tool_call   agents_states.{{id}}.status  word
item  collab_tool_call   agents_states.{{id}}.message shape
item  web_search         action.type         word
item  web_search         action.**           shape
item  web_search         **                  shape
item  todo_list          items[].text        text
item  todo_list          items[].completed   bool
"""

POLICY: Final = Policy(
    dialect="codex-exec",
    version=2,
    discriminators={"frame": ("type",), "item": ("type",)},
    lines=lines(_LINES),
    names=codex_items.NAMES,
    inner=codex_literals.heads(),
)
