"""Proof: one checker a clause, sweeps of faults over recordings, goldens, scenarios, reports.

Checkers judge events and are written without looking at the lifecycle's tables: a table must never
approve itself. Nothing here opens a socket or translates anything by rules of its own.
"""
