"""Hermes' TUI gateway: JSON-RPC, one message a line, as `tui_gateway.entry` speaks it.

`frames` holds the typed view and reads it, `state` what is remembered, `host` what a client wrote,
`adapter` the translation, `builders` and `render` whole native lines, `commands` the way back,
`policy` what may land.
Never in here: anything that opens a file or a socket.
"""
