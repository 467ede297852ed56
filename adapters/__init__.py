"""One folder a dialect, with all that is peculiar to it, and what they share: the interface, the
registry and the translator that drives them.

Adapters classify; the lifecycle decides. They do no I/O, read no clock and know no cassette:
the same adapter runs behind a live socket. They never raise on what an agent sends.
"""
