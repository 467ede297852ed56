"""What of the Chat Completions API's answers may land. Requests never come here: only their
features do.

Visible: what the model says. Hidden: reasoning. Private: tool arguments, error texts.
"""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.policy import Blocks, Policy, lines

from .frames import DONE

MODELS: Final = r"(?:gpt|codex|o[1-9]|mock)[a-z0-9.\-]{0,40}"
STOPS: Final = "stop length tool_calls function_call content_filter error"

_LINES: Final = f"""
frame    *  id                     id
frame    *  object                 word
frame    *  created                when
frame    *  model                  name
frame    *  service_tier           word
frame    *  system_fingerprint     id
frame    *  choices[]              record choice
frame    *  usage                  record usage
frame    *  error                  record error
frame    *  data                   masked
choice   *  index                  int
choice   *  finish_reason          enum {STOPS}
choice   *  logprobs               masked
choice   *  delta                  record delta
choice   *  message                record message
delta    *  role                   enum assistant
delta    *  content                delta text
delta    *  refusal                shape
delta    *  reasoning              filler
delta    *  reasoning_content      filler
delta    *  reasoning_details      filler
delta    *  tool_calls[]           record piece
piece    *  index                  int
piece    *  id                     id
piece    *  type                   enum function
piece    *  function.name          name
piece    *  function.arguments     delta json
message  *  role                   enum assistant
message  *  content                text
message  *  refusal                shape
message  *  reasoning              filler
message  *  reasoning_content      filler
message  *  reasoning_details      filler
message  *  tool_calls[].id        id
message  *  tool_calls[].type      enum function
message  *  tool_calls[].function.name      name
message  *  tool_calls[].function.arguments source input
input    *  **                     shape
usage    *  prompt_tokens          int
usage    *  completion_tokens      int
usage    *  total_tokens           int
usage    *  prompt_tokens_details.cached_tokens        int
usage    *  completion_tokens_details.reasoning_tokens int
error    *  message                shape
error    *  type                   word
error    *  code                   word
error    *  param                  word
"""

POLICY: Final = Policy(
    dialect="openai-chat",
    version=2,
    discriminators={"frame": ("object",)},
    lines=lines(_LINES),
    blocks=Blocks(
        key=("id", "choices.0.index"), start="-", stop="-", tool="-", ends=("chat.completion",)
    ),
    names=frozenset({"hermes-agent"}),
    name_patterns=(MODELS,),
    literals=(DONE,),
)
