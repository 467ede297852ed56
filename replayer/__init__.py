"""Play a recording back, as faithfully or as badly as told.

`schedule` turns a recording and a fault plan into timed steps, purely; a performer executes
them: `server` is the provider on a base URL, `shim` the agent's program, `client` whoever asks.
Never here: what a native frame means (adapters), a verdict about a turn (conformance), a request
to a real provider, or a byte of body that neither the recording nor a planned fault accounts for.
"""

from .errors import PlanError, ReplayError, ServeError
from .faults import MAX, RECORDED, Fault, Pacing, Plan

__all__ = [
    "MAX",
    "RECORDED",
    "Fault",
    "Pacing",
    "Plan",
    "PlanError",
    "ReplayError",
    "ServeError",
]
