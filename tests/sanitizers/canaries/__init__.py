"""Canaries: made-up secrets of every kind, planted everywhere, in every encoding and split. None
may survive. What looks for them shares nothing with what is to catch them.
"""
