"""What of a turn a dialect's stream can tell, clause by clause.

A dialect declares every subject: *proven* by typed native evidence, *inferred* from place or from a
fixed string, or *impossible*. The conformance suite plays one script in all dialects and holds each
to its word: what is declared impossible must not come out either (Q1, Q2, Q4).
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Standing = Literal["proven", "inferred", "impossible"]

Subject = Literal[
    "commentary", "live", "answer", "activities", "tool_outcomes", "plans", "refusals", "gates",
    "withdrawals", "questions", "retries", "cuts", "cancels", "failures", "missing_answers",
    "resumes", "repeats", "replays", "neighbours", "steers", "children", "wakes",
]  # fmt: skip


class Claim(msgspec.Struct, frozen=True):
    """How a subject stands in a dialect, and by what evidence or for want of what."""

    standing: Standing
    why: str


def proven(why: str) -> Claim:
    """Typed native evidence tells it."""
    return Claim("proven", why)


def inferred(why: str) -> Claim:
    """It is told by place, or by a literal of the runtime."""
    return Claim("inferred", why)


def impossible(why: str) -> Claim:
    """The dialect has no frame that tells it."""
    return Claim("impossible", why)


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """A dialect's word on every subject."""

    commentary: Claim
    live: Claim
    answer: Claim
    activities: Claim
    tool_outcomes: Claim
    plans: Claim
    refusals: Claim
    gates: Claim
    withdrawals: Claim
    questions: Claim
    retries: Claim
    cuts: Claim
    cancels: Claim
    failures: Claim
    missing_answers: Claim
    resumes: Claim
    repeats: Claim
    replays: Claim
    neighbours: Claim
    steers: Claim
    children: Claim
    wakes: Claim

    def of(self, subject: Subject) -> Claim:
        """The claim on one subject."""
        claim: Claim = getattr(self, subject)
        return claim

    def impossible(self) -> frozenset[Subject]:
        """What the dialect cannot tell."""
        return frozenset(s for s in SUBJECTS if self.of(s).standing == "impossible")


SUBJECTS: Final[dict[Subject, tuple[str, str]]] = {
    "commentary": ("C1", "which text was said while working"),
    "live": ("C7", "commentary while it is being said"),
    "answer": ("C2", "which text is the answer"),
    "activities": ("Y", "that a tool ran, and of what kind"),
    "tool_outcomes": ("T10", "whether a tool worked or failed"),
    "plans": ("Y", "what the agent means to do, as a plan"),
    "refusals": ("T9", "that a tool did not run because a person declined it"),
    "gates": ("G7", "that a person was asked, and what was answered"),
    "withdrawals": ("G5", "that what a person was asked was taken back"),
    "questions": ("G7", "that a person was asked for a detail, and gave it"),
    "retries": ("O3", "that a rejected request was repeated"),
    "cuts": ("R8", "that an answer broke off and was begun again"),
    "cancels": ("T7", "that the host cancelled"),
    "failures": ("T8", "that the turn failed, and of what"),
    "missing_answers": ("C5", "that the turn ended without an answer"),
    "resumes": ("R6", "where the turns of a resumed session end and the new one begins"),
    "repeats": ("R2", "that a frame was delivered before"),
    "replays": ("R2", "that a stream is told once more from its beginning"),
    "neighbours": ("O6", "that trouble is another thread's"),
    "steers": ("R9", "that a message joined the turn that runs"),
    "children": ("O6", "that a child agent worked, what it reported and how it ended"),
    "wakes": ("R9", "that the agent began a turn by itself, and which turn had caused it"),
}
"""Every subject with the clause it stands for and what is to be told."""
