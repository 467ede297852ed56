"""The gate machine: requests for a person's input while the run is open (G5, G7, T9).

Moves stand in `tables.GATE`: a gate closes once.
"""

from __future__ import annotations

from msgspec.structs import replace

from .events import GateKind, InputRequested, InputResolved, Resolution
from .observations import Asked
from .state import GateState
from .step import Step
from .tables import ANSWERS, BY_OTHERS, COUPLING, GATE, Coupled


def asked(step: Step, seen: Asked) -> None:
    """A gate opens; asking again changes nothing."""
    if find(step, seen.request) is not None:
        step.drop("gate asked again")
        return
    open_gate(
        step, seen.request, seen.kind, seen.prompt, seen.activity, seen.options, seen.blocking
    )


def open_gate(
    step: Step,
    native: str,
    kind: GateKind,
    prompt: str,
    activity: str | None,
    options: tuple[str, ...] = (),
    blocking: bool = True,
) -> GateState:
    """Open a gate and tell of it."""
    _, request_id = step.name("g")
    gate = GateState(
        native=native,
        request_id=request_id,
        kind=kind,
        prompt=prompt,
        phase="open",
        blocking=blocking,
        activity=activity,
    )
    step.set(gates=(*step.run.gates, gate))
    step.emit(
        InputRequested,
        request_id=request_id,
        kind=kind,
        prompt=prompt,
        options=options,
        blocking=blocking,
    )
    return gate


def close(step: Step, native: str, resolution: Resolution) -> None:
    """A gate closes; an answer to a closed or unknown one is dropped and counted (G5)."""
    gate = find(step, native)
    if gate is None:
        step.drop("orphan gate answer")
    else:
        move(step, gate, resolution)


def find(step: Step, native: str) -> GateState | None:
    """The gate with this native request id."""
    for gate in step.run.gates:
        if gate.native == native:
            return gate
    return step.run.answered.get(native)


def prompting(step: Step) -> GateState | None:
    """The youngest open gate that the run cannot go on without (T4, T5): a question that does not
    block never ends a run (G7)."""
    blocking = [gate for gate in step.run.gates if gate.blocking]
    return blocking[-1] if blocking else None


def refused(step: Step, activity: str) -> bool:
    """Whether a gate of this activity was denied or expired."""
    return step.run.refused.get(activity) is not None


def move(step: Step, gate: GateState, cause: Resolution) -> None:
    """Close one gate, once."""
    phase = GATE.get((gate.phase, cause)) if fits(gate, cause) else None
    if phase is None:
        step.drop(f"gate {cause} after {gate.phase}")
        return
    step.set(
        gates=tuple(g for g in step.run.gates if g is not gate),
        answered=step.run.answered.put(gate.native, replace(gate, phase=phase)),
    )
    if gate.activity is not None and phase in ("declined", "expired"):
        step.set(refused=step.run.refused.put(gate.activity, phase))
    step.emit(InputResolved, request_id=gate.request_id, kind=gate.kind, resolution=cause)


def fits(gate: GateState, cause: Resolution) -> bool:
    """Whether a gate of this kind can be resolved so (G7)."""
    return cause in BY_OTHERS or cause in ANSWERS[gate.kind]


def happen(step: Step, gate: GateState, happening: Coupled) -> None:
    """Move one gate as the coupling table says."""
    cause = COUPLING[happening].gate
    if cause is not None:
        move(step, gate, cause)


def happen_to_all(step: Step, happening: Coupled, behind: str | None = None) -> None:
    """Move the gates that wait, in order; `behind` limits them to one activity's."""
    for gate in step.run.gates:
        if behind is None or gate.activity == behind:
            happen(step, gate, happening)
