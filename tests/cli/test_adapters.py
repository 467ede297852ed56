"""adapters: the registry's declarations as a table."""

from __future__ import annotations

import json

from tests.cli.command import Turnreel
from turnreel.adapters.registry import dialects


def test_every_dialect_is_listed(turnreel: Turnreel) -> None:
    people = turnreel("adapters")
    programs = turnreel("adapters", "--json")
    assert people.status == programs.status == 0
    assert [info["dialect"] for info in json.loads(programs.out)] == list(dialects())
    assert all(dialect in people.out for dialect in dialects())
