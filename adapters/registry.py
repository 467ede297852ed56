"""The dialects turnreel knows. A dialect is a folder here; nothing of one is imported before it is
asked for.

To add an agent: add its folder, name it in `FOLDERS`, and put its fixtures under
cassettes/library/. A package of somebody else's adds one by an entry point (`foreign`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from turnreel.wire.errors import TurnreelError
from turnreel.wire.units import Json

from . import evidence, foreign
from .base import Adapter
from .bodies import Answer
from .forging import PLAIN as PLAIN_FORGER
from .forging import Forger
from .provider import PLAIN, Provider
from .steps import Beside, Script

if TYPE_CHECKING:
    from turnreel.sanitizers.policy import Policy

Line = tuple[Literal["in", "out", "signal"], dict[str, Json]]
"""A rendered line and who wrote it, or the signal that the host sent instead of one."""

FOLDERS: Final[dict[str, str]] = {
    "claude-stream-json": "claude_stream_json",
    "anthropic-messages": "anthropic_messages",
    "openai-chat": "openai_chat",
    "hermes-session": "hermes_session",
    "hermes-runs": "hermes_runs",
    "hermes-tui": "hermes_tui",
    "hermes-chat": "hermes_chat",
    "hermes-responses": "hermes_responses",
    "hermes-acp": "hermes_acp",
    "codex-app-server": "codex_app_server",
    "codex-exec": "codex_exec",
    "openai-responses": "openai_responses",
}
"""Dialect name to folder."""

KEPSAKES: Final[dict[str, str]] = {
    "claude-transcript": "claude_transcript",
    "codex-rollout": "codex_rollout",
}
"""What agents keep of their sessions, name to folder: no run comes out of it, but it may tell how
one ended whose stream was cut (O5).
"""


NO_DIALECT: Final = "none"
"""What a track is called whose program printed prose: it has no frames, and so no runs."""


class UnknownDialect(TurnreelError):
    """A dialect nobody registered."""

    def __init__(self, dialect: str) -> None:
        super().__init__(f"unknown dialect {dialect!r}", f"one of: {', '.join(dialects())}")


def dialects() -> tuple[str, ...]:
    """All dialect names: those of the table, in its order, and those of other packages that can
    be loaded.
    """
    return (*FOLDERS, *foreign.loaded(frozenset(FOLDERS) | frozenset(KEPSAKES)))


def adapter(dialect: str) -> Adapter[Any]:
    """The adapter of a dialect, or of what an agent keeps. Raises `UnknownDialect`."""
    return cast("Adapter[Any]", _module(dialect, "adapter").ADAPTER)


def policy(dialect: str) -> Policy:
    """What of a dialect, or of what an agent keeps, may land. Raises `UnknownDialect`."""
    return cast("Policy", _module(dialect, "policy").POLICY)


def package(dialect: str) -> str:
    """The package that a dialect's modules stand in. Raises `UnknownDialect`."""
    folder = FOLDERS.get(dialect) or KEPSAKES.get(dialect)
    if folder is not None:
        return f"{__package__}.{folder}"
    if dialect in foreign.packages():
        return foreign.packages()[dialect]
    raise UnknownDialect(dialect)


def standing(dialect: str) -> evidence.Standing:
    """Whether a dialect is enabled, and if not, why (Q1). Raises `UnknownDialect`."""
    info = adapter(dialect).info
    if not info.has_runs:
        return evidence.Standing(dialect, "provider")
    home = package(dialect)
    reason = evidence.refusal(evidence.read(home), dialect, info.proven, evidence.code_of(home))
    if reason:
        return evidence.Standing(dialect, "refused", reason)
    return evidence.Standing(dialect, "enabled" if info.tier == "primary" else "secondary")


def standings() -> tuple[evidence.Standing, ...]:
    """How every dialect stands, those that cannot even be loaded among them."""
    broken = foreign.refused(frozenset(FOLDERS) | frozenset(KEPSAKES))
    refused = (evidence.Standing(name, "refused", why) for name, why in broken.items())
    return (*map(standing, dialects()), *refused)


def enabled() -> tuple[str, ...]:
    """The dialects that have passing evidence for their exact code, secondary ones among them: a
    host's only source of answers may be one that is not (C8).
    """
    states = ("enabled", "secondary")
    return tuple(one.dialect for one in standings() if one.state in states)


def knows(dialect: str) -> bool:
    """Whether `adapter` and `policy` know it."""
    return dialect in dialects() or dialect in KEPSAKES


def provider(dialect: str) -> Provider:
    """What recorder and replayer need of a provider's dialect; one that speaks plain JSON for any
    other.
    """
    if dialect not in dialects() or adapter(dialect).info.tier != "provider":
        return PLAIN
    return cast("Provider", _module(dialect, "provider").PROVIDER)


def forger(dialect: str) -> Forger:
    """Who builds what a dialect's stream never said; of any other dialect, one who refuses."""
    if dialect not in FOLDERS:  # nobody else has to write one
        return PLAIN_FORGER
    return cast("Forger", _module(dialect, "forger").FORGER)


def answer(dialect: str) -> Callable[[Script], Answer]:
    """The renderer of a dialect whose agent answers over HTTP: the request of a scripted turn and
    the events that answer it. It raises `Unsayable` for a step that the dialect has no frame for.
    Raises `UnknownDialect`.
    """
    return cast("Callable[[Script], Answer]", _module(dialect, "render").answer)


def lines(dialect: str) -> Callable[[Script], Sequence[Line | Beside]]:
    """The renderer of a dialect whose agent speaks in lines: what a scripted turn is on its stdin
    (``in``) and stdout (``out``). It raises `Unsayable` for a step that the dialect has no frame
    for. Raises `UnknownDialect`.
    """
    return cast("Callable[[Script], Sequence[Line | Beside]]", _module(dialect, "render").lines)


def _module(dialect: str, part: str) -> Any:
    return import_module(f"{package(dialect)}.{part}")
