"""Verification of files on disk: what is found and said, and that order and jobs do not matter."""

from __future__ import annotations

import hashlib
import multiprocessing
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import zstandard

from tests.conformance.sessions import ANSWERED, HOST, PROVIDER, TURN, Row, write
from turnreel.adapters import registry
from turnreel.cassettes import CassetteError, TrackSpec
from turnreel.conformance import gathering
from turnreel.conformance.errors import AcceptRefused, NoCassettes
from turnreel.conformance.findings import CHECKS, Result
from turnreel.conformance.goldens import golden_path
from turnreel.conformance.verify import accept, verify
from turnreel.lifecycle import tables

SSE = {"sse": {"event": "message_start"}, "n": 1}
PROVIDED: tuple[Row, ...] = (
    ("provider", "request", {"method": "POST", "path": "/v1/messages"}, {"n": 1}),
    ("provider", "response", {"status": 200, "headers": []}, {"n": 1}),
    ("provider", "data", {"type": "message_start", "message": {"id": "m1"}}, SSE),
    ("provider", "cut", {"by": "unknown", "at": 60}, {"n": 1}),
)


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


def cassette(folder: Path, name: str = "answered", rows: tuple[Row, ...] = ANSWERED) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return write(folder / f"{name}.cassette.jsonl", rows)


def only(path: Path) -> Result:
    (result,) = verify([path], jobs=1).results
    return result


def test_an_accepted_cassette_passes_everything(tmp_path: Path) -> None:
    path = cassette(tmp_path)
    assert [done.state for done in accept([path])] == ["new"]
    assert golden_path(path).read_text(encoding="utf-8") == TURN
    report = verify([path], jobs=1)
    (result,) = report.results
    assert (report.ok, result.findings, result.runs) == (True, (), ("final",))
    # No provider was heard, and nobody wrote a script.
    assert set(result.cases) == set(CHECKS) - {"tracks", "scenario"}
    assert result.records == len(ANSWERED)
    assert (result.agent, result.dialects) == ("claude 2.1.332", ("claude-stream-json",))


def test_a_missing_golden_is_a_failure_that_names_accept(tmp_path: Path) -> None:
    (finding,) = only(cassette(tmp_path)).findings
    assert (finding.check, finding.message) == ("golden", "answered.turn is missing")
    assert "--accept" in finding.remedy


def test_another_turn_is_shown_beside_the_expected_one(tmp_path: Path) -> None:
    path = cassette(tmp_path)
    accept([path])
    golden = golden_path(path)
    golden.write_text(TURN.replace("42", "43"), encoding="utf-8")
    (finding,) = only(path).findings
    assert finding.check == "golden"
    assert finding.expected[-1] == '  final "The total is 43 — ü." healthy'
    assert finding.actual == tuple(TURN.splitlines())
    (accepted,) = accept([path])
    assert accepted.state == "changed"
    assert '-  final "The total is 43 — ü." healthy' in accepted.difference
    assert '+  final "The total is 42 — ü." healthy' in accepted.difference
    assert [done.state for done in accept([path])] == ["unchanged"]


@pytest.mark.parametrize("text", ["run\n  nonsense\n", "run\n"])
def test_a_golden_that_is_none_is_a_failure(tmp_path: Path, text: str) -> None:
    path = cassette(tmp_path)
    golden_path(path).write_text(text, encoding="utf-8")
    (finding,) = only(path).findings
    assert finding.check == "golden"
    assert "answered.turn" in finding.message


def test_nothing_is_accepted_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cassette(tmp_path)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(AcceptRefused):
        accept([path])
    assert not golden_path(path).exists()


def test_a_compressed_cassette_is_verified_like_a_plain_one(tmp_path: Path) -> None:
    plain = cassette(tmp_path / "plain")
    packed = tmp_path / "packed" / "answered.cassette.jsonl.zst"
    packed.parent.mkdir()
    packed.write_bytes(zstandard.compress(plain.read_bytes()))
    accept([tmp_path])
    assert golden_path(packed) == packed.with_name("answered.turn")
    report = verify([tmp_path], jobs=1)
    assert report.results[0].cases == report.results[1].cases
    assert report.ok


def test_a_cassette_without_a_seal_is_told_to_be_recovered(tmp_path: Path) -> None:
    path = write(tmp_path / "cut.cassette.jsonl", ANSWERED, sealed=False)
    accept([path])
    (finding,) = only(path).findings
    assert (finding.check, finding.remedy) == ("form", f"turnreel recover {path} seals it")


def test_a_file_that_is_no_cassette_is_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "no.cassette.jsonl"
    path.write_text("hello\n")
    result = only(path)
    (finding,) = result.findings
    assert finding.check == "form"
    assert (result.cases, result.runs) == ({"form": 1}, ())


def test_a_changed_record_is_a_finding_of_form(tmp_path: Path) -> None:
    path = cassette(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"total is 42", b"total is 41"))
    (finding,) = only(path).findings
    assert (finding.check, "digest" in finding.message) == ("form", True)


def test_a_dialect_without_an_adapter_is_a_finding(tmp_path: Path) -> None:
    strange = TrackSpec(id="agent", carrier="stdio", dialect="nobody-speaks-this")
    path = write(tmp_path / "x.cassette.jsonl", ANSWERED, strange, HOST)
    result = only(path)
    (finding,) = result.findings
    assert "nobody-speaks-this" in finding.message
    assert "golden" not in result.cases


def test_a_cassette_of_provider_tracks_has_no_run(tmp_path: Path) -> None:
    path = write(tmp_path / "p.cassette.jsonl", PROVIDED, PROVIDER)
    result = only(path)
    assert (result.findings, result.runs) == ((), ())
    assert set(result.cases) == {"form", "bytes", "rechunk"}
    assert accept([path]) == []
    assert not golden_path(path).exists()


def test_only_the_chosen_sweeps_run(tmp_path: Path) -> None:
    path = cassette(tmp_path)
    report = verify([path], jobs=1, sweeps=["prefix", "cut"])
    assert report.sweeps == ("cut", "prefix")
    tried = set(report.results[0].cases)
    assert tried == {"form", "bytes", "contract", "golden", "cut", "prefix"}


def test_many_findings_of_one_check_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "SHOWN", 2)
    monkeypatch.delitem(tables.RUN, ("settling", "unreconciled"))
    path = cassette(tmp_path)
    result = only(path)
    cuts = [finding for finding in result.findings if finding.check == "cut"]
    assert (len(cuts), result.more["cut"]) == (2, 1)
    assert {finding.clause for finding in cuts} == {"T4"}
    assert all(finding.seed == 1 and finding.frames for finding in cuts)
    assert cuts[0].place is not None
    assert any(f"#{cuts[0].place} " in frame for frame in cuts[0].frames)


def test_what_an_adapter_raises_is_a_finding_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall(self: object, state: object, arrival: object) -> None:
        raise KeyError("never on native input")

    monkeypatch.setattr(type(registry.adapter("claude-stream-json")), "step", fall)
    (finding,) = only(cassette(tmp_path)).findings
    assert "KeyError" in finding.message


def test_jobs_and_the_order_of_paths_change_nothing(tmp_path: Path) -> None:
    names = ["one", "two", "three"]
    paths = [cassette(tmp_path, name) for name in names]
    paths.append(cassette(tmp_path, "short", ANSWERED[:5]))
    accept(paths[1:])
    moves: list[tuple[int, int]] = []
    alone = verify(paths, jobs=1)
    together = verify(
        paths[::-1], jobs=2, on_progress=lambda done, total: moves.append((done, total))
    )
    assert alone.results == together.results
    assert moves == [(n, 4) for n in (1, 2, 3, 4)]
    assert [result.ok for result in alone.results] == [False, True, True, True]
    assert [result.path for result in alone.results] == sorted(map(str, paths))


def test_an_interrupt_ends_the_workers(tmp_path: Path) -> None:
    for number in range(4):
        cassette(tmp_path, str(number))

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify([tmp_path], jobs=2, on_progress=interrupt)
    assert multiprocessing.active_children() == []


def test_a_path_without_cassettes_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(NoCassettes, match="no cassette is there"):
        verify([tmp_path])
    with pytest.raises(NoCassettes, match="no such file"):
        verify([tmp_path / "nowhere"])


def test_a_path_named_twice_is_verified_once(tmp_path: Path) -> None:
    path = cassette(tmp_path / "in")
    shutil.copy(path, tmp_path / "in" / "b.cassette.jsonl")
    report = verify([tmp_path, path, path.parent], jobs=1, sweeps=[])
    assert len(report.results) == 2


def test_accept_says_which_cassette_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "no.cassette.jsonl"
    path.write_text("hello\n")
    with pytest.raises(CassetteError, match=r"no\.cassette\.jsonl"):
        accept([path])


def test_the_same_file_gives_the_same_result_in_a_fresh_process(tmp_path: Path) -> None:
    """No hash seed, no order of imports, no clock takes part."""
    path = cassette(tmp_path)
    program = (
        "import sys, msgspec; from turnreel.conformance.examination import Task, examine;"
        "from turnreel.conformance.findings import SWEEPS;"
        "sys.stdout.buffer.write(msgspec.json.encode(examine(Task(sys.argv[1], 1, SWEEPS))))"
    )
    digests = {
        hashlib.sha256(
            subprocess.run(
                [sys.executable, "-c", program, str(path)],
                check=True,
                capture_output=True,
                env={"PYTHONHASHSEED": seed},
            ).stdout
        ).hexdigest()
        for seed in ("1", "2")
    }
    assert digests == {hashlib.sha256(msgspec.json.encode(only(path))).hexdigest()}


def test_a_turn_that_differs_names_its_clause_and_the_frames_behind_it(tmp_path: Path) -> None:
    path = cassette(tmp_path)
    accept([path])
    wrong = TURN.replace('final "', 'final "Not ')
    golden_path(path).write_text(wrong)
    (result,) = verify([path], jobs=1, sweeps=[]).results
    (finding,) = result.findings
    assert (finding.check, finding.clause) == ("golden", "C2")
    assert any("result" in frame for frame in finding.frames)
