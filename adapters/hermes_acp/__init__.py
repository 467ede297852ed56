"""Hermes as an ACP agent: JSON-RPC, one message a line, as `hermes-acp` speaks it.

`frames` holds the typed view and reads it, `titles` the names behind its titles, `adapter` the
translation, `builders` and `render` whole native lines, `commands` the way back, `policy` what may
land.
Never in here: anything that opens a file or a socket.
"""
