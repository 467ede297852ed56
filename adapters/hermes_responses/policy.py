"""What of Hermes' responses may land."""

from __future__ import annotations

from typing import Final

from turnreel.adapters.hermes.literals import NOTICES
from turnreel.adapters.hermes.policy import COMMON, KEYS, NAMES
from turnreel.sanitizers.policy import Blocks, Policy, lines

_FRAMES: Final = """
frame     *  type                    word
frame     *  sequence_number         int
frame     *  item_id                 id
frame     *  output_index            int
frame     *  content_index           int
frame     *  logprobs                masked
frame     *  item                    record item
frame     *  response                record response
frame     *  error                   record error
frame     response.output_text.delta delta delta text
frame     response.output_text.done  text  text
frame     response  id               id
frame     response  status           word
frame     response  created_at       when
frame     response  model            name
frame     response  output[]         record item
frame     response  usage            record usage
frame     *  object                  enum response
response  *  id                      id
response  *  object                  enum response
response  *  status                  word
response  *  created_at              when
response  *  model                   name
response  *  output[]                record item
response  *  usage                   record usage
response  *  error                   record error
item      *  id                      id
item      *  type                    word
item      *  status                  word
item      *  role                    enum assistant
item      *  name                    name
item      *  call_id                 id
item      *  arguments               source input
item      *  output                  source result
item      *  output[].type           word
item      *  output[].text           source result
item      *  content[].type          word
item      *  content[].text          text
"""

POLICY: Final = Policy(
    dialect="hermes-responses",
    version=1,
    discriminators={"frame": ("type", "item.type", "object")},
    lines=lines(_FRAMES + COMMON),
    blocks=Blocks(
        key=("item_id",),
        start="-",
        stop="response.output_text.done",
        tool="",
        ends=(
            "response.output_item.added/function_call",
            "response.completed",
            "response.failed",
        ),
    ),
    names=NAMES,
    name_prefixes=("mcp_",),
    notices=NOTICES,
    keys=KEYS,
)
