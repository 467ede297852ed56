"""Every rule finds its examples and leaves its near misses alone."""

from __future__ import annotations

import pytest

from turnreel.sanitizers.rules import Anchor, Rule
from turnreel.sanitizers.ruleset import RULES
from turnreel.sanitizers.scanner import Scanner


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_finds_its_examples(rule: Rule) -> None:
    alone = Scanner([rule])
    for example in rule.examples:
        for text in (example, f"see {example} there", f"({example})", f"\n{example}\n"):
            assert [s.rule for s in alone.spans(text) if s.rule != "opaque"], text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_leaves_near_misses_alone(rule: Rule) -> None:
    alone = Scanner([rule])
    for near in rule.near:
        text = f"see {near} there"
        assert [s for s in alone.spans(text) if s.rule == rule.name] == [], near


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_says_where_its_format_comes_from(rule: Rule) -> None:
    assert rule.source and rule.examples and rule.name == rule.name.lower()
    assert rule.width <= 256


def test_rules_have_names_of_their_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) >= 40


@pytest.mark.parametrize(
    ("head", "anchors"),
    [
        ("ghp_[A-Za-z0-9]{36}", [Anchor("ghp_", 0, 0)]),
        ("gh[po]_[a-z]{3}", [Anchor("gho_", 0, 0), Anchor("ghp_", 0, 0)]),
        ("[0-9]{8,10}:AA", [Anchor(":aa", 8, 10)]),
        ("(?:sk|pk)_live_", [Anchor("sk_live_", 0, 0), Anchor("pk_live_", 0, 0)]),
        ("(?i:Bearer) {1,4}x", [Anchor("bearer", 0, 0)]),
        ("[a-z]{2}(?P<v>token)?secret[0-9]", [Anchor("secret", 2, 7)]),
    ],
)
def test_anchors_follow_from_the_expression(head: str, anchors: list[Anchor]) -> None:
    assert sorted(Rule(name="r", kind="key", head=head).anchors) == sorted(anchors)


def test_a_rule_without_fixed_text_is_refused() -> None:
    with pytest.raises(ValueError, match="no anchor"):
        _ = Rule(name="r", kind="key", head="[a-z]{3,9}[0-9]{4}").anchors
