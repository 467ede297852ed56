"""Codex' app-server: the JSON-RPC it speaks over stdio, both ways.

`adapter` holds the translation, `frames` the typed view it reads, `grammar` and `host` the reading
of either side, `builders` and `render` whole native frames, `commands` the way back, `policy` what
may land. What it shares with ``codex exec --json`` stands in `adapters.codex_items` and
`adapters.codex_literals`.
Never in here: anything that opens a file, a socket or a cassette, and any text a vendor wrote
beyond those literals.
"""
