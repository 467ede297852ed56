"""Scenarios: scripted turns in no dialect's words, each with the sentence it stands for.

A dialect's renderer writes a scenario in native frames; `recording` lands it as a cassette
through the same sanitizer and writer as a live session.
"""

from .agreement import Agreement, compare, unsayable
from .equal import EQUAL
from .founding import FOUNDED, FOUNDING, founded
from .scenario import Scenario, record_scenario

__all__ = [
    "EQUAL",
    "FOUNDED",
    "FOUNDING",
    "Agreement",
    "Scenario",
    "compare",
    "founded",
    "record_scenario",
    "unsayable",
]
