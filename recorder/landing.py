"""Raw records in, a sealed cassette out: sanitizer, seal gate and writer, in this order.

The only way from a capture to a file. Used by the sealing process for live sessions and by the
importers directly.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from turnreel.adapters import registry
from turnreel.cassettes import AgentInfo, CassetteWriter, Existing, Outline
from turnreel.cassettes.timing import Timing
from turnreel.lifecycle.terms import PLAIN
from turnreel.sanitizers import RULESET_VERSION, Clean, Raw, Report, Sanitizer, Unlisted, opinion_of

from .agents import NO_DIALECT, version_in
from .errors import RecorderError
from .messages import Plan, Sealed
from .reports import added, since
from .rotation import Parts, Quiet
from .unsettled import Tail

HELD_RECORDS: Final = 64
"""How many records may wait: to be written at once, and the first ones for the agent to say its
version, which the header tells.
"""


class Landing:
    """Lands one session. Nothing raw is ever written: what is held back is lost with the process,
    not dumped.
    """

    def __init__(self, plan: Plan, timing: Timing = Timing.EXACT) -> None:
        """Creates the target. Raises `TurnreelError`: it exists, or cannot be written."""
        self._plan = plan
        self._timing = timing
        self._agent_tracks = {t.id for t in plan.tracks if t.carrier == "stdio"}
        dialects = {t.id: t.dialect for t in plan.tracks if registry.knows(t.dialect)}
        policies = {
            track: plan.policy.extended(registry.policy(dialect))
            for track, dialect in dialects.items()
        }
        self._versions = {p.dialect: p.version for p in policies.values()}
        opinion = opinion_of(plan.opinions)
        self._sanitizer = Sanitizer(policies, plan.profile, plan.known, opinion, plan.terms.marker)
        self._held: list[Clean] = []
        self._version = plan.agent.version
        self._holds = self._version is None and self._awaits_version()
        self._quiet = Quiet(plan.tracks if plan.rotation else ())
        quota = plan.rotation.quota_bytes if plan.rotation else None
        self._parts = Parts(Path(plan.target), quota)
        self._tails = {
            track.id: Tail(track.dialect)
            for track in plan.tracks
            if track.carrier == "stdio" and registry.knows(track.dialect)
        }
        self._kept = {t.id for t in plan.tracks if t.dialect in registry.KEPSAKES and self._tails}
        self._undecided = 0  # records the sanitizer holds back
        self._told = self._sanitizer.report()  # by the parts before this one
        self._writer = self._new_writer(Path(plan.target))

    @property
    def is_holding(self) -> bool:
        """Whether first records wait for the agent's version."""
        return self._holds and bool(self._held)

    def land(self, raws: Iterable[Raw]) -> None:
        """Take raw records; whatever is decided by them is in the file when this returns, but for
        the first few, which wait until the header can be written.
        """
        for raw in raws:
            if raw.track in self._tails:
                self._tails[raw.track].see(raw)
            elif raw.track in self._kept and not self._is_unsettled:
                continue
            decided = self._sanitizer.push(raw)
            self._held += decided
            self._undecided += 1 - len(decided)
            if self._holds:
                self._look_for_version(raw)
            if len(self._held) >= HELD_RECORDS:
                self.release()
            if self._plan.rotation is not None:
                self._quiet.see(raw)
                self._rotate(self._plan.rotation.part_bytes)
        if not self._holds:
            self.release()

    @property
    def _is_unsettled(self) -> bool:
        """Whether what the agent kept of the session is worth a record: its stream broke off."""
        return any(tail.is_unsettled for tail in self._tails.values())

    def release(self) -> None:
        """Write what is held: the header tells what is known now."""
        self._holds = False
        if self._version != self._told_version and not self._writer.records:
            self._writer.close()  # empty, so it leaves no file
            self._writer = self._new_writer(self._writer.path)
        self._writer.write_all(self._held)
        self._held = []

    def unlisted(self) -> tuple[Unlisted, ...]:
        """The fields met so far that no policy lists."""
        return self._sanitizer.report().unlisted

    def seal(self, former: Report | None = None) -> Sealed:
        """The session is over. Nothing recorded leaves no file. `former` is what an earlier
        sanitizing of the same session replaced, which the report goes on telling (S5).

        Raises:
            RecorderError: the seal gate objects to a record. The session stands beside the target,
                private and unsealed.
        """
        self.end()
        self._set_aside()
        if self._writer.records:
            self._seal_part(former)
        else:
            self._writer.close()
        parts = self._parts
        note = ""
        if parts.removed or parts.count > 1:
            note = f"{parts.count} cassettes" + (f", {parts.removed} removed" * bool(parts.removed))
        return Sealed(str(parts.latest) if parts.latest else None, parts.records, note)

    def discard(self) -> None:
        """Remove what was written: another landing holds the session."""
        self._writer.discard()

    def abandon(self) -> None:
        """The session was cut: everything whole is written, and no seal."""
        self.end()
        self._writer.close()

    def end(self) -> None:
        """Nothing follows: what was held back is decided and written. Idempotent."""
        self._held += self._sanitizer.flush()
        self.release()

    def _set_aside(self) -> None:
        """Leaves what the gate objects to as a private file beside the target, and says so."""
        objections = self._sanitizer.objections()
        if not objections:
            return
        self._writer.close()
        target = self._writer.path
        part = target.with_name(f"{target.name}.part")
        if not self._plan.replaces:
            if part.exists():
                part = target.with_name(f"{target.name}.{time.time_ns()}.part")
            target.rename(part)
        part.chmod(0o600)
        before = self._parts.records
        told = ", ".join(
            f"{rule} in record {number - before} (line {number - before + 1})"
            for rule, number in objections[:3]
        )
        raise RecorderError(
            f"{part}: not sealed, the seal gate still finds {told}",
            "it is yours alone; take out what the rule names, then `turnreel recover` it",
        )

    def _rotate(self, part_bytes: int) -> None:
        """Go on in a new part where this one is large enough and nothing is open; whatever is open
        where it has twice the size.
        """
        is_between = self._quiet and not self._undecided and not self._holds
        if is_between:
            self.release()  # what waits to be written counts
        if self._writer.size >= (part_bytes if is_between else 2 * part_bytes):
            self.release()
            self._set_aside()
            former = self._writer
            self._seal_part(None)
            target = self._parts.next_target(replaces=self._plan.replaces)
            assert former.header is not None, "a part that is large enough has begun"
            self._writer = self._new_writer(target, former.header.id, former.at_us)

    def _seal_part(self, former: Report | None) -> None:
        report = self._sanitizer.report()
        told = since(self._told, report)
        self._told = report
        seal = self._writer.seal(told if former is None else added(former, told))
        self._parts.add(self._writer.path, self._writer.size, seal.records)

    def _new_writer(
        self, target: Path, continues: str | None = None, at_us: int = 0
    ) -> CassetteWriter:
        plan = self._plan
        self._told_version = self._version
        outline = Outline(
            agent=AgentInfo(plan.agent.name, self._version),
            tracks=plan.tracks,
            policies=self._versions,
            rules=RULESET_VERSION,
            profile=plan.profile,
            origin=plan.origin,
            tags=plan.tags,
            lacks=plan.lacks,
            project_policy=plan.policy.digest,
            sanitized_from=plan.sanitized_from,
            continues=continues,
            terms=None if plan.terms == PLAIN else plan.terms,
            issue=plan.issue,
            minimized_from=plan.minimized_from,
        )
        existing = Existing.REPLACE if plan.replaces else Existing.REFUSE
        return CassetteWriter(target, outline, existing, self._timing, at_us)

    def _awaits_version(self) -> bool:
        return any(t.carrier == "stdio" and t.dialect != NO_DIALECT for t in self._plan.tracks)

    def _look_for_version(self, raw: Raw) -> None:
        """The agent's first frame tells its version; only the answer to a handshake comes before
        it. Any other frame ends the wait.
        """
        if raw.code == "out" and raw.track in self._agent_tracks and not isinstance(raw.body, dict):
            self._version = version_in(raw.body)
            self._holds = self._version is None and _answers_handshake(raw)


def _answers_handshake(raw: Raw) -> bool:
    value = getattr(raw.body, "value", None)
    return isinstance(value, dict) and value.get("type") == "control_response"
