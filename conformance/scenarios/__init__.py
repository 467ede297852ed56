"""Scenarios: scripted turns in no dialect's words, each with the sentence it stands for.

They are files that anybody can read: `builtin` finds those that come with turnreel, `written` reads
any. A dialect's renderer writes a scenario in native frames; `record_scenario` lands it as a
cassette through the same sanitizer and writer as a live session.
"""

from .agreement import Agreement, compare, unsayable
from .builtin import (
    built_in,
    founded,
    founding,
    held_against,
    required,
    scenario_of,
    scenarios_of,
)
from .scenario import Scenario, record_scenario
from .written import read_scenario

__all__ = [
    "Agreement",
    "Scenario",
    "built_in",
    "compare",
    "founded",
    "founding",
    "held_against",
    "read_scenario",
    "record_scenario",
    "required",
    "scenario_of",
    "scenarios_of",
    "unsayable",
]
