"""A turn as a person would see it, a line an entry."""

from __future__ import annotations

from turnreel.lifecycle.fold import (
    ActivityEntry,
    CommentaryEntry,
    Entry,
    GateEntry,
    HealthEntry,
    PlanEntry,
    RunView,
)


def transcript(view: RunView) -> list[str]:
    lines = [entry(one) for one in view.entries]
    for child in view.children:
        lines += [f"  {line}" for line in transcript(child)]
    end = view.terminal
    if end is None:
        return [*lines, "open"]
    told = f'{end.type} "{end.text}"' if end.type in ("final", "needs_input") else end.type
    return [*lines, " ".join(filter(None, (told, end.code, end.confidence, end.health)))]


def entry(one: Entry) -> str:
    match one:
        case CommentaryEntry(text=text):
            return f"said {text}"
        case ActivityEntry(name=name, kind=kind, state=state):
            return f"{name} {kind} {state}"
        case GateEntry(kind=kind, resolution=resolution):
            return f"gate {kind} {resolution}"
        case HealthEntry(state=state, code=code):
            return f"{state} {code}"
        case PlanEntry(items=items):
            return "plan " + ", ".join(f"{item.text} {item.state}" for item in items)
        case _:
            return type(one).__name__
