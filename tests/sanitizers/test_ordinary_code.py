"""Ordinary code and text stay as they are: false spans are counted over what is installed here."""

from __future__ import annotations

import hashlib
import re
import sysconfig
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from uuid import UUID

import pytest

from turnreel.sanitizers.scanner import Scanner

MOST = 10.0
"""False spans in 100,000 characters."""

ENOUGH = 12_000_000
SUFFIXES = ("py", "js", "ts", "rs", "go")


def files(suffix: str) -> Iterator[Path]:
    """A seeded sample of the files of installed packages; of Python, of the standard library."""
    root = Path(sysconfig.get_path("stdlib" if suffix == "py" else "purelib"))
    found = sorted(root.rglob(f"*.{suffix}"))
    Random(suffix).shuffle(found)
    for path in found:
        ordinary = "test" not in str(path.relative_to(root)) and "min." not in path.name
        if ordinary and "site-packages" not in str(path.relative_to(root)):
            yield path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_few_spans_in_ordinary_code(suffix: str) -> None:
    """Everything counts, true findings such as the addresses of authors too: over all of the
    standard library, since a sample that draws the module about host addresses is full of them.
    """
    scanner = Scanner()
    size = 0
    spans: Counter[str] = Counter()
    for path in files(suffix):
        text = path.read_text(errors="replace")
        if len(text) < 300_000:
            size += len(text)
            spans.update(one.rule for one in scanner.spans(text, "whole"))
        if size > ENOUGH:
            break
    assert spans.total() <= max(MOST * size / 100_000, 3), spans


def test_few_words_of_code_look_like_secrets_cut_short() -> None:
    """A text may end anywhere, and field names are texts: a word is no beginning of a token."""
    words: set[str] = set()
    for path in islice(files("py"), 150):
        words.update(re.findall(r"[A-Za-z_][A-Za-z0-9_.-]{2,30}", path.read_text(errors="replace")))
    scanner = Scanner()
    found = {word for word in words if any(one.rule != "opaque" for one in scanner.spans(word))}
    assert len(words) > 10_000
    assert len(found) <= len(words) / 5_000, found


HASHES = {
    "git": hashlib.sha1(b"x").hexdigest(),
    "sha256": hashlib.sha256(b"x").hexdigest(),
    "md5": hashlib.md5(b"x").hexdigest(),
    "integrity": "sha512-" + b64encode(hashlib.sha512(b"x").digest()).decode(),
    "uuid": str(UUID(bytes=hashlib.md5(b"x").digest())),
    "image": "iVBORw0KGgo" + b64encode(hashlib.sha512(b"y").digest() * 30).decode(),
}


@pytest.mark.parametrize("name", HASHES)
def test_a_hash_has_one_span_and_it_is_called_opaque(name: str) -> None:
    """In a text nobody lists, a hash cannot be told from a key: it is replaced as a whole."""
    text = f"at {HASHES[name]} there"
    (span,) = Scanner().spans(text)
    assert span.rule == "opaque"
    assert text[: span.start] in ("at ", "at sha512-")
    assert text[span.end :].lstrip("=") == " there"
