"""What of Hermes' chat completions may land."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.literals import NOTICES
from turnreel.adapters.hermes.policy import COMMON, KEYS, NAMES
from turnreel.adapters.openai_chat.frames import DONE
from turnreel.sanitizers.policy import Blocks, Policy, lines

_FRAMES: Final = """
frame   *  id                        id
frame   *  object                    enum chat.completion.chunk chat.completion list
frame   *  created                   when
frame   *  model                     name
frame   *  choices[]                 record choice
frame   *  usage                     record usage
frame   *  error                     record error
frame   *  hermes.completed          bool
frame   *  hermes.partial            bool
frame   *  hermes.failed             bool
frame   *  hermes.error              shape
frame   *  hermes.error_code         word
frame   *  tool                      name
frame   *  emoji                     masked
frame   *  label                     shape
frame   *  toolCallId                id
frame   *  status                    enum running completed
choice  *  index                     int
choice  *  finish_reason             word
choice  *  delta.role                enum assistant
choice  *  delta.content             delta text
choice  *  message.role              enum assistant
choice  *  message.content           text
"""

POLICY: Final = Policy(
    dialect="hermes-chat",
    version=2,
    discriminators={"frame": ("status",)},
    lines=lines(_FRAMES + COMMON),
    blocks=Blocks(key=("id",), start="-", stop="-", tool="", ends=("running",)),
    names=NAMES,
    name_prefixes=("mcp_",),
    notices=NOTICES,
    literals=(DONE,),
    keys=KEYS,
)
