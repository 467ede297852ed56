"""Another scanner's opinion of what landed: each finding in the library is an argued one."""

from __future__ import annotations

from pathlib import Path

import pytest
from detect_secrets.core import scan
from detect_secrets.settings import default_settings

from turnreel.cassettes import open_cassette
from turnreel.sanitizers.forms import expand

LIBRARY = Path(__file__).parents[2] / "cassettes" / "library"
ARGUED = {
    "none": "what Claude Code says of its apiKeySource where it has no key",
}
"""Values that it takes for secrets and that are none, each with the reason."""


def findings(path: Path) -> list[tuple[int, str]]:
    with default_settings():
        return [(one.line_number, one.secret_value or "") for one in scan.scan_file(str(path))]


@pytest.mark.parametrize("path", sorted(LIBRARY.rglob("*.cassette.jsonl")), ids=lambda p: p.stem)
def test_it_finds_no_more_than_what_is_argued(path: Path) -> None:
    """Beside those what the header calls the session and those it was made from: 16 digits like a
    key's, a digest of what follows or a recording's own name.
    """
    header = open_cassette(path).header
    own = {header.id, header.origin.name, header.sanitized_from, header.minimized_from}
    found = {(line, value) for line, value in findings(path) if value not in ARGUED}
    assert found <= {(1, name) for name in own if name}


def test_what_is_argued_is_found_somewhere() -> None:
    found = {value for path in LIBRARY.rglob("*.cassette.jsonl") for _, value in findings(path)}
    assert found >= ARGUED.keys()


@pytest.mark.parametrize("path", sorted(LIBRARY.rglob("*.turn")), ids=lambda p: p.stem)
def test_it_finds_nothing_in_a_turn(path: Path) -> None:
    assert findings(path) == []


def test_it_does_look(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    secret = expand("AKIA<16 base32>")
    path.write_text(f'["key: {secret}"]\n["aws_secret_key = {expand("<40 base64>")}"]\n')
    assert (1, secret) in findings(path)
