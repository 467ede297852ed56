"""Codex' rollouts: what the agent keeps of a thread on the disk of its user.

No stream and no lifecycle: requests, contexts and finished items, written late. No run comes out of
them; they may tell how one ended whose stream was cut (`adapter`). What of them may land says
`policy`.
"""
