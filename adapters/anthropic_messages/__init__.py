"""The Messages API as an agent's provider: SSE streams, whole messages, and error bodies.

A provider track has no runs of its own: `adapter` says only what went wrong with which message,
so that the run whose message it was is judged by it (O4). `features` says by what shape a
request is recognised again; `provider` is what recorder and replayer need of the dialect;
`builders` and `render` make native events.
Never in here: anything that opens a socket, and any content of a request.
"""
