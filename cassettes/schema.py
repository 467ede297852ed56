"""The JSON Schema of a cassette's lines, made from the code.

``schema/cassette.schema.json`` is this schema as a file; a test keeps the two equal. Write it with
``python -m turnreel.cassettes.schema``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from turnreel.wire.units import Style, TornClass

from .header import FORMAT, Header, Seal
from .records import TIME_LIMIT

FILE: Final = Path(__file__).parent / "schema" / "cassette.schema.json"


def cassette_schema() -> dict[str, Any]:
    """The schema (2020-12) of one line: header, record or seal, each also under ``$defs``."""
    _, definitions = msgspec.json.schema_components((Header, Seal), ref_template="#/$defs/{name}")
    definitions["Header"] = _with_major(definitions["Header"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of a turnreel cassette, format {FORMAT}",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in ("Header", "Record", "Last")],
        "$defs": {
            **definitions,
            "Record": _record(),
            "Extra": _extra(),
            "Last": {
                "description": "The last line of a cassette that was recorded to its end.",
                "type": "object",
                "properties": {"seal": {"$ref": "#/$defs/Seal"}},
                "required": ["seal"],
            },
        },
    }


def _with_major(header: dict[str, Any]) -> dict[str, Any]:
    properties = {"turnreel": {"const": FORMAT}, **header["properties"]}
    return {**header, "properties": properties, "required": ["turnreel", *header["required"]]}


def _record() -> dict[str, Any]:
    return {
        "description": "What happened on a track. More elements may follow; ignore them.",
        "type": "array",
        "prefixItems": [
            {
                "description": "Microseconds since the record before.",
                "type": "integer",
                "minimum": 0,
                "maximum": TIME_LIMIT,
            },
            {"description": "The track's id.", "type": "string"},
            {"description": "What it is; ignore codes you do not know.", "type": "string"},
            {"description": "One native unit, or the record's fields."},
            {"$ref": "#/$defs/Extra"},
        ],
        "minItems": 4,
    }


def _extra() -> dict[str, Any]:
    text, number = {"type": "string"}, {"type": "integer", "minimum": 0}
    sse = {"event": text, "id": text, "retry": number, "layout": text}
    torn = {"bytes": number, "class": {"enum": list(get_args(TornClass))}}
    return {
        "description": "What is not the usual about a record. Ignore what you do not know.",
        "type": "object",
        "properties": {
            "n": {**number, "description": "The exchange on an http or websocket track, from 1."},
            "kind": {"const": "text", "description": "The data is text, not JSON."},
            "torn": {"type": "object", "properties": torn, "required": ["bytes", "class"]},
            "style": {"enum": list(get_args(Style)), "description": "How the JSON was written."},
            "end": {"enum": ["\n", "\r\n", ""], "description": "The line's ending."},
            "sse": {"type": "object", "properties": sse},
            "reads": {"type": "array", "items": number, "description": "Sizes of the reads."},
        },
    }


def main() -> None:
    """Writes the file."""
    FILE.write_text(schema_text(), encoding="utf-8")


def schema_text() -> str:
    """The file's text."""
    pretty = msgspec.json.format(msgspec.json.encode(cassette_schema()), indent=2)
    return pretty.decode() + "\n"


if __name__ == "__main__":
    main()
