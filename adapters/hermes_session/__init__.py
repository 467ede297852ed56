"""Hermes' session stream: the events that answer POST /api/sessions/{id}/chat/stream.

`frames` holds the typed view and reads it, `adapter` the translation, `builders` and `render` whole
native events, `commands` the way back, `policy` what may land.
Never in here: anything that opens a socket, and any flag that 0.16 to 0.19 hard-code.
"""
