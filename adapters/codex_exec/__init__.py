"""``codex exec --json``: the lines that Codex prints while it runs one turn to its end.

`adapter` holds the translation, `frames` the typed view and its reading, `builders` and `render`
whole native frames, `commands` the way back (there is hardly one), `policy` what may land. The
stream tells neither a text's phase nor whether an error will be retried: what the app-server
proves is inferred here by position, and said so.
Never in here: anything that opens a file, a socket or a cassette, and any text a vendor wrote
beyond the literals of `adapters.codex_literals`.
"""
