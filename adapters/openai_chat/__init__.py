"""The Chat Completions API as an agent's provider: SSE chunks, whole answers, and error bodies.

A provider track has no runs of its own: `adapter` says only what went wrong with which answer, so
that the run whose answer it was is judged by it (O4). `features` says by what shape a request is
recognised again; `builders` and `render` make native chunks, `provider` what a stand-in says.
Never in here: anything that opens a socket, and any content of a request.
"""
