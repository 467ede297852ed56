"""The published schema is the code's, and cassettes keep to it."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given

from tests.cassettes.making import FIXTURES, clean
from tests.cassettes.test_records import units
from turnreel.cassettes import open_cassette
from turnreel.cassettes.records import line_of
from turnreel.cassettes.schema import FILE, cassette_schema, schema_text
from turnreel.wire import Unit

VALIDATOR = jsonschema.Draft202012Validator(cassette_schema())


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(cassette_schema())


def test_the_file_is_what_the_code_says() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("name", ["minimal.cassette.jsonl", "full.cassette.jsonl"])
def test_fixtures_keep_to_it(name: str) -> None:
    for line in open_cassette(FIXTURES / name).lines():
        VALIDATOR.validate(json.loads(line))


@given(coded=units())
def test_every_record_that_is_written_keeps_to_it(coded: tuple[str, Unit]) -> None:
    code, unit = coded
    VALIDATOR.validate(json.loads(line_of(clean(0, unit, code), 0)))


@pytest.mark.parametrize(
    "line",
    [{}, [], [1, "a", "out"], ["1", "a", "out", {}], [-1, "a", "out", {}], {"turnreel": 2},
     {"seal": {}}, [1, "a", "out", {}, {"torn": {"bytes": 1}}],
     [1, "a", "out", {}, {"style": "rot13"}]],
    ids=str,
)  # fmt: skip
def test_what_is_no_line_does_not(line: object) -> None:
    assert not VALIDATOR.is_valid(line)
