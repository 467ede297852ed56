"""Hermes' runs: POST /v1/runs and the events of GET /v1/runs/{run_id}/events.

`frames` holds the typed view and reads it, `adapter` the translation, `builders` and `render` whole
native events, `commands` the way back, `policy` what may land.
Never in here: anything that opens a socket.
"""
