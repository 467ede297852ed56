"""Nothing lands that nobody allowed: policies, secret rules, placeholders, and the engine over
them.

Raw records go in, `Clean` ones come out, and only this room makes them. What may land is said
by the dialects' policies; what must not, by the rules. Never in here: anything that opens a
file or a socket, and anything that remembers a raw value longer than its session.
"""

from .engine import Sanitizer, TextMapping
from .gate import Objection
from .known import KnownSecrets
from .opinion import NoOpinion, Opinion, OpinionName, kingfisher, opinion_of
from .policy import Policy, PolicyError, Profile
from .records import Clean, Raw
from .report import Report, Unlisted
from .ruleset import RULESET_VERSION

__all__ = [
    "RULESET_VERSION",
    "Clean",
    "KnownSecrets",
    "NoOpinion",
    "Objection",
    "Opinion",
    "OpinionName",
    "Policy",
    "PolicyError",
    "Profile",
    "Raw",
    "Report",
    "Sanitizer",
    "TextMapping",
    "Unlisted",
    "kingfisher",
    "opinion_of",
]
