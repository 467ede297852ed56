"""Whether a script can be played at all: what it speaks of has to be there."""

from __future__ import annotations

from turnreel.adapters.steps import (
    Answer,
    Ask,
    Break,
    Call,
    Handover,
    Question,
    Reply,
    Report,
    Resume,
    Return,
    Script,
    Spawn,
    Step,
    Wake,
    Withdraw,
)


def nonsense(script: Script) -> str:
    """What is wrong with a script, whatever the dialect: the step, and why it cannot be. Empty if
    nothing is.
    """
    called: set[str] = set()
    running: set[str] = set()
    working: set[str] = set()
    for number, step in enumerate(script, 1):
        if wrong := _wrong(step, number, called, running, working):
            return f"step {number}: {wrong}"
        match step:
            case Answer(blocks=blocks) | Break(blocks=blocks):
                tools = {block.tool for block in blocks if isinstance(block, Call)}
                called |= tools
                running |= tools
            case Return(tool):
                running.remove(tool)
            case Spawn(tool):
                working.add(tool)
            case Report(tool):
                working.remove(tool)
            case _:
                pass
    return ""


def _wrong(step: Step, number: int, called: set[str], running: set[str], working: set[str]) -> str:
    """What is wrong with the step of that number. `called` are the tools that were called before
    it, `running` those that have not returned, `working` those whose child agent is at work.
    """
    match step:
        case Answer(blocks=blocks) | Break(blocks=blocks):
            tools = [block.tool for block in blocks if isinstance(block, Call)]
            twice = [one for at, one in enumerate(tools) if one in called or one in tools[:at]]
            return f"{twice[0]} is called twice" if twice else ""
        case (
            Return(tool) | Ask(tool) | Reply(tool) | Withdraw(tool)
            | Spawn(tool) | Report(tool) | Wake(tool)
        ) if tool not in called:  # fmt: skip
            return f"no tool {tool} was called"
        case Return(tool) if tool not in running:
            return f"{tool} returned before"
        case Spawn(tool) if tool in working:
            return f"the child agent of {tool} is at work already"
        case Report(tool) if tool not in working:
            return f"no child agent of {tool} is at work"
        case Question(options=()):
            return "there is nothing to choose from"
        case Resume() | Handover() if number > 1:
            return "it stands first or nowhere"
        case _:
            return ""
