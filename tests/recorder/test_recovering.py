"""What stays beside a target as a ``.part``: what a person is told, and how it gets its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.test_landing import landing, out, started
from turnreel.cassettes import CassetteError, open_cassette
from turnreel.recorder import RecorderError
from turnreel.recorder.recovering import is_part, named, release
from turnreel.sanitizers import KnownSecrets

from .conftest import INIT

SECRETS = ("masked", "xxxxxx")
"""Literals that every mask of the gate is: whatever it does, it objects."""


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recorder's machine, which knows them as well."""
    monkeypatch.setattr(
        "turnreel.recorder.recovering.known_secrets", lambda _: KnownSecrets(secrets=SECRETS)
    )


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "live.cassette.jsonl"


@pytest.fixture
def part(target: Path) -> Path:
    """What is left of a session that was not sealed."""
    one = landing(target, secrets=SECRETS)
    one.land([started(), out(INIT), out({"type": "assistant", "unlisted": "anything"})])
    with pytest.raises(RecorderError) as told:
        one.seal()
    assert "known-key in record 3 (line 4)" in told.value.message
    assert "turnreel recover" in told.value.remedy
    part = Path(told.value.message.partition(":")[0])
    assert "masked" in part.read_text().splitlines()[3]
    return part


def edited(part: Path, word: str, instead: str) -> None:
    part.write_text(part.read_text().replace(word, instead))


def test_it_is_not_sealed_while_something_is_found(part: Path, target: Path) -> None:
    before = part.read_bytes()
    with pytest.raises(RecorderError, match=r"\.part:4: "):
        release(part)
    assert part.read_bytes() == before and not target.exists()


def test_once_it_is_taken_out_the_cassette_has_its_name(part: Path, target: Path) -> None:
    records = len(list(open_cassette(part)))
    edited(part, '"masked":"masked"', "")
    seal = release(part)
    assert (seal.records, seal.recovered, seal.unchecked) == (records, True, ("literals",))
    assert open_cassette(target).seal == seal
    assert not part.exists()


def test_what_a_person_puts_in_is_looked_at_by_todays_rules(part: Path, target: Path) -> None:
    edited(part, "masked", "sk-ant-" + "api03-aB3dE5fG7hJ9kL1mN2pQ")
    with pytest.raises(RecorderError, match=r"\.part:4: agent out: holds what would be replaced"):
        release(part)
    assert not target.exists()


def test_an_existing_cassette_is_not_replaced(part: Path, target: Path, tmp_path: Path) -> None:
    edited(part, '"masked":"masked"', "")
    target.write_text("precious")
    with pytest.raises(CassetteError, match="exists already"):
        release(part)
    assert target.read_text() == "precious" and part.exists()
    other = tmp_path / "other.cassette.jsonl"
    release(part, other)
    assert open_cassette(other).seal is not None and not part.exists()


@pytest.mark.parametrize(
    ("part", "cassette"),
    [
        ("a.cassette.jsonl.part", "a.cassette.jsonl"),
        ("a.cassette.jsonl.zst.part", "a.cassette.jsonl.zst"),
        ("a.cassette.jsonl.1764518400000000000.part", "a.cassette.jsonl"),
        ("a.2.part", "a.2"),
    ],
)
def test_a_part_is_named_after_its_cassette(part: str, cassette: str) -> None:
    assert is_part(Path(part)) and named(Path("folder", part)) == Path("folder", cassette)
    assert not is_part(Path(cassette))
