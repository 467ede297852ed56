"""Turns and storms that are drawn: the laws hold, and what does not is shrunk."""

from __future__ import annotations

import pytest

from turnreel.adapters.steps import Return
from turnreel.conformance import generated
from turnreel.conformance.generated import try_laws
from turnreel.conformance.qualifying import with_turns
from turnreel.lifecycle.events import AnyEvent
from turnreel.lifecycle.fold import RunView


@pytest.mark.parametrize("dialect", with_turns())
def test_the_laws_hold(dialect: str) -> None:
    results = try_laws([dialect], 60, seed=1)
    assert [(one.path, one.findings) for one in results if one.findings] == []
    assert len(results) == 2


def test_what_does_not_hold_is_shrunk_and_the_seed_draws_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good = generated.fold

    def forgets_failures(events: list[AnyEvent]) -> tuple[RunView, ...]:
        """An agent of which every tool works."""
        kept = [one for one in events if getattr(one, "state", "") != "failed"]
        return tuple(good(kept))

    monkeypatch.setattr(generated, "fold", forgets_failures)
    first, second = (try_laws(["codex-exec"], 200, seed=7)[0] for _ in range(2))
    assert first == second
    (finding,) = first.findings
    assert (finding.clause, finding.seed) == ("Q2", 7)
    returned = [line for line in finding.frames if line.startswith(Return.__name__)]
    assert len(returned) == 1
    assert "failed" in returned[0]


def test_without_hypothesis_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "find_spec", lambda name: None)
    with pytest.raises(generated.ConformanceError) as refused:
        try_laws(["codex-exec"], 1, seed=1)
    assert "turnreel[conform]" in refused.value.remedy
