"""The scenarios that come with turnreel: files in `library`, each read when it is asked for.

``order.toml`` says which there are and in what order. They are read as anybody's own are, and
nothing may be missing in them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from turnreel.conformance.errors import ConformanceError

from .scenario import Scenario
from .written import read_scenario, require_turn

LIBRARY: Final = Path(str(resources.files("turnreel.conformance.scenarios"))) / "library"
ENDINGS: Final = frozenset({".toml", ".json"})
"""What a scenario's file ends in."""


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which scenarios there are: those that every dialect is held against, and those that turnreel
    was founded on; `founded` says in which dialects' hosts these were seen.
    """

    required: tuple[str, ...]
    founding: tuple[str, ...]
    founded: dict[str, tuple[str, ...]]


@cache
def order() -> Order:
    """The ids of all scenarios, in the order in which they are played and shown."""
    return msgspec.convert(tomllib.loads(place("order").read_text("utf-8")), Order)


def place(name: str) -> Path:
    """Where a file of the library stands."""
    return LIBRARY / f"{name}.toml"


@cache
def built_in(scenario: str) -> Scenario:
    """The scenario of that id.

    Raises `ConformanceError` for one that nobody knows, and for a file that is broken.
    """
    if scenario not in (*order().required, *order().founding):
        raise ConformanceError(
            f"no scenario is called {scenario}",
            f"one of: {', '.join(order().required)}; or a file in .toml or .json",
        )
    return require_turn(read_scenario(place(scenario)), place(scenario))


def required() -> tuple[Scenario, ...]:
    """Turns that every agent can have: each is played in every dialect and must come out alike
    (Q2).
    """
    return tuple(map(built_in, order().required))


def founding() -> tuple[Scenario, ...]:
    """The defects turnreel was founded on, as scripted turns.

    In a tool loop the model writes a line of progress before each call. A host that took every text
    block for a piece of the answer showed the progress inside the final; one that took every
    streamed text for already shown suppressed the final; one that believed a success without an
    answer promoted the progress, or an error's text. Each is one way in which that was seen.
    """
    return tuple(map(built_in, order().founding))


def founded(dialect: str) -> tuple[Scenario, ...]:
    """The founding scenarios that hosts of a dialect were seen to get wrong."""
    return tuple(map(built_in, order().founded.get(dialect, ())))


def scenarios_of(said: Sequence[str]) -> tuple[Scenario, ...]:
    """Those that a person names, or all that are required. Raises as `held_against` does."""
    return tuple(map(held_against, said)) or required()


def held_against(said: str) -> Scenario:
    """As `scenario_of`, and it says what must come out. Raises the same."""
    return require_turn(scenario_of(said), Path(said))


def scenario_of(said: str) -> Scenario:
    """The scenario that a person names: one of the library's, or a file of their own.

    Raises `ConformanceError` if there is none, or the file is broken.
    """
    return read_scenario(Path(said)) if Path(said).suffix in ENDINGS else built_in(said)
