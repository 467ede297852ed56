"""Everything that can go wrong, as values: a module a family, the table in `vocabulary`.

Never here: what a fault does to a stream (`schedule` and its parts), a native frame (the dialects
build those), or anything that performs.
"""

from .places import (
    AtByte,
    AtEvent,
    AtMatch,
    AtRandom,
    AtTerminal,
    AtTime,
    EventPlace,
    Place,
)
from .plans import MAX, RECORDED, Pacing, Plan
from .vocabulary import WORDS, Fault, place_of, spec_of, word_of
from .words import Side, Word

__all__ = [
    "MAX",
    "RECORDED",
    "WORDS",
    "AtByte",
    "AtEvent",
    "AtMatch",
    "AtRandom",
    "AtTerminal",
    "AtTime",
    "EventPlace",
    "Fault",
    "Pacing",
    "Place",
    "Plan",
    "Side",
    "Word",
    "place_of",
    "spec_of",
    "word_of",
]
