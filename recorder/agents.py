"""What a recorder must know of an agent before its first byte: how its command line reads.

One entry an agent. What its frames mean is its adapter's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Final

import msgspec

from turnreel.adapters import registry
from turnreel.cassettes.header import AgentInfo
from turnreel.wire.units import Json, JsonUnit, Unit

from .errors import RecorderError

NO_DIALECT: Final = registry.NO_DIALECT
"""The dialect of a stream that is prose: its lines are masked, no run comes out of it."""

_VERSION: Final = re.compile(r"\d{1,5}(\.\d{1,8}){1,3}([-+][0-9A-Za-z.]{1,24})?")


class Agent(msgspec.Struct, frozen=True):
    """An agent's command line. `dialect` says what stdout will speak for these arguments,
    `carries_prompt` whether they hold the user's message, so that the run starts with the process.
    `base_url` is the variable that says where its provider is, `provider` that one's dialect.
    """

    name: str
    dialect: Callable[[Sequence[str]], str]
    carries_prompt: Callable[[Sequence[str]], bool]
    provider: str
    base_url: str


class Spoken(msgspec.Struct, frozen=True):
    """A command line, understood: who it is, what it will speak, whether its run starts at once."""

    agent: str
    dialect: str
    starts_run: bool
    provider: str | None = None
    base_url: str | None = None


def understand(argv: Sequence[str], dialect: str | None = None) -> Spoken:
    """What `argv` starts. `dialect` overrules what the name of the program tells. Raises
    `RecorderError` if neither tells, or if the dialect is one that nothing here can sanitize.
    """
    known = AGENTS.get(PurePath(argv[0]).stem)
    if known is None and dialect is not None:
        known = next((a for a in AGENTS.values() if a.name == _agent_of(dialect)), None)
    if known is None:
        if dialect is None:
            raise RecorderError(
                f"cannot tell what {PurePath(argv[0]).name} speaks",
                f"give --dialect, one of: {', '.join(registry.dialects())}",
            )
        return Spoken(_agent_of(dialect), dialect, starts_run=False)
    spoken = dialect or known.dialect(argv)
    require_policy(spoken)
    starts_run = spoken != NO_DIALECT and known.carries_prompt(argv)
    return Spoken(known.name, spoken, starts_run, known.provider, known.base_url)


def require_policy(dialect: str, where: str = "") -> None:
    """Raises `RecorderError` unless something here says what of `dialect` may land. `where` is
    put before the message.
    """
    if dialect != NO_DIALECT and dialect not in registry.dialects():
        raise RecorderError(
            f"{where}there is no adapter for {dialect} yet",
            f"known dialects: {', '.join(registry.dialects())}",
        )


def version_in(unit: Unit) -> str | None:
    """The agent's version where a frame of its own tells it."""
    match unit:
        case JsonUnit(value={"type": "system", "subtype": "init", "claude_code_version": found}):
            return plain_version(found)
        case JsonUnit(value={"result": {"agentInfo": {"version": found}}}):
            return plain_version(found)
        case JsonUnit(value={"result": {"userAgent": str(names)}}):  # client/version (system) …
            return plain_version(names.partition("/")[2].partition(" ")[0])
    return None


def plain_version(found: Json) -> str | None:
    """`found` if it is a version number and nothing else: it is written as it stands."""
    if isinstance(found, str) and _VERSION.fullmatch(found):
        return found
    return None


def agent_info(name: str, version: str | None) -> AgentInfo:
    """The header's entry for an agent."""
    return AgentInfo(name, plain_version(version))


def _agent_of(dialect: str) -> str:
    require_policy(dialect)
    return registry.adapter(dialect).info.agent if dialect != NO_DIALECT else "unknown"


# Claude Code


_CLAUDE_LONE: Final = frozenset(
    {"-p", "--print", "--verbose", "--include-partial-messages", "--replay-user-messages",
     "--include-hook-events", "--forward-subagent-text", "-c", "--continue", "--fork-session",
     "--dangerously-skip-permissions", "--allow-dangerously-skip-permissions",
     "--strict-mcp-config", "--ide", "--no-session-persistence", "--bare"}
)  # fmt: skip
"""Claude's options that take no value; any other one is taken to have one."""

_CLAUDE_LISTS: Final = frozenset(
    {"--allowedTools", "--allowed-tools", "--disallowedTools", "--disallowed-tools", "--tools",
     "--add-dir", "--mcp-config", "--betas", "--plugin-dir"}
)  # fmt: skip
"""Claude's options that take all words up to the next option."""


def _claude_dialect(argv: Sequence[str]) -> str:
    """``json`` prints the last frame of ``stream-json`` alone; anything else is prose."""
    spoken = option(argv, "--output-format") in ("stream-json", "json")
    return "claude-stream-json" if spoken else NO_DIALECT


def _claude_carries_prompt(argv: Sequence[str]) -> bool:
    if option(argv, "--input-format") == "stream-json":
        return False
    words = list(argv[1:])
    while words:
        word = words.pop(0)
        if word == "--":
            return bool(words)
        if not word.startswith("-"):
            return True
        if word in _CLAUDE_LISTS:
            while words and not words[0].startswith("-"):
                del words[0]
        elif word not in _CLAUDE_LONE and "=" not in word and words:
            del words[0]
    return False


# Codex


_CODEX_LONE: Final = frozenset(
    {"--json", "--experimental-json", "--strict-config", "--oss", "--approve-for-me",
     "--full-auto", "--yolo", "--dangerously-bypass-approvals-and-sandbox",
     "--dangerously-bypass-hook-trust", "--worktree", "--skip-git-repo-check", "--trust",
     "--ephemeral", "--ignore-user-config", "--ignore-rules", "--last", "--all"}
)  # fmt: skip
"""Codex' options that take no value; any other one is taken to have one."""


def _codex_dialect(argv: Sequence[str]) -> str:
    """``exec`` prints lines of JSON if it is told to; without a subcommand it is a screen."""
    words = _codex_words(argv)
    if words[:1] == ["app-server"]:
        return "codex-app-server"
    spoken = words[:1] in (["exec"], ["e"]) and {"--json", "--experimental-json"} & set(argv)
    return "codex-exec" if spoken else NO_DIALECT


def _codex_carries_prompt(argv: Sequence[str]) -> bool:
    """A prompt after ``exec``, or after the session that ``resume`` and ``fork`` name; ``-``, or
    none, is one on stdin.
    """
    words = _codex_words(argv)[1:]
    if words[:1] in (["resume"], ["fork"]):
        del words[: 1 if "--last" in argv else 2]
    return bool(words) and words[0] != "-"


def _codex_words(argv: Sequence[str]) -> list[str]:
    """The words of a command line that are neither options nor their values."""
    found: list[str] = []
    words = list(argv[1:])
    while words:
        word = words.pop(0)
        if word == "--":
            return found + words
        if not word.startswith("-") or word == "-":
            found.append(word)
        elif word not in _CODEX_LONE and "=" not in word and words:
            del words[0]
    return found


def option(argv: Sequence[str], name: str) -> str | None:
    """The value of `name` in either spelling; what follows ``--`` is no option."""
    options = list(argv[: argv.index("--")]) if "--" in argv else list(argv)
    for place, word in enumerate(options):
        if word == name and place + 1 < len(options):
            return options[place + 1]
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return None


# Hermes


def _hermes_dialect(argv: Sequence[str]) -> str:
    """``hermes acp`` and ``hermes-acp`` speak ACP; the other commands print prose. The TUI gateway
    is a Python module and is named by its dialect.
    """
    acp = PurePath(argv[0]).stem == "hermes-acp" or list(argv[1:2]) == ["acp"]
    return "hermes-acp" if acp else NO_DIALECT


def _hermes_carries_prompt(argv: Sequence[str]) -> bool:
    """ACP takes its prompts on stdin, and prose begins no run."""
    return False


_HERMES: Final = Agent(
    "hermes",
    _hermes_dialect,
    _hermes_carries_prompt,
    "openai-chat",
    "OPENAI_BASE_URL",
)

AGENTS: Final[dict[str, Agent]] = {
    "claude": Agent(
        "claude",
        _claude_dialect,
        _claude_carries_prompt,
        "anthropic-messages",
        "ANTHROPIC_BASE_URL",
    ),
    "codex": Agent(
        "codex",
        _codex_dialect,
        _codex_carries_prompt,
        "openai-responses",
        "OPENAI_BASE_URL",
    ),
    "hermes": _HERMES,
    "hermes-acp": _HERMES,
}
"""Program name to agent."""
