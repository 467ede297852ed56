"""A host written with the agent's own SDK: runs one turn and prints all it was told.

sdk_host.py CLI_PATH TURN [SESSION]
"""

import asyncio
import json
import sys
from dataclasses import asdict, is_dataclass
from typing import Any

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    PermissionResultAllow,
    PermissionResultDeny,
    StreamEvent,
)


def tell(what: str, value: object) -> None:
    """One line, the same for the same thing."""
    shown = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    print(json.dumps([what, shown], sort_keys=True, default=repr), flush=True)


def says_something(message: object) -> bool:
    """Whether the model is in the middle of a text."""
    return isinstance(message, StreamEvent) and message.event["type"] == "content_block_delta"


async def main(cli: str, turn: str, session: str | None) -> None:
    async def decide(tool: str, arguments: dict[str, Any], _: object) -> Any:
        tell("asked", [tool, arguments])
        return PermissionResultDeny("not now") if turn == "deny" else PermissionResultAllow()

    options = ClaudeAgentOptions(
        cli_path=cli, include_partial_messages=True, can_use_tool=decide, resume=session,
        stderr=lambda line: tell("stderr", line),
    )  # fmt: skip
    try:
        async with ClaudeSDKClient(options) as client:
            await client.query(turn)
            interrupted = False
            async for message in client.receive_response():
                tell(type(message).__name__, message)
                if turn == "interrupt" and not interrupted and says_something(message):
                    interrupted = True
                    await client.interrupt()
    except Exception as error:
        tell("raised", [type(error).__name__, str(error)])


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))
