"""Another scanner's opinion of what landed: each finding in the library is an argued one."""

from __future__ import annotations

from pathlib import Path

import pytest
from detect_secrets.core import scan
from detect_secrets.settings import default_settings

from turnreel.cassettes import open_cassette
from turnreel.sanitizers.forms import expand

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"


def findings(path: Path) -> list[tuple[int, str]]:
    with default_settings():
        return [(one.line_number, one.secret_value or "") for one in scan.scan_file(str(path))]


@pytest.mark.parametrize("path", sorted(LIBRARY.rglob("*.cassette.jsonl")), ids=lambda p: p.stem)
def test_it_finds_no_more_than_the_cassettes_own_id(path: Path) -> None:
    """The id in the header is a digest of what follows: 16 hex digits that look like a key."""
    own = (1, open_cassette(path).header.id)
    assert set(findings(path)) <= {own}


@pytest.mark.parametrize("path", sorted(LIBRARY.rglob("*.turn")), ids=lambda p: p.stem)
def test_it_finds_nothing_in_a_turn(path: Path) -> None:
    assert findings(path) == []


def test_it_does_look(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    secret = expand("AKIA<16 base32>")
    path.write_text(f'["key: {secret}"]\n["aws_secret_key = {expand("<40 base64>")}"]\n')
    assert (1, secret) in findings(path)
