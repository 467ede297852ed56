"""The JSON schema of a plan file, made from the vocabulary: for editors and other languages."""

from __future__ import annotations

from typing import Any, Final

from pydantic import TypeAdapter

from .faults import WORDS, Word
from .plan import PLACE_KEYS, PlanFile, placed

_PLACES: Final[dict[str, Any]] = {
    "event": {
        "anyOf": [
            {"type": "integer", "minimum": 0},
            {"type": "string", "pattern": "^(random|terminal(-[0-9]+)?)$"},
        ]
    },
    "type": {"type": "string", "minLength": 1},
    "nth": {"type": "integer", "minimum": 1},
    "byte": {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "random"}]},
    "time": {"type": "number", "minimum": 0},
}
"""What a plan file's places look like."""


def plan_schema() -> dict[str, Any]:
    """The schema as JSON data."""
    schema = PlanFile.model_json_schema()
    spec = {"type": "string", "description": "a fault as on the command line"}
    schema["properties"]["faults"]["items"] = {"anyOf": [spec, *map(_table, WORDS)]}
    return schema


def _table(word: Word) -> dict[str, Any]:
    """A fault as a plan file's table."""
    made = TypeAdapter(word.fault).json_schema()
    options = {
        name.replace("_", "-"): _said(option)
        for name, option in made.get("properties", {}).items()
        if name != "at"
    }
    where = {key: _PLACES[key] for key, kind in PLACE_KEYS.items() if kind in word.places}
    table: dict[str, Any] = {
        "title": word.name,
        "description": word.meaning,
        "type": "object",
        "properties": {"fault": {"const": word.name}, **options, **where},
        "required": ["fault", *(name for name in made.get("required", ()) if name != "at")],
        "additionalProperties": False,
    }
    if placed(word) == "always":
        table["oneOf"] = [{"required": [key]} for key in where]
    if "type" in where:
        table["properties"]["nth"] = _PLACES["nth"]
        table["dependentRequired"] = {"nth": ["type"]}
    return table


def _said(option: dict[str, Any]) -> dict[str, Any]:
    """An option as it is when it is said: a plan file has no null."""
    kinds = [kind for kind in option.get("anyOf", ()) if kind.get("type") != "null"]
    return kinds[0] if kinds else option
