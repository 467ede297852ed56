"""lint: form, seal, digest, versions, size and leftovers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import Turnreel
from turnreel.cli.lint import PLAIN_LIMIT, Linted, lint


def found(linted: Linted) -> list[str]:
    return [one.what for one in linted.found]


def written(folder: Path, content: bytes) -> Path:
    path = folder / "one.cassette.jsonl"
    path.write_bytes(content)
    return path


def unsealed(sealed: bytes) -> list[bytes]:
    return sealed.splitlines(keepends=True)[:-1]


def test_a_clean_cassette_has_nothing(turnreel: Turnreel, tmp_path: Path, sealed: bytes) -> None:
    path = written(tmp_path, sealed)
    answer = turnreel("lint", path)
    assert (answer.status, answer.err) == (0, "")
    assert "sealed" in answer.out
    [told] = json.loads(turnreel("lint", tmp_path, "--json").out)
    assert told["records"] == sealed.count(b"\n") - 2
    assert told["found"] == []
    assert told["policies"].keys() >= {"claude-stream-json"}


def test_no_seal_is_told_with_its_remedy(turnreel: Turnreel, tmp_path: Path, sealed: bytes) -> None:
    path = written(tmp_path, b"".join(unsealed(sealed)))
    answer = turnreel("lint", path)
    assert answer.status == 1
    assert f"no seal: its recorder was killed (turnreel recover {path})" in answer.out
    assert turnreel("recover", path).status == 0
    assert lint(path).state == "recovered"
    assert lint(path).found == ()


def test_what_would_be_replaced_today_is_a_leftover(tmp_path: Path, sealed: bytes) -> None:
    """A secret that somebody wrote into a record by hand, where text may stand."""
    secret = b"sk-ant-api03-" + b"A1b2C3d4E5f6G7h8" * 5 + b"AA"
    assert b"It is **42**." in sealed
    leaky = [line.replace(b"It is **42**.", b"It is " + secret) for line in unsealed(sealed)]
    linted = lint(written(tmp_path, b"".join(leaky)))
    leftovers = [one for one in linted.found if "would be replaced today" in one.what]
    assert leftovers
    assert all(secret in leaky[(one.line or 0) - 1] for one in leftovers)


def test_old_rules_and_policies_are_told(tmp_path: Path, sealed: bytes) -> None:
    header, *rest = unsealed(sealed)
    fields = json.loads(header)
    fields["rules"] = 0
    fields["policies"]["claude-stream-json"] = 0
    linted = lint(written(tmp_path, json.dumps(fields).encode() + b"\n" + b"".join(rest)))
    assert any(what.startswith("sanitized by rules 0, today's are ") for what in found(linted))
    assert any("policy 0 of claude-stream-json" in what for what in found(linted))


def test_a_large_plain_cassette_should_be_compressed(tmp_path: Path, sealed: bytes) -> None:
    header, *rest = unsealed(sealed)
    filler = b'[1,"agent","err","x",{"kind":"text"}]\n'
    many = filler * (PLAIN_LIMIT // len(filler) + 1)
    linted = lint(written(tmp_path, header + b"".join(rest) + many))
    assert any("bytes of plain text" in what for what in found(linted))


def test_a_folder_without_cassettes_is_a_mistake(turnreel: Turnreel, tmp_path: Path) -> None:
    answer = turnreel("lint", tmp_path)
    assert answer.status == 2
    assert "no cassette is there" in answer.one_line()
