"""The contract's clauses as checks: one file a clause.

A checker is a module of this package with

* ``CLAUSE``, the id, and ``SENTENCE``, what it demands;
* ``READS``: ``"run"`` if the events of one run decide, ``"session"`` if other runs matter too,
  ``"native"`` if it needs the frames as well;
* ``check(run, session) -> Iterator[Violation]``, pure and total over any list of events.

Adding a file adds the check. No checker may import the lifecycle's tables or machines: it states
its clause in its own words, from the events alone wherever that is possible.
"""

from .registry import Checker, Reads, checkers, violations

__all__ = ["Checker", "Reads", "checkers", "violations"]
