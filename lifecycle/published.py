"""What readers see of a message: the only place that tells of commentary (C7).

Text is told by offset and revision: leading white space skipped, trailing held back.
"""

from __future__ import annotations

from msgspec.structs import replace

from . import standing
from .events import Commentary
from .standing import put
from .state import MessageState
from .step import Step
from .tables import MessageCause


def show(step: Step, message: MessageState) -> MessageState:
    """Publish what is new: leading white space skipped, trailing held back (C7)."""
    if message.text == message.published:
        return message
    if not message.text:  # corrected to nothing: taken back, not shown empty (C7, C9)
        return void(step, message, "emptied")
    return _publish(step, message, done=False)


def tell(step: Step, message: MessageState) -> MessageState:
    """Publish the rest and finish. A message without visible text never appears."""
    if not message.complete and not message.published:  # its last block was never completed (C1)
        message = put(step, message, replace(message, blocks=message.blocks[:-1], complete=True))
    if not message.text:
        return void(step, message, "emptied")
    if message.phase == "told" and message.text == message.published:
        return message
    message = _publish(step, message, done=True)
    return put(step, message, replace(message, phase="told"))


def _publish(step: Step, message: MessageState, done: bool) -> MessageState:
    text = message.text
    number = message.number or step.name("m")[0]
    grows = text.startswith(message.published) and message.phase != "told"  # done is done
    revision = message.revision if grows else message.revision + 1
    offset = len(message.published) if grows else 0
    step.emit(
        Commentary,
        message_id=step.id_of("m", number),
        revision=revision,
        offset=offset,
        text=text[offset:],
        done=done,
    )
    return put(step, message, replace(message, number=number, published=text, revision=revision))


def void(step: Step, message: MessageState, cause: MessageCause) -> MessageState:
    if message.published:
        step.emit(
            Commentary,
            message_id=step.id_of("m", message.number),
            revision=message.revision + 1,
            offset=0,
            text="",
            done=True,
            retracted=True,
        )
    elif message.text:
        step.drop(f"text {cause}")
    standing.remove(step, message)
    return replace(message, phase="void", published="")
