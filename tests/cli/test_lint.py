"""lint: form, seal, digest, versions, size and leftovers."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from tests.cli.captures import COMPLETED, write_capture
from tests.cli.command import Turnreel
from turnreel.adapters.claude_stream_json.render import lines
from turnreel.recorder.captures import import_capture
from turnreel.recorder.linting import RULES, SIZE_LIMIT, Linted, lint


def found(linted: Linted) -> list[str]:
    return [one.what for one in linted.found]


def written(folder: Path, content: bytes) -> Path:
    path = folder / "one.cassette.jsonl"
    path.write_bytes(content)
    return path


def unsealed(sealed: bytes) -> list[bytes]:
    return sealed.splitlines(keepends=True)[:-1]


def resealed(folder: Path, lines: list[bytes]) -> Path:
    """A cassette whose seal is right, whatever was done to its lines."""
    content = b"".join(lines)
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    seal = {"seal": {"records": len(lines) - 1, "digest": digest}}
    return written(folder, content + json.dumps(seal).encode() + b"\n")


def test_a_clean_cassette_has_nothing(turnreel: Turnreel, tmp_path: Path, sealed: bytes) -> None:
    path = written(tmp_path, sealed)
    answer = turnreel("lint", path)
    assert (answer.status, answer.err) == (0, "")
    assert "sealed" in answer.out
    [told] = json.loads(turnreel("lint", tmp_path, "--json").out)
    assert told["records"] == sealed.count(b"\n") - 2
    assert told["found"] == []
    assert told["policies"].keys() >= {"claude-stream-json"}


def test_no_seal_is_told_with_its_remedy(turnreel: Turnreel, tmp_path: Path, sealed: bytes) -> None:
    path = written(tmp_path, b"".join(unsealed(sealed)))
    answer = turnreel("lint", path)
    assert answer.status == 1
    assert f"no seal: its recorder was killed (turnreel recover {path})" in answer.out
    assert turnreel("recover", path).status == 0
    assert lint(path).state == "recovered"
    assert lint(path).found == ()


def test_what_would_be_replaced_today_is_a_leftover(tmp_path: Path, sealed: bytes) -> None:
    """A secret that somebody wrote into a record by hand, where text may stand."""
    secret = b"sk-ant-api03-" + b"A1b2C3d4E5f6G7h8" * 5 + b"AA"
    assert b"It is **42**." in sealed
    leaky = [line.replace(b"It is **42**.", b"It is " + secret) for line in unsealed(sealed)]
    linted = lint(written(tmp_path, b"".join(leaky)))
    leftovers = [one for one in linted.found if "would be replaced today" in one.what]
    assert leftovers
    assert all(secret in leaky[(one.line or 0) - 1] for one in leftovers)


def test_old_rules_and_policies_are_warnings(
    turnreel: Turnreel, tmp_path: Path, sealed: bytes
) -> None:
    header, *rest = unsealed(sealed)
    fields = json.loads(header)
    fields["rules"] = 0
    fields["policies"]["claude-stream-json"] = 0
    fields["project_policy"] = "sha256:other"
    path = resealed(tmp_path, [json.dumps(fields).encode() + b"\n", *rest])
    linted = lint(path)
    assert any(what.startswith("sanitized by rules 0, today's are ") for what in found(linted))
    assert any("policy 0 of claude-stream-json" in what for what in found(linted))
    assert "sanitized by another project policy than today's" in found(linted)
    assert {one.level for one in linted.found} == {"warning"}
    answer = turnreel("lint", path)
    assert answer.status == 0
    assert f"{path}: warning: sanitized by rules 0" in answer.out
    again = tmp_path / "again.cassette.jsonl"
    assert turnreel("sanitize", path, "--to", again).status == 0
    assert lint(again).found == ()


def test_a_large_cassette_is_told_with_what_to_do(
    turnreel: Turnreel, tmp_path: Path, sealed: bytes
) -> None:
    header, *rest = unsealed(sealed)
    filler = b'[1,"agent","err","x",{"kind":"text"}]\n'
    many = filler * (SIZE_LIMIT // len(filler) + 1)
    path = written(tmp_path, header + b"".join(rest) + many)
    [size] = [one for one in lint(path).found if one.rule == "size"]
    assert size.what.endswith(f" bytes, more than {SIZE_LIMIT}")
    assert size.remedy == "keep it as .cassette.jsonl.zst"
    assert "size" not in {one.rule for one in lint(path, size_limit=2 << 20).found}
    path.write_bytes(sealed)
    assert turnreel("lint", path, "--max-size", "1KiB").status == 1
    assert turnreel("lint", path, "--max-size", "much").status == 2


def with_unlisted(folder: Path) -> Path:
    """A cassette of an agent that says more than its policy lists."""
    more = {"build_channel": "canary nightly", "canary_count": 7, "deep": {"flag": True}}
    said = [
        (side, {**frame, **more} if frame.get("subtype") == "init" else frame)
        for side, frame in lines(COMPLETED)
    ]
    capture = write_capture(folder / "more.jsonl", said)
    target = folder / "more.cassette.jsonl"
    import_capture(capture, target)
    return target


def test_unlisted_fields_are_told_with_the_line_that_allows_them(
    turnreel: Turnreel, tmp_path: Path
) -> None:
    path = with_unlisted(tmp_path)
    answer = turnreel("lint", path)
    assert answer.status == 1
    told = [row.partition(": ")[2] for row in answer.out.splitlines() if "no policy" in row]
    head = "agent: system/init frame:"
    allow = "to allow it, write under [claude-stream-json]: frame system/init"
    assert told == [
        f"{head}.build_channel (string) is in no policy, met once, masked "
        f"({allow} build_channel shape)",
        f"{head}.canary_count (number) is in no policy, met once, masked "
        f"({allow} canary_count number)",
        f"{head}.deep (object) is in no policy, met once, masked ({allow} deep shape)",
    ]
    assert b"nightly" not in path.read_bytes()
    assert "nightly" not in turnreel("show", path, "--report").out


def test_a_project_allows_fields_or_masks_them_on_purpose(
    turnreel: Turnreel, tmp_path: Path
) -> None:
    path = with_unlisted(tmp_path)
    policy = tmp_path / "allowed.txt"
    policy.write_text(
        "[claude-stream-json]\n"
        "frame  system/init  build_channel  masked   # on purpose\n"
        "frame  system/init  canary_count   number\n"
        "frame  system/init  deep           shape\n"
    )
    again = tmp_path / "again.cassette.jsonl"
    assert turnreel("sanitize", path, "--to", again, "--policy", policy).status == 0
    assert turnreel("lint", again, "--policy", policy).status == 0
    (tmp_path / "pyproject.toml").write_text('[tool.turnreel]\npolicy = "allowed.txt"\n')
    answer = turnreel("lint", again)
    assert answer.status == 0, answer.out
    assert "warning" not in answer.out


def test_a_report_for_code_hosts(turnreel: Turnreel, tmp_path: Path, sealed: bytes) -> None:
    secret = b"sk-ant-api03-" + b"A1b2C3d4E5f6G7h8" * 5 + b"AA"
    leaky = [line.replace(b"It is **42**.", b"It is " + secret) for line in unsealed(sealed)]
    path = written(tmp_path, b"".join(leaky))
    answer = turnreel("lint", path, "--sarif")
    assert answer.status == 1
    told = json.loads(answer.out)
    assert told["version"] == "2.1.0"
    [run] = told["runs"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == set(RULES)
    places = {
        (
            one["ruleId"],
            one["level"],
            one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        )
        for one in run["results"]
    }
    assert places == {("leftover", "error", str(path)), ("no-seal", "error", str(path))}
    assert all(
        secret in leaky[one["locations"][0]["physicalLocation"]["region"]["startLine"] - 1]
        for one in run["results"]
        if one["ruleId"] == "leftover"
    )
    assert secret.decode() not in answer.out


def test_a_folder_without_cassettes_is_a_mistake(turnreel: Turnreel, tmp_path: Path) -> None:
    answer = turnreel("lint", tmp_path)
    assert answer.status == 2
    assert "no cassette is there" in answer.one_line()


def test_the_hook_of_this_repository_calls_what_there_is(turnreel: Turnreel) -> None:
    hooks = Path(__file__).parents[2].joinpath(".pre-commit-hooks.yaml").read_text()
    [entry] = re.findall(r"^  entry: turnreel (.*)$", hooks, re.MULTILINE)
    [files] = re.findall(r"^  files: (.*)$", hooks, re.MULTILINE)
    assert turnreel(entry, "--help").status == 0
    assert re.search(files, "tests/a.cassette.jsonl")
    assert re.search(files, "tests/a.cassette.jsonl.zst")
    assert not re.search(files, "tests/a.jsonl")
