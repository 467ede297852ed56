"""Every command's name, place and one-line description.

This table is what ``turnreel --help`` prints, so that help imports no command. A test compares it
with the commands themselves.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Entry(NamedTuple):
    """One command: `module` (in this package) holds a click command named `command`."""

    name: str
    summary: str
    module: str


GROUPS: Final[dict[str, tuple[Entry, ...]]] = {
    "Capture": (
        Entry("record", "Run an agent and record what it and its provider say.", "record"),
        Entry("tap", "Put an executable in an agent's place that records it.", "tap"),
        Entry("proxy", "Record whatever clients ask of a provider.", "proxy"),
    ),
    "Replay": (
        Entry("serve", "Play cassettes as the provider, with faults on request.", "serve"),
        Entry("shim", "Play a cassette as the agent's program.", "shim"),
        Entry("client", "Ask a test server what a cassette's client asked.", "client"),
    ),
    "Prove": (
        Entry("verify", "Check every cassette against the contract and its golden.", "verify"),
        Entry("conform", "Hold adapters against the contract.", "conform"),
        Entry("judge", "Judge somebody else's events by the contract.", "judge"),
    ),
    "Look": (
        Entry("translate", "Turn native frames on stdin into events on stdout.", "translate"),
        Entry("show", "Print a cassette's records and the turns that come out.", "show"),
        Entry("events", "Print the events of every run as JSON lines.", "events"),
        Entry("status", "Say how a cassette's runs ended, and exit accordingly.", "status"),
        Entry("diff", "Compare two cassettes: what was said, and what came out.", "diff"),
        Entry("explain", "Say why a turn came out as it did, line by line.", "explain"),
    ),
    "Keep": (
        Entry("lint", "Check cassettes for form, seal, digest and leftovers.", "lint"),
        Entry(
            "sanitize", "Sanitize a cassette again, under today's policies and rules.", "sanitize"
        ),
        Entry("import", "Make a cassette from a recording in another form.", "importing"),
        Entry("export", "Make a recording in another form from a cassette.", "exporting"),
        Entry(
            "recover",
            "Seal a cassette that was left without a seal.",
            "recover",
        ),
        Entry("fixture", "Shrink a recording to a fixture with its turn.", "fixture"),
    ),
    "About": (
        Entry("adapters", "List the dialects and what each can and cannot say.", "adapters"),
        Entry("faults", "List what can be made to go wrong, and how it is written.", "faults"),
        Entry("doctor", "Check this machine and installation.", "doctor"),
        Entry("demo", "Record, replay, translate and verify a scripted session.", "demo"),
        Entry("completion", "Print the completion script of a shell.", "completion"),
    ),
}

ENTRIES: Final[dict[str, Entry]] = {
    entry.name: entry for entries in GROUPS.values() for entry in entries
}
