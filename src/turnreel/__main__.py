"""``python -m turnreel`` is the ``turnreel`` command."""

from turnreel.cli import main

main()
