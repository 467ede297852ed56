"""S6: translating the sanitized stream equals mapping the translation of the raw one.

The streams are rendered scripts with secrets and private paths planted in their texts; the mapping is
the very engine that sanitized them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from turnreel.adapters import registry
from turnreel.adapters.anthropic_messages.render import replies
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.adapters.steps import Answer, Ask, Break, Call, End, Reject, Return, Say, Script, Think
from turnreel.adapters.translator import Translator
from turnreel.lifecycle.events import AnyEvent, encode_event
from turnreel.replayer.refeed import arrival
from turnreel.sanitizers import Clean, Profile, Raw, Sanitizer
from turnreel.wire.units import BodyFraming, JsonUnit, LineFraming
