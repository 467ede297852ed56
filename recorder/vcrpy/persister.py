"""Where vcrpy's cassettes are kept: as cassettes of ours, beside the ones that vcrpy would write.

``test_a.yaml`` is kept as ``test_a.cassette.jsonl``. As long as that one is not there, the YAML is
read, so that a suite goes over test by test; it is never written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from turnreel.cassettes import Cassette, Existing, open_cassette
from turnreel.recorder.errors import RecorderError
from turnreel.recorder.imports import land
from turnreel.recorder.interactions import Interaction, Telling, Tracks, intake_of
from turnreel.recorder.project_policy import ProjectPolicy
from turnreel.recorder.sanitizing import raw_of, report_of
from turnreel.sanitizers import Raw

from .exchanges import Exchange, Place, as_request, as_response, exchanges_of
from .importing import LACKS, plan_of
from .objects import as_interaction, as_pair
from .reading import mark_of, read_interactions

if TYPE_CHECKING:
    from vcr.request import Request

ENDING: Final = ".cassette.jsonl"
_THEIRS: Final = (".yaml", ".yml", ".json")
_LONGEST_STEM: Final = 255 - len(f"{ENDING}.part")

Loaded = tuple[list["Request"], list[dict[str, Any]]]


class Persister:
    """A persister for `vcr.VCR.register_persister`. The serializer that vcrpy hands over is not
    asked: the form is ours.

    What was recorded by another hand stays as it was, times included, when exchanges are added to
    it. `extra_paths` are read as well and never written, as pytest-recording has it.
    """

    def __init__(
        self, extra_paths: Sequence[str] = (), policy: ProjectPolicy | None = None
    ) -> None:
        self.extra_paths = tuple(extra_paths)
        self.policy = policy or ProjectPolicy()

    def load_cassette(self, cassette_path: str, serializer: object) -> Loaded:
        """Requests and responses. Raises vcrpy's `CassetteNotFoundError` where nothing is kept;
        `RecorderError` where something is that vcrpy would play wrongly; `CassetteError`.
        """
        from vcr.persisters.filesystem import CassetteNotFoundError

        requests: list[Request] = []
        responses: list[dict[str, Any]] = []
        for path in dict.fromkeys(map(Path, (cassette_path, *self.extra_paths))):
            for request, response in _kept(path):
                requests.append(request)
                responses.append(response)
        if not requests:
            raise CassetteNotFoundError(f"{own_path(Path(cassette_path))}: nothing is recorded")
        return requests, responses

    def save_cassette(
        self, cassette_path: str, cassette_dict: dict[str, Any], serializer: object
    ) -> None:
        """Sanitize and keep `cassette_dict` (requests, responses). Raises `RecorderError`: there is
        a cassette of an agent's own session; `CassetteError`: it cannot be written.
        """
        target = own_path(Path(cassette_path))
        target.parent.mkdir(parents=True, exist_ok=True)
        former = open_cassette(target) if target.exists() else None
        if former is not None and any(t.carrier != "http" for t in former.header.tracks):
            raise RecorderError(
                f"{target}: holds an agent's session, which vcrpy would lose",
                "record into another cassette",
            )
        stay: set[Place] = set()
        fresh: list[Interaction] = []
        pairs = zip(cassette_dict["requests"], cassette_dict["responses"], strict=True)
        for request, response in pairs:
            mark = mark_of(tuple(request.headers.items()))
            if former is not None and mark is not None and mark.cassette == former.header.id:
                stay.add((mark.track, mark.exchange))
            else:
                fresh.append(as_interaction(request, response))
        if stay or fresh:
            _save(target, former if stay else None, stay, fresh, self.policy)


class Rewriting(Persister):
    """Begins anew: what is kept under the name is not read, and replaced."""

    def load_cassette(self, cassette_path: str, serializer: object) -> Loaded:
        from vcr.persisters.filesystem import CassetteNotFoundError

        raise CassetteNotFoundError(f"{cassette_path} is recorded anew")


def own_path(path: Path) -> Path:
    """Where the cassette that vcrpy calls `path` is kept. A name that was as long as a name may be
    is shortened: ours ends in more.
    """
    if path.name.endswith((ENDING, f"{ENDING}.zst")):
        return path
    stem = path.name.removesuffix(path.suffix) if path.suffix in _THEIRS else path.name
    if len(stem.encode()) > _LONGEST_STEM:
        digest = sha256(stem.encode()).hexdigest()[:16]
        kept = stem.encode()[: _LONGEST_STEM - len(digest) - 3].decode(errors="ignore")
        stem = f"{kept}...{digest}"
    return path.with_name(f"{stem}{ENDING}")


def whole_exchanges(cassette: Cassette) -> Iterator[Exchange]:
    """A cassette's exchanges. Raises `RecorderError` at one that vcrpy would play as what it is
    not.
    """
    for one in exchanges_of(cassette):
        if one.loss is not None:
            raise RecorderError(
                f"{cassette.path}: {one.track.id} exchange {one.number}: {one.loss}, and vcrpy "
                "would play it as whole",
                "play it with turnreel serve",
            )
        yield one


def _kept(path: Path) -> Iterator[tuple[Request, dict[str, Any]]]:
    """What is kept under the name that vcrpy has for it."""
    from vcr.request import Request

    ours = own_path(path)
    if ours.exists():
        cassette = open_cassette(ours)
        for one in whole_exchanges(cassette):
            yield Request(**as_request(one, cassette.header.id)), as_response(one)
    elif path != ours and path.exists():
        yield from map(as_pair, read_interactions(path))


def _save(
    target: Path,
    former: Cassette | None,
    stay: set[Place],
    fresh: Iterable[Interaction],
    policy: ProjectPolicy,
) -> None:
    """What stays, as it was, then what is fresh."""
    header = former.header if former is not None else None
    tracks = Tracks(header.tracks if header else ())
    for one in fresh:
        tracks.see(one)
    specs = tracks.specs()
    profile = header.profile if header else "fixture"
    plan = plan_of(target, specs, profile, Existing.REPLACE, policy)
    if header is not None:
        lacks = dict.fromkeys((*header.lacks, *(LACKS if fresh else ())))
        plan = replace(
            plan, lacks=tuple(lacks), origin=header.origin, tags=header.tags, agent=header.agent
        )

    def raws() -> Iterator[Raw]:
        at_us = 0
        last: dict[str, int] = {}
        for record in former or ():
            number = record.exchange
            if number is not None and (record.track, number) in stay:
                last[record.track] = max(number, last.get(record.track, 0))
                at_us = record.at_us
                yield raw_of(record)
        telling, intake = Telling(specs, last), intake_of(specs)
        for one in fresh:
            later = replace(one, asked_us=at_us, answered_us=at_us, ended_us=at_us)
            for message in telling.told(later):
                yield from intake.take(message)

    seal = former.seal if former is not None else None
    land(plan, raws(), None if seal is None else report_of(seal))
