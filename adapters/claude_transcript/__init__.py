"""Claude Code's transcripts: what the agent keeps of a session on the disk of its user.

No stream and no lifecycle: rows are written late, patched, forked and never ended, so no run comes
out of them and there is no adapter. What they are good for is one question: which text did this
message of this session end with (`receipts`). What of them may land says `policy`.
"""
