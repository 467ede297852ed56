"""The contract's clauses as watches: one file a clause.

Each module holds one class `Checker`, a `Watch` that names its clause and says in a sentence what
it demands. Adding a file adds the check. No checker may import the lifecycle's tables or machines:
it states its clause in its own words, from the events alone wherever that is possible.
"""

from .registry import watches

__all__ = ["watches"]
