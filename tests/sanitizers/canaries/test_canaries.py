"""No canary survives, wherever it is planted and however it is written or cut.

Each test first shows on the unsanitized records that the oracle sees what is planted: a canary
nobody can see proves nothing. HYPOTHESIS_PROFILE=ci plants many times as many.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final, NamedTuple, TypeVar

import pytest

from turnreel.adapters import registry
from turnreel.sanitizers import Policy, Profile, Raw, Sanitizer
from turnreel.wire.units import Json, JsonUnit, SseFraming

from .canary import FORMS, Canary, canaries, canary
from .corpus import as_record, sessions
from .encodings import ENCODINGS
from .oracle import survivors
from .planting import WORDS, Place, places, plant
from .streams import COMPRESSIONS, Stream, over_the_wire, splits, streams

THOROUGH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "ci"
ROUNDS: Final = 16 if THOROUGH else 1
BATCH: Final = 50

T = TypeVar("T")


class Planted(NamedTuple):
    """A canary in the records that hold it."""

    canary: Canary
    how: str
    raws: Sequence[Raw]


def assert_none_survives(
    planted: Iterable[Planted], policies: dict[str, Policy], profile: Profile
) -> None:
    """Sanitizes a batch as one session and looks for all its canaries in all of it."""
    batch = list(planted)
    raws = [raw for one in batch for raw in one.raws]
    hidden = {one.canary for one in batch} - set(
        survivors(map(as_record, raws), [one.canary for one in batch])
    )
    assert not hidden, f"the oracle is blind to {hidden}"
    sanitizer = Sanitizer(policies, profile)
    cleans = [clean for raw in raws for clean in sanitizer.push(raw)] + sanitizer.flush()
    assert len(cleans) == len(raws)
    alive = set(survivors(map(as_record, cleans), [one.canary for one in batch]))
    assert not alive, [
        f"{one.canary.rule} {one.how}: {one.canary.text!r}" for one in batch if one.canary in alive
    ]


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    pending = iter(items)
    while batch := list(islice(pending, size)):
        yield batch


def kinds_of_places() -> dict[tuple[tuple[str, str], ...], list[Place]]:
    """One place of each kind, by the dialects of the session it is in."""
    seen: set[object] = set()
    found: dict[tuple[tuple[str, str], ...], list[Place]] = defaultdict(list)
    for session in sessions():
        dialects = tuple((track, policy.dialect) for track, policy in session.policies.items())
        for place in places(session):
            if (dialects, place.kind) not in seen:
                seen.add((dialects, place.kind))
                found[dialects].append(place)
    return found


@pytest.mark.parametrize("profile", ["fixture", "strict"])
@pytest.mark.parametrize("turn", range(ROUNDS))
def test_none_survives_at_any_leaf_key_header_query_or_text(turn: int, profile: Profile) -> None:
    chance = Random(turn)
    source = canaries(turn + (100 if profile == "strict" else 0))
    count = 0
    for dialects, found in kinds_of_places().items():
        policies = {track: registry.policy(dialect) for track, dialect in dialects}
        for batch in batches(found):
            planted = []
            for place in batch:
                encoding = chance.choice(list(ENCODINGS))
                one = next(source)
                raw = plant(place, ENCODINGS[encoding](one.text), chance)
                planted.append(Planted(one, f"{encoding} at {place.where} {place.path}", [raw]))
            assert_none_survives(planted, policies, profile)
            count += len(batch)
    assert count >= 1_000


def in_a_block(number: int, text: str) -> list[Raw]:
    """A text of the model as it is streamed."""
    start: Json = {"type": "text", "text": ""}
    delta: Json = {"type": "text_delta", "text": text}
    values: list[dict[str, Json]] = [
        {"type": "content_block_start", "index": number, "content_block": start},
        {"type": "content_block_delta", "index": number, "delta": delta},
        {"type": "content_block_stop", "index": number},
    ]
    return [
        Raw(0, "provider", "data", JsonUnit(value, SseFraming(event=str(value["type"]))), 1)
        for value in values
    ]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_none_of_any_kind_survives_in_visible_text(encoding: str) -> None:
    """Visible text is where secrets stand among what must stay readable: every form of every
    rule.
    """
    policies = {"provider": registry.policy("anthropic-messages")}
    chance = Random(encoding)
    for number, batch in enumerate(batches((form for _ in range(ROUNDS) for form in FORMS), 100)):
        planted = []
        for index, (rule, form) in enumerate(batch):
            one = canary(rule, form, number * 1000 + index)
            text = chance.choice(WORDS)("old", ENCODINGS[encoding](one.text))
            planted.append(Planted(one, encoding, in_a_block(index, text)))
        assert_none_survives(planted, policies, "fixture")


def real_streams() -> list[Stream]:
    found = list(streams(sessions()))
    assert len(found) >= 20 and any(stream.is_json for stream in found)
    return found if THOROUGH else Random(3).sample(found, 8)


@pytest.mark.parametrize("profile", ["fixture", "strict"])
def test_none_survives_a_split_over_events(profile: Profile) -> None:
    chance = Random(profile)
    source = canaries(7 if profile == "strict" else 8)
    for stream in real_streams():
        one = next(source)
        text = stream.with_secret(one.text)
        low = text.index(one.core[:6])
        for pieces in splits(text, low - 20, low + len(one.core), chance):
            raws = stream.cut(pieces)
            assert_none_survives([Planted(one, "split", raws)], stream.policies, profile)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_none_survives_a_split_over_reads(compression: str) -> None:
    """Reads end anywhere: inside a field name, inside a character of several bytes."""
    chance = Random(compression)
    source = canaries(9)
    for stream in real_streams():
        if stream.deltas[0].track != "provider":
            continue
        one = next(source)
        text = stream.with_secret(one.text)
        middle = text.index(one.core[:6]) + len(one.core) // 2
        raws = stream.cut([text[:middle], text[middle:]])

        def at_random(data: bytes) -> list[bytes]:
            ends = sorted({*chance.choices(range(len(data)), k=12), len(data)})
            return [data[a:b] for a, b in zip([0, *ends], ends, strict=False)]

        for reads in (at_random, lambda data: [data[at : at + 1] for at in range(len(data))]):
            wired = over_the_wire(raws, compression, reads)
            assert_none_survives([Planted(one, compression, wired)], stream.policies, "fixture")


def test_what_is_planted_differs_from_run_to_run() -> None:
    first, second = next(canaries(1)), next(canaries(2))
    assert first.core != second.core and first.core in first.text


def test_the_oracle_reads_every_encoding() -> None:
    for encoding in ENCODINGS.values():
        one = next(canaries(5))
        record = ("agent", "out", None, {"a": ["x", {"b": f"so {encoding(one.text)} it is"}]})
        assert survivors([record], [one]) == [one]


def test_the_oracle_sees_a_half_and_what_lies_in_pieces() -> None:
    one = Canary("r", "k=aB3dE5fG7hJ9kL1mN2pQ4rS6", "aB3dE5fG7hJ9kL1mN2pQ4rS6")
    half = ("t", "out", None, {"text": "only aB3dE5fG7hJ9 is left"})
    assert survivors([half], [one]) == [one]
    pieces = [("t", "out", 1, {"d": one.core[at : at + 1]}) for at in range(len(one.core))]
    assert survivors(pieces, [one]) == [one]
    assert survivors([("t", "out", None, {"text": "key-1 aB3dE5"})], [one]) == []
