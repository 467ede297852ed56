"""What of Hermes' runs may land."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.literals import NOTICES
from turnreel.adapters.hermes.policy import COMMON, KEYS, NAMES, STATUS
from turnreel.sanitizers.policy import Blocks, Policy, lines

_FRAMES: Final = """
frame  *                    event                 word
frame  *                    run_id                id
frame  *                    session_id            id
frame  *                    timestamp             when
frame  *                    output                text
frame  *                    usage                 record usage
frame  *                    choice                word
frame  *                    resolved              int
frame  message.delta        delta                 delta text
frame  reasoning.available  text                  filler
frame  tool.started         tool                  name
frame  tool.started         preview               shape
frame  tool.completed       tool                  name
frame  tool.completed       duration              number
frame  tool.completed       error                 bool
frame  approval.request     command               command
frame  approval.request     pattern_key           shape
frame  approval.request     pattern_keys[]        shape
frame  approval.request     description           shape
frame  approval.request     allow_permanent       bool
frame  approval.request     smart_denied          bool
frame  approval.request     request_id            id
frame  approval.request     choices[]             word
frame  run.failed           error                 shape
frame  hermes.run           error                 shape
"""

POLICY: Final = Policy(
    dialect="hermes-runs",
    version=1,
    discriminators={"frame": ("event", "object")},
    lines=lines(STATUS + _FRAMES + COMMON),
    blocks=Blocks(
        key=("run_id",),
        start="-",
        stop="-",
        tool="",
        ends=("reasoning.available", "tool.started", "run.completed", "run.failed"),
    ),
    names=NAMES,
    name_prefixes=("mcp_",),
    notices=NOTICES,
    keys=KEYS,
)
