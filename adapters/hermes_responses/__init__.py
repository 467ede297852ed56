"""Hermes' responses: POST /v1/responses of its API server.

`frames` holds the typed view and reads it, `adapter` the translation, `builders` and `render` whole
native events, `commands` the way back, `policy` what may land.
Never in here: anything that opens a socket. The provider of the same name is `openai_responses`.
"""
