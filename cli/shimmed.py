"""What an installed shim's executable runs. Nothing heavy: it starts as often as the agent does."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from .streams import prepare


def be(said: str) -> NoReturn:
    """Be the recorded agent that the shim `said` stands for, with our arguments."""
    prepare()
    import msgspec

    from turnreel.replayer.installing import Shim
    from turnreel.replayer.shim import depart, run_shim
    from turnreel.replayer.tape import load
    from turnreel.wire.errors import TurnreelError

    from .plans import plan_of

    shim = msgspec.json.decode(said, type=Shim)
    try:
        plan_file = Path(shim.plan_file) if shim.plan_file else None
        plan = plan_of(shim.faults, plan_file, shim.pacing, shim.seed)
        departure = run_shim(load(Path(shim.cassette)), plan, sys.argv[1:])
        depart(departure)
    except TurnreelError as error:
        os.write(2, f"turnreel: {error}\n".encode())
        os._exit(2)
