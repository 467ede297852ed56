"""The turn contract: events, observations and signals, four small machines and the table that
couples them, the ledger that opens runs and routes to them, and the fold that shows them.

Everything here is a pure function of immutable values. Nothing here reads a clock, a file or a
socket, knows a native frame, or raises on anything an agent may do.
"""
