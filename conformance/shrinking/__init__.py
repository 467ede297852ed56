"""Shrinking: the few frames, fields and letters of a recording that still show what it shows.

What must be kept is one value (`verdict`), what may be taken away is another module each (`pieces`,
`fields`), how one looks for less is a third (`search`). Never here: a rule of a dialect. Whether a
smaller session is still a valid one is asked of those who own framing, sanitizing and the contract.
"""

from .minimize import Shrunk, minimize

__all__ = ["Shrunk", "minimize"]
