"""Turns that every agent can have: each is played in every dialect and must come out alike (Q2).

A scenario stands with its like: who works, who is asked, what goes wrong, how it ends.
"""

from __future__ import annotations

from typing import Final

from .ends import ENDS
from .gates import GATES
from .trouble import TROUBLE
from .working import WORKING

EQUAL: Final = (*WORKING, *GATES, *TROUBLE, *ENDS)
