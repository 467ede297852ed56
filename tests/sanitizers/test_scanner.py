"""What the scanner finds: by rule, glued, cut short, in windows; and fast as the plain way
finds it.
"""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import example, given

from turnreel.sanitizers import matches
from turnreel.sanitizers.anchored import LOWER
from turnreel.sanitizers.forms import expand, filled
from turnreel.sanitizers.known import KnownSecrets
from turnreel.sanitizers.matches import Candidate, slug
from turnreel.sanitizers.placeholders import MARKER
from turnreel.sanitizers.places import joined
from turnreel.sanitizers.rules import Rule
from turnreel.sanitizers.ruleset import RULES
from turnreel.sanitizers.scanner import End, Scanner
from turnreel.sanitizers.unanchored import unanchored

from .conftest import texts

KEY = "sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ"


class PlainScanner(Scanner):
    """The same rules without the automaton: each one is tried at each place."""

    def _candidates(
        self, text: str, start: int, end: End, walls: Sequence[tuple[int, int]]
    ) -> tuple[list[tuple[int, int]], list[Candidate]]:
        markers = joined([*(marker.span() for marker in MARKER.finditer(text, start)), *walls])
        last = markers[-1][1] if markers else start
        lower = text.translate(LOWER)
        found = list(unanchored(text, start, markers))
        for rule in RULES:
            for low, high in apart(start, len(text), markers):
                match = rule.pattern.search(text, low, high)
                while match is not None:
                    found += matched(rule, text, match)
                    match = rule.pattern.search(text, match.start() + 1, high)
            for anchor in rule.anchors if end == "cut" else ():
                if anchor.low == anchor.high == 0:
                    place = lower.find(anchor.text, last)
                    while place >= 0:
                        found += matches.cut_short(rule, text, place, len(anchor.text))
                        place = lower.find(anchor.text, place + 1)
            if end == "cut" and rule.has_context:
                begin = max(last, len(text) - rule.width)
                found += matches.cut_value(rule, text, begin, len(text) - 1)
        return markers, found


def matched(rule: Rule, text: str, match: re.Match[str]) -> Iterator[Candidate]:
    place, end = match.span()
    if rule.opens and place and text[place - 1] != "\n":
        return
    value = match.start("v") if rule.has_context else place
    stop = value + len(text[value:end].rstrip(".,") if rule.tail else text[value:end])
    yield Candidate(value, stop, place, end, rule.boundary, rule.kind, rule.name)


def apart(start: int, end: int, markers: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What lies between markers."""
    for low, high in markers:
        yield start, low
        start = high
    yield start, end


plain = PlainScanner()
fast = Scanner()


def found(text: str, scanner: Scanner = fast) -> list[str]:
    return [text[span.start : span.end] for span in scanner.spans(text)]


@given(texts)
@example("1.2.3.4" + KEY)
@example("key-1key-2" + KEY)
def test_fast_finds_what_plain_finds(text: str) -> None:
    assert fast.spans(text) == plain.spans(text)


@given(texts)
def test_spans_are_in_order_and_apart(text: str) -> None:
    at = 0
    for span in fast.spans(text):
        assert at <= span.start < span.end <= len(text)
        at = span.end


@given(texts, texts)
@example(" " * 900 + KEY + " " * 900, "")
def test_windows_find_what_the_whole_shows(head: str, tail: str) -> None:
    """Decided from a growing text, a bit at a time, the spans are those of the whole."""
    text = head + " " + "lorem ipsum, " * 60 + tail
    spans, at, glued = [], 0, False
    for end in range(0, len(text), 97):
        some, at, glued = fast.decide(text[:end], at, glued, "open")
        spans += some
    spans += fast.decide(text, at, glued, "cut").spans
    assert spans == fast.decide(text, 0, False, "cut").spans


def test_a_secret_glued_to_another_is_found() -> None:
    assert found(KEY[:0] + "mail me@example.com" + "\n" + KEY) == ["me@example.com", KEY]
    assert found("hf_" + "aB3" * 12 + ".ghp_" + "Ab1" * 12) != []


@pytest.mark.parametrize("text", [f"x{KEY}", f"1.2.3.4{KEY}", f"_{KEY}", f"é{KEY}", f"key-1{KEY}"])
def test_nothing_of_a_key_survives_what_stands_before_it(text: str) -> None:
    kept = text
    for span in reversed(fast.spans(text)):
        kept = kept[: span.start] + kept[span.end :]
    assert KEY[13:23] not in kept


@pytest.mark.parametrize("text", ["cut at sk-ant-", "cut at sk-ant-api0", "AKIA123", "x ghp_ab \n"])
def test_a_secret_cut_short_at_the_end_of_the_text_is_found(text: str) -> None:
    assert found(text)
    assert fast.spans(text, "whole") == []


@pytest.mark.parametrize("text", ["the sk-ant- prefix", "AKIA is a prefix.", "ghp_ begins it"])
def test_a_prefix_inside_a_text_is_only_a_word(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("half", ["\\ud83d", "\ud83d", "\\udc00", "\udc00 \\ud800"])
def test_half_a_surrogate_pair_hides_nothing(half: str) -> None:
    assert found(f"at {half} {KEY} there") == [KEY]


def test_an_open_private_key_reaches_to_the_end() -> None:
    text = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nrest of all"
    assert found("see " + text) == [text]
    closed = text + "\n-----END RSA PRIVATE KEY-----"
    assert found(closed + " after") == [closed]


@pytest.mark.parametrize(
    "text",
    [
        "claude-sonnet-4-5-20250929 and claude-opus-4-1-20250805",
        "src/components/http2/parser_v2/index_test.go",
        "cacheCreationEphemeral5mInputTokens",
        "tests/unit/test_utf8_boundary_case",
        "https://example.com/docs/v2/getting-started-guide-1",
        "http://127.0.0.1:8080/health",
        "version 1.2.3.4000 and 0.0.0.0",
        "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "XMLHttpRequestEventTarget and HttpxSyncPyreqwestTransport",
        "WebSocketHandshakeException, Rechtsschutzversicherung",
    ],
)
def test_what_reads_like_words_is_not_opaque(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "secret",
    [
        "aB3dE5fG7hJ9kL1mN2pQ",
        "3f9a0c1d2e4b5a6978877665544332211",
        "3a5b5bb9-9aaf-45b8-98ad-a969bacbb37e",
        "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA==",
        "correcthorsebatterystaple1",
    ],
)
def test_opaque_runs_are_found(secret: str) -> None:
    assert [one.rstrip("=") for one in found(f"id={secret}, then")] == [secret.rstrip("=")]


def test_a_value_has_one_span_with_and_without_its_name() -> None:
    value = "aB3dE5fG7hJ9kL1mN2pQ4rS6"
    assert found(value) == found(f"name={value}") == [value]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/home/jane/x", "jane"),
        ("/Users/jane.doe/x", "jane.doe"),
        (r"C:\Users\Jane\x", "Jane"),
        (r"C:\\Users\\Jane\\x", "Jane"),
        ("/mnt/c/Users/jane", "jane"),
        ("file:///home/jane/x", "jane"),
        ("~/.claude/projects/-home-jane-report", "jane-report"),
        (r"\\wsl$\Ubuntu\home\jane\x", "jane"),
        ("//wsl.localhost/Debian/home/jane", "jane"),
        ("/cygdrive/c/Users/jane/x", "jane"),
        ("/export/home/jane", "jane"),
        (r"C:\Users\Jane Mary Doe\x", "Jane Mary Doe"),
        ("/Users/josé/x", "josé"),
        ("~jane/report", "jane"),
        ("%2Fhome%2Fjane%2Fx", "jane"),
    ],
)
def test_the_name_in_a_home_is_found(text: str, name: str) -> None:
    assert found(text) == [name]


def test_known_values_are_found_in_every_form() -> None:
    known = KnownSecrets(secrets=('pa"ss/wörd',), user="janedoe", host="lab7", home="/data/jd")
    scanner = Scanner(known=known.literals())
    for form in ('pa"ss/wörd', r"pa\"ss/w\u00f6rd", r"pa\\\"ss/w\\u00f6rd", "pa%22ss%2Fw%C3%B6rd"):
        spans = scanner.spans(f"see {form} there")
        assert [(span.kind, span.value) for span in spans] == [("key", 'pa"ss/wörd')], form
    assert found("by JaneDoe on lab7", scanner) == ["JaneDoe", "lab7"]
    assert found("janedoeish, lab77", scanner) == []
    assert found("at /data/jd/x and -data-jd-x", scanner) == ["/data/jd", "-data-jd"]


def test_known_base64_is_found_at_every_alignment() -> None:
    secret = "correct horse battery"
    scanner = Scanner(known=KnownSecrets(secrets=(secret,)).literals())
    for before in ("", "a", "ab", "abc"):
        text = b64encode(f"{before}{secret} more".encode()).decode()
        assert [span.value for span in scanner.spans(text) if span.value] == [secret], before


def test_names_of_no_one_are_not_looked_for() -> None:
    scanner = Scanner(known=KnownSecrets(user="root", host="localhost").literals())
    assert scanner.spans("root on localhost") == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_core_of_an_example_survives(rule: Rule) -> None:
    """Independent of what the rules say they match: nothing long of a secret is left."""
    for form in rule.forms:
        kept = f"before {expand(form)} after"
        for span in reversed(fast.spans(kept)):
            kept = kept[: span.start] + "|" + kept[span.end :]
        for core in filled(form):
            assert len(core) < 12 or (core[:8] not in kept and core[-8:] not in kept), kept


@pytest.mark.parametrize("before", ["", "x", "xy", "so: ", "a mail to "])
@pytest.mark.parametrize("secret", [KEY, "jane.doe@example.com and others"])
def test_what_base64_hides_is_found_at_every_alignment(before: str, secret: str) -> None:
    run = b64encode(f"{before}{secret}".encode()).decode()
    assert found(f"see {run} there") == [run]
    assert found(f"see {run.translate(str.maketrans('+/', '-_')).rstrip('=')} there")


def test_a_short_secret_in_base64_without_a_digit_is_found() -> None:
    """Its letters alone are no opaque run; what they encode tells."""
    run = urlsafe_b64encode(b"npg_" + b"9nH5IaQFk9RN").decode().rstrip("=")
    assert found(f"see {run} there") == [run]


@pytest.mark.parametrize("secret", ["0bGhVpZa2", "41GhVpZa2", "e9GhVpZa2"])
def test_a_percent_sign_before_a_password_between_escapes_is_none_of_theirs(secret: str) -> None:
    text = rf"smbclient \u002F\u002Fh\u002Fs \u002DU me%{secret} and"
    assert [span.value for span in fast.spans(text)] == [secret]


def test_a_secret_has_one_value_with_and_without_base64() -> None:
    (span,) = fast.spans(b64encode(KEY.encode()).decode())
    assert span.value == KEY


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password = hunt", "hunt"),
        ("DB_PASSWORD=correctho", "correctho"),
        ('{"api_key": "abcdef', "abcdef"),
        ("Authorization: Bearer abcdefgh", "abcdefgh"),
        ("postgres://admin:hunt", "admin:hunt"),
        ("pagerduty: u+6LJL7BVCk", "u+6LJL7BVCk"),
    ],
)
def test_a_named_secret_cut_short_at_the_end_of_the_text_is_found(text: str, value: str) -> None:
    assert found(text) == [value]


@pytest.mark.parametrize(
    "text", ["the token: str", "max_tokens: 12345", "http://localhost:8080", "password:", "key ="]
)
def test_what_ends_a_text_after_a_name_may_be_a_word(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "address", ["2001:db8::1", "fe80::1ff:fe23:4567:890a", "2001:0db8:85a3:0:0:8a2e:370:7334"]
)
def test_addresses_are_found_in_their_short_forms(address: str) -> None:
    assert found(f"at {address}, so") == [address]


@pytest.mark.parametrize("text", ["std::vector", "abcd::parse", "12:34:56", "a::b", "::"])
def test_what_has_colons_is_no_address(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("name", ["anna-maria", "anna.maria", "anna_maria"])
def test_a_known_name_ends_where_a_folder_name_cannot_tell(name: str) -> None:
    known = KnownSecrets(user=name, home=f"/Users/{name}").literals()
    text = f"in -Users-{slug(name)}-proj"
    (span,) = Scanner(known=known).spans(text)
    assert text[span.end :] == "-proj" and span.value in (name, f"/Users/{name}")


@pytest.mark.parametrize(
    "run",
    [
        "aB3dE5fG7hJ9kL",  # short and mixed
        "4f9a1c7e0b2d83a6",
        "QwErTyUiOpAsDfGhJkLzXcVb",  # letters alone, capitals anywhere
        "XKCDQWRTPSDFGHJKLZXCVBNM",  # letters nobody can say
        "qzhtkvupsdkgjhyranyh",  # the same, small
        "wjxqvbzkfhqmtp",  # and few
        "pa-qhTakZupsDKPgH_yRaNYhGVangs",  # in parts
    ],
)
def test_runs_that_are_no_words_are_opaque(run: str) -> None:
    assert found(f"it is {run} there") == [run]


def test_what_stands_beside_an_opaque_run_belongs_to_it() -> None:
    long, short = "aB3dE5fG7hJ9kL1mN2pQ", "z1xtn1Dj"
    assert found(f"it is {short}.{long}.{short} there") == [short, long, short]
    assert found(f"it is {long}.json, and v1.{long}") == [long, long]


@pytest.mark.parametrize(
    "run",
    [
        "getElementByIdOrNull",
        "parseHTTPResponseHeaders",
        "abcdefghijklmnopqrstuvwxyz",
        "sha256Base64Url",
        "internationalizationutilities",
    ],
)
def test_runs_that_are_words_are_not(run: str) -> None:
    assert found(f"it is {run} there") == []


@pytest.mark.parametrize("width", [64, 76])
@pytest.mark.parametrize("size", range(49, 120, 7))
@pytest.mark.parametrize("between", ["\n", "\r\n", "\n  ", "\n> "])
def test_nothing_of_wrapped_base64_stays(width: int, size: int, between: str) -> None:
    encoded = b64encode(Random(size).randbytes(size)).decode()
    lines = [encoded[at : at + width] for at in range(0, len(encoded), width)]
    lead = between.lstrip("\r\n")
    text = f"it is:\n{lead}{between.join(lines)}\nand so on, to the end\n"
    values = found(text)
    assert [one.strip("=+/") for one in values] == [line.strip("=+/") for line in lines]


def test_bytes_written_out_are_found() -> None:
    octets = KEY.encode()[:16].hex
    for text in (octets(" "), octets(":").upper(), octets("-")):
        assert found(f"it is {text} there") == [text]
    assert found("00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17") == []
    assert found("at 3c:22:fb:0a:91:7e there") == ["3c:22:fb:0a:91:7e"]


@pytest.mark.parametrize("piece", ["-macbook", "@b.c", "jane.doe@e"])
def test_a_place_is_tried_once_for_each_anchor(piece: str) -> None:
    """Where anchors stand so near that the places before them overlap; a rule has two at most."""
    _, found = fast._candidates(piece * 50, 0, "whole", ())
    assert 0 < len(found) <= 2 * len(set(found))
