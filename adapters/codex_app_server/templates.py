"""What recorded frames of the app-server hold beside what the adapter reads. The builders fill it
in, so that scripted frames have the fields of real ones.
"""

from __future__ import annotations

from typing import Final

from turnreel.wire.units import Json

Line = dict[str, Json]

VERSION: Final = "0.171.0"
THREAD: Final = "01a20000-0000-7000-8000-000000000001"
EPOCH_MS: Final = 1_796_000_000_000
"""When a `Server`'s first frame is emitted."""
FOLDER: Final = "/srv/acme"
TOKENS: Final[Line] = {
    "totalTokens": 2,
    "inputTokens": 1,
    "cachedInputTokens": 0,
    "cacheWriteInputTokens": 0,
    "outputTokens": 1,
    "reasoningOutputTokens": 0,
}
TOOL_FIELDS: Final[dict[str, Line]] = {
    "commandExecution": {
        "pluginId": None,
        "scriptPath": None,
        "command": "/bin/bash -lc scripted",
        "cwd": FOLDER,
        "processId": "1",
        "source": "unifiedExecStartup",
        "commandActions": [],
        "aggregatedOutput": None,
        "exitCode": None,
        "durationMs": None,
    },
    "mcpToolCall": {
        "server": "sheets",
        "tool": "read_sheet",
        "arguments": {"path": f"{FOLDER}/total.csv"},
        "mcpAppResourceUri": None,
        "result": None,
        "error": None,
        "durationMs": None,
    },
    "dynamicToolCall": {
        "namespace": None,
        "tool": "read_sheet",
        "arguments": {"path": f"{FOLDER}/total.csv"},
        "contentItems": None,
        "success": None,
        "durationMs": None,
    },
    "collabAgentToolCall": {
        "tool": "spawnAgent",
        "senderThreadId": THREAD,
        "receiverThreadIds": [],
        "prompt": "Count the rows.",
        "model": None,
        "reasoningEffort": None,
        "agentsStates": {},
    },
    "fileChange": {
        "changes": [{"path": f"{FOLDER}/total.txt", "kind": {"type": "add"}, "diff": "76"}]
    },
}
"""What items of a kind hold beside their id and status."""
THREAD_FIELDS: Final[Line] = {
    "sessionId": THREAD,
    "forkedFromId": None,
    "attachedToThreadId": None,
    "parentThreadId": None,
    "preview": "",
    "ephemeral": False,
    "historyMode": "paginated",
    "modelProvider": "scripted",
    "model": "gpt-5.5",
    "reasoningEffort": None,
    "createdAt": EPOCH_MS // 1000,
    "updatedAt": EPOCH_MS // 1000,
    "recencyAt": EPOCH_MS // 1000,
    "status": {"type": "idle"},
    "path": f"{FOLDER}/rollout.jsonl",
    "cwd": FOLDER,
    "cliVersion": VERSION,
    "originator": "scripted",
    "source": "vscode",
    "canAcceptDirectInput": True,
    "threadSource": None,
    "agentNickname": None,
    "agentRole": None,
    "name": None,
}
"""What a thread holds beside its id and turns."""
