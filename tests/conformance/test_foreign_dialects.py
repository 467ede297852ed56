"""Dialects of other packages: the scaffold passes the gate, and a broken one harms no other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from turnreel.adapters import registry
from turnreel.conformance.errors import ConformanceError
from turnreel.conformance.scaffold import PLACES, scaffold


class Installed:
    """Packages beside turnreel, as an installer would put them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "package"
        scaffold("acme-stream", self.package)
        self.installs("acme", {"acme-stream": "acme_stream_turnreel"})

    def installs(self, name: str, points: dict[str, str]) -> None:
        info = self.folder / f"{name}-0.1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
        lines = [f"{dialect} = {package}" for dialect, package in points.items()]
        (info / "entry_points.txt").write_text("\n".join(["[turnreel.adapters]", *lines, ""]))

    def calls(self, *words: str, module: str = "turnreel") -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join((str(self.folder), str(self.package / "src")))
        return subprocess.run(
            [sys.executable, "-m", module, *words],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            cwd=self.folder,
        )

    def adapters(self) -> dict[str, Any]:
        return {one["dialect"]: one for one in json.loads(self.calls("adapters", "--json").stdout)}


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path)


def test_the_scaffold_passes_its_own_tests(installed: Installed) -> None:
    words = ("-q", "-p", "no:cacheprovider", str(installed.package / "tests"))
    told = installed.calls(*words, module="pytest")
    assert told.returncode == 0, told.stdout
    assert "38 passed" in told.stdout


def test_what_passes_is_qualified_and_enabled_until_it_changes(installed: Installed) -> None:
    assert installed.adapters()["acme-stream"]["standing"] == "refused"
    told = installed.calls("conform", "--qualify", "--dialect", "acme-stream")
    assert told.returncode == 0, told.stdout + told.stderr
    assert installed.adapters()["acme-stream"]["standing"] == "enabled"
    adapter = installed.package / "src" / "acme_stream_turnreel" / "adapter.py"
    adapter.write_text(adapter.read_text() + "\nCHANGED = True\n")
    changed = installed.adapters()["acme-stream"]
    assert changed["standing"] == "refused"
    assert "has changed" in changed["reason"]


def test_tampered_evidence_enables_nothing(installed: Installed) -> None:
    evidence = installed.package / "src" / "acme_stream_turnreel" / "evidence.json"
    evidence.write_text('{"dialect": "acme-stream"}')
    assert "no evidence" in installed.adapters()["acme-stream"]["reason"]
    evidence.write_bytes(b"\xff\x00 no JSON")
    assert installed.adapters()["acme-stream"]["standing"] == "refused"


@pytest.mark.parametrize(
    ("does", "status", "told"),
    [
        ("1 / 0", 1, "raised ZeroDivisionError"),
        ("raise SystemExit(0)", 1, "raised SystemExit"),
        ("__import__('os')._exit(0)", 2, "an adapter ended the process that it was tried in"),
    ],
)
def test_whatever_an_adapter_does_is_told(
    installed: Installed, does: str, status: int, told: str
) -> None:
    adapter = installed.package / "src" / "acme_stream_turnreel" / "adapter.py"
    text = adapter.read_text()
    head, place, rest = text.partition("    def printed(self, now, value):\n")
    assert place
    adapter.write_text(f"{head}{place}        {does}\n{rest}")
    words = ("--scenario", "resumed", "--scenario", "retried")
    said = installed.calls("conform", "--dialect", "acme-stream", *words)
    assert (said.returncode, "Traceback" in said.stdout + said.stderr) == (status, False)
    assert told in said.stdout + said.stderr


def test_a_broken_adapter_fails_the_gate_and_writes_no_evidence(installed: Installed) -> None:
    adapter = installed.package / "src" / "acme_stream_turnreel" / "adapter.py"
    adapter.write_text(adapter.read_text().replace('"answer": "answer"', '"answer": "commentary"'))
    told = installed.calls("conform", "--qualify", "--dialect", "acme-stream")
    assert told.returncode != 0
    assert "several-tools" in told.stdout
    assert not adapter.with_name("evidence.json").exists()


def test_a_broken_one_is_refused_and_harms_no_other(installed: Installed) -> None:
    for name, text in (("raises", "1 / 0"), ("leaves", "raise SystemExit(3)")):
        (installed.folder / name).mkdir()
        (installed.folder / name / "adapter.py").write_text(text)
    taken = {"codex-exec": "acme_stream_turnreel"}
    installed.installs(
        "others", {"nobody": "not_there", "raises": "raises", "leaves": "leaves", **taken}
    )
    told = installed.adapters()
    assert "ModuleNotFoundError" in told["nobody"]["reason"]
    assert "ZeroDivisionError" in told["raises"]["reason"]
    assert "turnreel's own" in told["codex-exec of acme_stream_turnreel"]["reason"]
    assert "SystemExit: 3" in told["leaves"]["reason"]
    assert {told[one]["standing"] for one in ("nobody", "raises", "leaves")} == {"refused"}
    assert told["codex-exec"]["standing"] == "secondary"
    known = [one for one in told if one in registry.FOLDERS]
    assert known == list(registry.FOLDERS)
    assert installed.calls("conform", "--dialect", "acme-stream").returncode == 0


def test_a_name_or_a_folder_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(ConformanceError, match="no name"):
        scaffold("Acme Stream", tmp_path)
    (tmp_path / "mine").write_text("")
    with pytest.raises(ConformanceError, match="something stands there"):
        scaffold("acme", tmp_path)
    assert len(scaffold("acme", tmp_path / "new")) == len(PLACES)
