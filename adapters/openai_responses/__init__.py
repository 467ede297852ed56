"""The Responses API as an agent's provider: SSE streams, WebSocket messages, and error bodies.

A provider track has no runs of its own: `adapter` says only what went wrong with which response,
so that the run whose response it was is judged by it (O4). `provider` is what recorder and
replayer need of it, `features` by what shape a request is recognised again; `builders` and
`render` make native events.
Never in here: anything that opens a socket, and any content of a request.
"""
