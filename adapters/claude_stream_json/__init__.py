"""Claude Code's stream-json: what the CLI prints with ``--output-format stream-json`` (or
``json``) and what a host writes to it.

`adapter` holds the translation, `frames` the typed view it reads, `grammar` the reading,
`builders` and `render` whole native frames, `commands` the way back, `policy` what may land.
Never in here: anything that opens a file, a socket or a cassette, and any text a vendor wrote
beyond the literals that `literals` proves.
"""
