"""What every fault does to one stream of a dialect, written down.

``python -m tests.replayer.golden`` writes the files anew; the difference is the change.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from tests.replayer.streams import PROVIDERS, exchange
from turnreel.conformance.faulting import AGENTS, SEED, SPECS, agent
from turnreel.replayer.arming import name_of
from turnreel.replayer.faults import Plan, word_of
from turnreel.replayer.plan import make_plan, parse_fault
from turnreel.replayer.schedule import arrange, schedule
from turnreel.replayer.script import AgentScript, Exchange
from turnreel.replayer.steps import Send, render

FOLDER: Final = Path(__file__).parent / "goldens"


def golden(dialect: str) -> str:
    """The file of a dialect."""
    return "\n".join(_sections(dialect)) + "\n"


def _sections(dialect: str) -> Iterator[str]:
    script = exchange(dialect) if dialect in PROVIDERS else agent(dialect)
    side = "server" if dialect in PROVIDERS else "agent"
    calm = list(_shown(script, Plan()))
    yield f"# {dialect}, seed {SEED}: what each fault changes in this stream"
    yield from calm
    for spec in SPECS:
        if side not in word_of(parse_fault(spec)).sides:
            continue
        yield f"\n== {spec}"
        plan = make_plan([spec], seed=SEED)
        misfits = arrange(script, plan).misfits
        if misfits:
            yield f"{name_of(script)} {misfits[0]}"
            continue
        changes = difflib.unified_diff(calm, list(_shown(script, plan)), lineterm="", n=1)
        yield from _folded(line for line in list(changes)[2:] if not line.startswith("@@"))


def _folded(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with long runs of recorded ones of one sign shortened to their ends."""
    for sign, run in groupby(lines, key=lambda line: line[:1]):
        same = list(run)
        if len(same) > 6 and not any("forged" in line for line in same):
            same[2:-2] = [f"{sign}    ... {len(same) - 4} more"]
        yield from same


def _shown(script: Exchange | AgentScript, plan: Plan) -> Iterator[str]:
    """The dry run, with the data of what was never recorded."""
    made = schedule(script, plan)
    for step, line in zip(made.steps, render(made, plan), strict=True):
        yield line
        if isinstance(step, Send) and 0 in step.completes:
            yield f"             {step.data.decode().strip()}"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in (*PROVIDERS, *AGENTS):
        (FOLDER / f"{each}.txt").write_text(golden(each), encoding="utf-8")
