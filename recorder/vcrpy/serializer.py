"""Our cassettes as a vcrpy serializer, for whoever keeps them by a persister of their own."""

from __future__ import annotations

import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from turnreel.cassettes import open_cassette
from turnreel.recorder.project_policy import ProjectPolicy

from .exporting import FORMAT, interactions
from .objects import as_item
from .persister import ENDING, Persister, whole_exchanges
from .reading import interactions_in

_OURS = '{"turnreel":'


class Serializer:
    """A serializer for `vcr.VCR.register_serializer`. It writes cassettes of ours and reads those
    and vcrpy's. A text has no former one: what was recorded with its times and is saved through
    here again has none any more; `Persister` keeps them.
    """

    def __init__(self, policy: ProjectPolicy | None = None) -> None:
        self._policy = policy

    def serialize(self, cassette_dict: dict[str, Any]) -> str:
        """The text of a sanitized cassette with the interactions of `cassette_dict`."""
        from vcr.request import Request

        found = cassette_dict["interactions"]
        pairs = {
            "requests": [Request(**one["request"]) for one in found],
            "responses": [one["response"] for one in found],
        }
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder, f"cassette{ENDING}")
            Persister(policy=self._policy).save_cassette(str(target), pairs, self)
            return target.read_text(encoding="utf-8")

    def deserialize(self, cassette_string: str) -> dict[str, Any]:
        """The interactions in such a text. Raises `RecorderError`, `CassetteError`."""
        if cassette_string.startswith(_OURS):
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder, f"cassette{ENDING}")
                source.write_text(cassette_string, encoding="utf-8")
                cassette = open_cassette(source)
                held = interactions(list(whole_exchanges(cassette)), cassette.header.id)
        else:
            file = BytesIO(cassette_string.encode())
            held = list(map(as_item, interactions_in(file, "the cassette")))
        return {"version": FORMAT, "interactions": held}
