"""What else the features of a request may mean: the same step asked for streamed, or with less
behind it. Pure; features are as the dialect folders derive them.
"""

from __future__ import annotations

from turnreel.wire.units import Json


def as_streamed(features: Json) -> Json:
    """The features of the same step, streamed."""
    if isinstance(features, dict) and features.get("stream") is False:
        return {**features, "stream": True}
    return features


def history_of(features: Json) -> list[Json]:
    """What was said before this step; empty where the features tell of none."""
    history = features.get("history") if isinstance(features, dict) else None
    return history if isinstance(history, list) else []


def cut_to(features: Json, recorded: Json) -> Json:
    """The features of a request whose history were no longer than the recorded one. What it answers
    belongs to the end of its history, and would be the recorded one, too.
    """
    if not isinstance(features, dict) or not isinstance(recorded, dict):
        return features
    short: dict[str, Json] = {
        **features,
        "history": history_of(features)[: len(history_of(recorded))],
    }
    if "results" in recorded:
        short["results"] = recorded["results"]
    return short
