"""Recordings in other forms, from the command line: what is wrong with one is said in one line."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Turnreel
from tests.recorder.providers import PATH, asked, sse
from turnreel.recorder.vcrpy.importing import import_vcr

MOST_MEMORY = 384 << 20

ITEM: dict[str, Any] = {
    "request": {
        "method": "POST",
        "uri": f"https://api.anthropic.com{PATH}",
        "body": json.dumps(asked("red", stream=True)),
        "headers": {},
    },
    "response": {
        "status": {"code": 200, "message": "OK"},
        "headers": {"content-type": ["text/event-stream"]},
        "body": {"string": sse("You said red").decode()},
    },
}
ENTRY: dict[str, Any] = {
    "request": {"method": "POST", "url": f"https://api.anthropic.com{PATH}", "headers": []},
    "response": {
        "status": 200,
        "headers": [],
        "content": {"size": 9, "mimeType": "text/event-stream", "text": sse("Red.").decode()},
    },
}
VCR = json.dumps({"version": 1, "interactions": [ITEM]}).encode()
HAR = json.dumps({"log": {"version": "1.2", "entries": [ENTRY]}}).encode()

LAUGHS = b"a: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 40)
)


@pytest.mark.parametrize(("kind", "source"), [("vcr", VCR), ("har", HAR)])
def test_it_is_imported_shown_and_not_overwritten(
    turnreel: Turnreel, tmp_path: Path, kind: str, source: bytes
) -> None:
    (tmp_path / "source").write_bytes(source)
    target = tmp_path / "out.cassette.jsonl"
    done = turnreel("import", kind, "source", "--to", target)
    assert (done.status, done.err) == (0, "") and "records" in done.out
    shown = turnreel("show", target)
    assert shown.status == 0 and "lacks timing synthesized" in shown.out
    assert "exists already" in turnreel("import", kind, "source", "--to", target).one_line()
    itself = turnreel("import", kind, "source", "--to", "source", "--force")
    assert "the recording itself" in itself.one_line()
    assert (tmp_path / "source").read_bytes() == source


def test_an_export_comes_back_as_it_was(turnreel: Turnreel, tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(VCR)
    words = ("import", "vcr", "source", "--to", "one.cassette.jsonl")
    assert turnreel(*words).status == 0
    for name in ("two.yaml", "two.json"):
        done = turnreel("export", "vcr", "one.cassette.jsonl", "--to", name)
        assert (done.status, done.err) == (0, "") and "1 interactions" in done.out
    again = turnreel("export", "vcr", "one.cassette.jsonl", "--to", "two.yaml")
    assert "exists already" in again.one_line()
    assert turnreel("import", "vcr", "two.yaml", "--to", words[-1], "--force").status == 0
    import_vcr(tmp_path / "source", tmp_path / "two.cassette.jsonl")
    one, two = (
        (tmp_path / f"{number}.cassette.jsonl").read_text().splitlines()[1:-1]
        for number in ("one", "two")
    )
    assert one == two


@pytest.mark.parametrize(
    ("kind", "source", "said"),
    [
        ("vcr", b"interactions: [!!python/object/apply:os.system [touch pwned]]", "is refused"),
        ("vcr", b"interactions: [!!python/object/new:os.system [touch pwned]]", "is refused"),
        ("vcr", LAUGHS + b"interactions: []\n", "its aliases expand without end"),
        ("vcr", b"interactions: " + b"[" * 1_000_000, "nest"),
        ("vcr", b"interactions:\n" + b"- " * 100_000, "nests too deep"),
        ("vcr", b'{"interactions": ' + b"[" * 1_000_000, "nests too deep"),
        ("vcr", b"\x00\x01\x02", "is not YAML"),
        ("vcr", VCR[:-30], "it was cut off"),
        ("vcr", HAR, "holds no interactions"),
        ("har", HAR[:-30], "it was cut off"),
        ("har", HAR[: len(HAR) // 2], "of item 1: it was cut off"),
        ("har", b'{"log": {"entries": ' + b"[" * 1_000_000, "nests too deep"),
        ("har", VCR, "holds no log.entries"),
        ("har", b"", "an empty file"),
        ("vcr", b"", "an empty file"),
    ],
)
def test_what_is_hostile_cut_or_something_else_is_one_line(
    turnreel: Turnreel, tmp_path: Path, kind: str, source: bytes, said: str
) -> None:
    (tmp_path / "source").write_bytes(source)
    refused = turnreel("import", kind, "source", "--to", "out.cassette.jsonl")
    assert refused.status == 2
    assert "source: " in refused.one_line() and said in refused.one_line()
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


@pytest.mark.parametrize("kind", ["vcr", "har"])
def test_giants_are_refused_without_memory(tmp_path: Path, kind: str) -> None:
    """A file of 3 GiB, and one of 200 MiB of a scalar that is allowed to be there but not so long:
    neither is had in memory.
    """
    for name, size, said in (("huge", 3 << 30, "3072 MiB"), ("long", 200 << 20, "")):
        source = tmp_path / name
        with source.open("wb") as file:
            file.write(b'{"interactions": ["' if kind == "vcr" else b'{"log":{"entries":["')
            file.truncate(size)

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))

        child = subprocess.run(
            [sys.executable, "-m", "turnreel", "import", kind, str(source), "--to", "out"],
            cwd=tmp_path, capture_output=True, text=True, preexec_fn=limit, timeout=60, check=False,
        )  # fmt: skip
        assert child.returncode == 2, child.stderr
        assert len(child.stderr.splitlines()) == 1 and said in child.stderr
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (("import", "vcr", "source", "--to", "out"), "yaml"),
        (("export", "vcr", "source", "--to", "out.yaml"), "vcr"),
    ],
)
def test_a_missing_extra_says_what_to_install(
    tmp_path: Path, words: tuple[str, ...], missing: str
) -> None:
    (tmp_path / "source").write_bytes(b"interactions: []\n")
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from turnreel.cli import main; sys.exit(main())"
    )
    child = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert child.returncode == 2
    assert child.stderr.endswith("(pip install 'turnreel[vcr]')\n")
    assert len(child.stderr.splitlines()) == 1
