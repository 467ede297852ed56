"""Record agent streams, replay them with faults, and verify the turn that comes out."""

__version__ = "0.1.0"
