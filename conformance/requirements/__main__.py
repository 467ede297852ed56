"""Print the requirements as the scenarios now are, to be written down as a set of its own:
``python -m turnreel.conformance.requirements > conformance/requirements/turn-1.3.json``.
"""

from __future__ import annotations

import msgspec

from . import present

print(msgspec.json.format(msgspec.json.encode(present()), indent=2).decode())
