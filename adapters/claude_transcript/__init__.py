"""Claude Code's transcripts: what the agent keeps of a session on the disk of its user.

No stream and no lifecycle: rows are written late, patched, forked and never ended, so no run comes
out of them. What they are good for is one question, asked when a stream was cut: which text did
this message of this session end with (`adapter`). What of them may land says `policy`.
"""
