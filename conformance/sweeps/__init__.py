"""What the world does to a stream, done to every recording: cut, cancelled, doubled, delivered
again, re-chunked, at every frame that matters.

A sweep takes a *timeline*, the recording translated once, and branches from it; it never changes
one. What comes out is judged twice: by the clause the sweep stands for, against the recorded
turn, and by every checker, as a stream of its own.
"""
