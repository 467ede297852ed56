"""Every rule finds its examples and leaves its near misses alone."""

from __future__ import annotations

import re

import pytest

from turnreel.sanitizers.forms import expand
from turnreel.sanitizers.matches import Known
from turnreel.sanitizers.rules import Anchor, Rule
from turnreel.sanitizers.ruleset import RULES
from turnreel.sanitizers.scanner import Scanner

SEEDS = range(4)

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def found(scanner: Scanner, text: str, rule: Rule) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in scanner.spans(text) if one.rule == rule.name]


@every_rule
def test_a_rule_finds_its_forms_alone_embedded_and_at_the_end(rule: Rule) -> None:
    scanner = Scanner([rule])
    for form in rule.forms:
        for seed in SEEDS:
            secret = expand(form, seed)
            inside = (f"see {secret} there", f"({secret})", f"x: {secret}")
            for text in (secret, f"\n{secret}\n", *(() if rule.opens else inside)):
                assert found(scanner, text, rule), text


@every_rule
def test_a_rule_finds_its_forms_glued(rule: Rule) -> None:
    """Behind another secret, and behind a sign that is no letter."""
    scanner = Scanner([rule], [Known("key", "pass:word9")])
    for form in rule.forms:
        secret = expand(form)
        for before in ("word\n",) if rule.opens else ("pass:word9", "_", "=", "é"):
            assert found(scanner, before + secret, rule), before + secret


@every_rule
def test_a_rule_finds_its_forms_however_the_text_was_cut(rule: Rule) -> None:
    scanner = Scanner([rule])
    form = rule.forms[0]
    before = "word " * 80 + "\n" * rule.opens
    text = f"{before}{expand(form)} {'and more, ' * 40}"
    whole = found(scanner, text, rule)
    for step in (1, 7, 97):
        spans, at, glued = [], 0, False
        for end in range(1, len(text), step):
            some, at, glued = scanner.decide(text[:end], at, glued, "open")
            spans += some
        spans += scanner.decide(text, at, glued, "cut").spans
        assert [(one.start, one.end) for one in spans if one.rule == rule.name] == whole


@every_rule
def test_a_rule_leaves_near_misses_alone(rule: Rule) -> None:
    scanner = Scanner([rule])
    assert rule.near_forms
    for form in rule.near_forms:
        for seed in SEEDS:
            text = f"see {expand(form, seed)} there, of course"
            assert found(scanner, text, rule) == [], text


@every_rule
def test_a_rule_says_where_its_format_comes_from(rule: Rule) -> None:
    assert rule.source and rule.forms
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert rule.width <= 256


@every_rule
def test_forms_are_no_secrets_themselves(rule: Rule) -> None:
    """What stands in the repository trips no scanner, ours included."""
    if rule.kind == "key":
        for form in rule.forms:
            places = re.sub(r"<[^>]*>", "<>", form)
            assert not re.search(r"[A-Za-z0-9+/_\-]{60}", places), form


def test_rules_have_names_of_their_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) >= 160


def test_a_form_is_filled_with_its_alphabet_and_its_seed() -> None:
    assert re.fullmatch(r"a-[0-9a-f]{12}-[A-Z2-7]{3}", expand("a-<12 hex>-<3 base32>"))
    assert expand("<30 alnum>", 1) == expand("<30 alnum>", 1) != expand("<30 alnum>", 2)
    assert expand("no place at all") == "no place at all"


@pytest.mark.parametrize(
    ("head", "anchors"),
    [
        ("ghp_[A-Za-z0-9]{36}", [Anchor("ghp_", 0, 0)]),
        ("gh[po]_[a-z]{3}", [Anchor("gho_", 0, 0), Anchor("ghp_", 0, 0)]),
        ("[0-9]{8,10}:AA", [Anchor(":aa", 8, 10)]),
        ("(?:sk|pk)_live_", [Anchor("sk_live_", 0, 0), Anchor("pk_live_", 0, 0)]),
        ("(?i:Bearer) {1,4}x", [Anchor("bearer", 0, 0)]),
        ("[a-z]{2}(?P<v>token)?secret[0-9]", [Anchor("secret", 2, 7)]),
        ("(?:cfut_|cfk_)[a-z]", [Anchor("cfut_", 0, 0), Anchor("cfk_", 0, 0)]),
        ("[0-9]p(?:ass|wd?)[0-9]", [Anchor("pass", 1, 1), Anchor("pw", 1, 1)]),
    ],
)
def test_anchors_follow_from_the_expression(head: str, anchors: list[Anchor]) -> None:
    assert sorted(Rule(name="r", kind="key", head=head).anchors) == sorted(anchors)


def test_a_rule_without_fixed_text_is_refused() -> None:
    with pytest.raises(ValueError, match="no anchor"):
        _ = Rule(name="r", kind="key", head="[a-z]{3,9}[0-9]{4}").anchors
