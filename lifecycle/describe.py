"""The lifecycle described from its own definitions: what docs/turn-protocol.md draws and lists.

Nothing here is a second copy of a rule; everything is read from `tables`, `events` and `notices`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, get_args

import msgspec

from . import tables
from .events import AnyEvent, Event
from .notices import AnyNotice


def diagram(machine: Mapping[Any, str], start: str) -> str:
    """A Mermaid state diagram of a machine, a mapping (phase, cause) -> phase; moves between the
    same two phases share an arrow.
    """
    arrows: dict[tuple[str, str], list[str]] = {}
    for (before, cause), after in machine.items():
        arrows.setdefault((before, after), []).append(cause)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {start}"]
    lines += [f"    {a} --> {b}: {', '.join(causes)}" for (a, b), causes in arrows.items()]
    inner = {before for before, _ in machine}
    ends = dict.fromkeys(after for after in machine.values() if after not in inner)
    lines += [f"    {end} --> [*]" for end in ends]
    return "\n".join([*lines, "```"])


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    titles = list(head)
    body = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(titles)} |", "|" + " --- |" * len(titles), *body])


def events() -> str:
    """Every event type with the fields it adds to the envelope."""
    envelope = {field.name for field in msgspec.structs.fields(Event)}
    rows = []
    for event in get_args(AnyEvent):
        fields = [
            f"`{field.name}`{'' if field.required else '?'}"
            for field in msgspec.structs.fields(event)
            if field.name not in envelope
        ]
        note = " ".join((event.__doc__ or "").split())
        rows.append((f"`{event.__struct_config__.tag}`", ", ".join(fields), note))
    return table(("type", "carries", "meaning"), rows)


def coupling() -> str:
    """What a happening means for the machines it did not happen to."""
    rows = [
        (
            happening,
            ", ".join(
                f"{machine}: *{cause}*" for machine, cause in effect._asdict().items() if cause
            ),
        )
        for happening, effect in tables.COUPLING.items()
    ]
    return table(("when", "then"), rows)


def codes() -> str:
    """Every failure code: whether it degrades health, may be retried, and its sentence."""
    rows = [
        (
            f"`{code}`",
            "no" if code in tables.LIMITS else "yes",
            "yes" if code in tables.RETRYABLE else "no",
            sentence,
        )
        for code, sentence in tables.SENTENCE.items()
    ]
    return table(("code", "degrades health", "retryable", "what a person reads"), rows)


def outcomes() -> str:
    """Terminal, outcome, exit status and the older single word."""
    pairs = [*tables.OUTCOME_OF.items(), ("failed", "abandoned")]
    rows = [
        (f"`{terminal}`", outcome, str(tables.EXIT_STATUS[outcome]), tables.LEGACY_WORD[outcome])
        for terminal, outcome in pairs
    ]
    return table(("terminal", "outcome", "exit status", "legacy word"), rows)


def routes() -> str:
    """What becomes of a person's message in each state of a session."""
    rows = [
        (f"`{state}`", ", then ".join(f"*{kind}*" for kind in route) or "nothing")
        for state, route in tables.ROUTES.items()
    ]
    return table(("the session stands", "the message"), rows)


def rests() -> str:
    """Where a session rests after its last open run."""
    rows = [(outcome, f"`{state}`") for outcome, state in tables.RESTS.items()]
    return table(("the run was", "the session stands"), rows)


def notices() -> str:
    """Every entry of a session's journal that is no event, and its fields."""
    rows = []
    for notice in get_args(AnyNotice):
        fields = [
            f"`{field.name}`{'' if field.required else '?'}"
            for field in msgspec.structs.fields(notice)
        ]
        note = " ".join((notice.__doc__ or "").split())
        rows.append((f"`{notice.__struct_config__.tag}`", ", ".join(fields), note))
    return table(("type", "carries", "meaning"), rows)


SECTIONS: Final[dict[str, Callable[[], str]]] = {
    "events": events,
    "run": lambda: diagram(tables.RUN, "open"),
    "message": lambda: diagram(tables.MESSAGE, "pending"),
    "activity": lambda: diagram(tables.ACTIVITY, "started"),
    "gate": lambda: diagram(tables.GATE, "open"),
    "coupling": coupling,
    "codes": codes,
    "outcomes": outcomes,
    "routes": routes,
    "rests": rests,
    "notices": notices,
}
"""Section name in docs/turn-protocol.md to what writes it."""
