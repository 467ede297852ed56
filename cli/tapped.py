"""What a tap's executable runs. No click in here: it starts as often as the agent does."""

from __future__ import annotations

import sys
from typing import NoReturn

from .streams import prepare


def be(said: str) -> NoReturn:
    """Be the agent that the tap `said` stands for, with our arguments."""
    prepare()
    from turnreel.recorder.tap import run

    run(said, sys.argv)
