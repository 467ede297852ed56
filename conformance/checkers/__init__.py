"""The contract's clauses as watches: one file a clause.

Each module holds one class `Checker`, a `Watch` that names its clause and says in a sentence what
it demands, or a `SessionChecker` where the clause is about a session's journal. Adding a file adds
the check. No checker may import the lifecycle's tables or machines: it states its clause in its own
words, from the events alone wherever that is possible.
"""

from .registry import session_watches, watches

__all__ = ["session_watches", "watches"]
