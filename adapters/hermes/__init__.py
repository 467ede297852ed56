"""What Hermes' dialects share: one agent loop speaks through six surfaces.

`turns` keeps a turn on its way, `results` reads what tools answered, `catalogue` names the tools,
`literals` the runtime's fixed strings, `gateway` the API server's exchanges, `policy` the lines
that every surface needs.
Never in here: a surface's own frames, and anything that opens a socket.
"""
