"""What a host declares of the turns it asks for, once for a session.

Nothing here is native: no stream says it, and no adapter knows it.
"""

from __future__ import annotations

from typing import Final

import msgspec


class Terms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`marker` is what the host's agents are told to put at the very start of a final that waits
    for a person: such a final is needs_input (T5). `empty_finals` says that a native success
    without any text is a final (C5).
    """

    marker: str | None = None
    empty_finals: bool = False


PLAIN: Final = Terms()
"""What a host declares that declares nothing."""
