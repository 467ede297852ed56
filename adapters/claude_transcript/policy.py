"""What of a transcript may land: who said something when, in which message, and how that ended.

A transcript holds whole requests, system prompts and tool results. Rows of other kinds than these
never reach the sanitizer (`KEPT`); of the kept ones, fields that nobody asks for are masked on
purpose.
"""

from __future__ import annotations

from typing import Final

from turnreel.adapters.anthropic_messages.policy import BLOCKS, MESSAGES, MODELS
from turnreel.adapters.claude_stream_json import catalogue
from turnreel.sanitizers.policy import Policy, lines

KEPT: Final = frozenset({"user", "assistant", "system"})
"""Types of rows that are more than their type."""

_FRAMES: Final = f"""
frame  *     type                  word
frame  *     subtype               word
frame  *     uuid                  id
frame  *     parentUuid            id
frame  *     sessionId             id
frame  *     timestamp             when
frame  *     version               version
frame  *     isSidechain           bool
frame  *     isMeta                bool
frame  *     agentId               id
frame  *     requestId             id
frame  *     promptId              id
frame  *     **                    masked
frame  assistant  message          record message
frame  assistant  apiBlockIndex    int
frame  assistant  isApiErrorMessage bool
frame  assistant  isAbortedMidStream bool
frame  assistant  apiErrorStatus   int
frame  user  message               record said
frame  user  interruptedByShutdown bool
frame  system/api_error  retryInMs    int
frame  system/api_error  retryAttempt int
frame  system/api_error  maxRetries   int
said     *  role                   enum user
said     *  content                shape
said     *  content[]              record given
given    *  type                   enum {BLOCKS}
given    *  tool_use_id            id
given    *  is_error               bool
given    *  **                     shape
message  *  **                     masked
"""

_KEYS: Final = """
    userType entrypoint cwd gitBranch slug permissionMode promptSource toolUseResult origin
    sourceToolAssistantUUID permissionDecision requestRef requestedModel perTurnEffort madeBy error
    rowSource content level kind file type status decision source cache_creation
"""

POLICY: Final = Policy(
    dialect="claude-transcript",
    version=1,
    discriminators={"frame": ("type", "subtype")},
    lines=lines(_FRAMES + MESSAGES),
    names=frozenset({*catalogue.KINDS, "<synthetic>"}),
    name_patterns=(MODELS,),
    name_prefixes=("mcp__",),
    keys=frozenset(_KEYS.split()),
)
