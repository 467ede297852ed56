"""Texts in which secrets, near misses, placeholders and ordinary words stand in any mixture."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from urllib.parse import quote

from hypothesis import strategies as st

from turnreel.sanitizers.ruleset import RULES

EXAMPLES = [example for rule in RULES for example in rule.examples]
NEAR = [near for rule in RULES for near in rule.near]
OTHERS = [
    "key-1", "user-12", "mail-3", "toolu_01AbCdEfGhIjKlMnOpQrStUv", "10.11.12.13", "127.0.0.1",
    "3a5b5bb9-9aaf-45b8-98ad-a969bacbb37e", " 00000000-0000-4000-8000-000000000007 ",
    "claude-sonnet-4-5-20250929", "src/http2/parser_v2", "password", "=", ": ", '"', "'", "@", "/",
    " ", "\n", "\t", "Total is **76**.", "naïve 日本語 🎉", "x", "0", "xxx000",
    "A", "1", "-", "_", ".",
    "-----BEGIN ", "-----END PRIVATE KEY-----", "aB3dE5fG7hJ9kL1mN2pQ", "word " * 90,
]  # fmt: skip


def one_of_many(texts: list[str]) -> st.SearchStrategy[str]:
    """One of `texts`; they are too many to be shown when a law fails."""
    return st.integers(0, len(texts) - 1).map(lambda number: texts[number])


def cut(text: str) -> st.SearchStrategy[str]:
    """A beginning of `text`, often all of it."""
    return st.integers(0, len(text)).map(lambda end: text[:end] or text)


fragments = st.one_of(
    one_of_many(EXAMPLES).flatmap(cut),
    one_of_many(EXAMPLES),
    one_of_many(NEAR),
    st.sampled_from(OTHERS),
    st.text(max_size=8),
)
texts = st.lists(fragments, max_size=8).map("".join)


@st.composite
def split(draw: st.DrawFn, source: st.SearchStrategy[str] = texts) -> list[str]:
    """A text in pieces: empty ones, single characters, anywhere."""
    text = draw(source)
    places = draw(st.lists(st.integers(0, len(text)), max_size=12)) if text else []
    if draw(st.booleans()) and len(text) < 300:
        places = list(range(len(text)))
    bounds = [0, *sorted(places), len(text)]
    return [text[low:high] for low, high in pairwise(bounds)]


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]


ENCODINGS: dict[str, Callable[[str], str]] = {
    "escaped": _escaped,
    "escaped-all": lambda text: "".join(
        f"\\u{ord(char):04x}" for char in text if ord(char) < 65536
    ),
    "slashes": lambda text: text.replace("/", "\\/"),
    "hexed": lambda text: text.replace("-", "\\x2d").replace("_", "\\x5F"),
    "percent": lambda text: quote(text, safe=""),
    "percent-all": lambda text: "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "replace")),
    "dashes": lambda text: text.replace("-", "\\u002d").replace("_", "%5f"),
    "coloured": lambda text: text[:9] + "\x1b[1;32m" + text[9:] + "\x1b[0m",
    "wrapped": lambda text: text[:12] + "\r" + text[12:],
    "zero-width": lambda text: "\u200b".join(text),
    "unseen": lambda text: text[:7] + "\u202e\u2062\ufe0f" + text[7:],
    "entities": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "octal": lambda text: "".join(f"\\{ord(char):03o}" for char in text if ord(char) < 256),
    "braced": lambda text: "".join(f"\\u{{{ord(char):x}}}" for char in text),
    "continued": lambda text: text[:8] + "\\\n  " + text[8:],
    "wide": lambda text: text.translate({code: code + 0xFEE0 for code in range(33, 127)}),
    "linked": lambda text: f"{text[:9]}\x1b]8;;a\x07{text[9:]}",
}
"""Ways in which a secret may stand in a text other than as it reads."""

encoded_fragments = st.one_of(
    st.tuples(
        st.sampled_from(EXAMPLES), st.lists(st.sampled_from([*ENCODINGS]), min_size=1, max_size=3)
    ).map(lambda drawn: reduce(lambda text, name: ENCODINGS[name](text), drawn[1], drawn[0])),
    st.sampled_from(
        ["\\", "\\u", "\\u00", "%", "%2", "\r", "\r\n", "\x1b[", "\x1b", "\\\\", "\\n"]
    ),
    fragments,
)
encoded_texts = st.lists(encoded_fragments, max_size=6).map("".join)
