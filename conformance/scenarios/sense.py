"""Whether a script can be played at all: what it speaks of has to be there."""

from __future__ import annotations

from turnreel.adapters.steps import (
    Answer,
    Ask,
    Break,
    Call,
    Handover,
    Reply,
    Report,
    Resume,
    Return,
    Script,
    Spawn,
    Wake,
    Withdraw,
)


def nonsense(script: Script) -> str:
    """What is wrong with a script, whatever the dialect: the step, and why it cannot be. Empty if
    nothing is.
    """
    called: set[str] = set()
    running: set[str] = set()
    for number, step in enumerate(script, 1):
        wrong = ""
        match step:
            case Answer(blocks=blocks) | Break(blocks=blocks):
                for block in blocks:
                    if isinstance(block, Call):
                        wrong = wrong or _twice(block.tool, called)
                        called.add(block.tool)
                        running.add(block.tool)
            case Return(tool) if tool in called and tool not in running:
                wrong = f"{tool} returned before"
            case Return(tool) if tool in running:
                running.remove(tool)
            case (
                Return(tool) | Ask(tool) | Reply(tool) | Withdraw(tool)
                | Spawn(tool) | Report(tool) | Wake(tool)
            ) if tool not in called:  # fmt: skip
                wrong = f"no tool {tool} was called"
            case Resume() | Handover() if number > 1:
                wrong = "it stands first or nowhere"
            case _:
                pass
        if wrong:
            return f"step {number}: {wrong}"
    return ""


def _twice(tool: str, called: set[str]) -> str:
    return f"{tool} is called twice" if tool in called else ""
