"""Hidden reasoning that a provider writes into the visible text, between marks of its own."""

from __future__ import annotations

from typing import Final

from turnreel.sanitizers.rules import Rule

_MARK: Final = r"(?:seed:)?(?:think|thinking|thought|reasoning|scratchpad|REASONING_SCRATCHPAD)"

RULES: Final[tuple[Rule, ...]] = (
    Rule(
        name="reasoning",
        kind="value",
        source="chat templates of reasoning models, as raw endpoints send them",
        head=rf"(?:<{_MARK}>|\[THINK\]|\u25c1think\u25b7|<\|channel\|>analysis<\|message\|>)"
        r"(?P<v>[\s\S])",
        until=rf"(?=</{_MARK}>|\[/THINK\]|\u25c1/think\u25b7|<\|end\|>)",
        boundary=False,
        opens=True,
        forms=(
            "<think>\nWhat do they want?\n</think>\n\nFour.",
            "<thinking>a</thinking>b",
            "[THINK]a[/THINK]b",
            "\u25c1think\u25b7a\u25c1/think\u25b7b",
            "<|channel|>analysis<|message|>a<|end|>",
            "<think>and then it was cut",
        ),
        near_forms=("`<think>` begins it", "<thinker>", "to <think> about it"),
    ),
)
"""What stands between the marks goes; the marks stay."""
