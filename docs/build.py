"""Write the generated parts of the documents, or check that they are up to date.

    python docs/build.py            rewrite what lies between the markers
    python docs/build.py --check    exit 1 and name the pages that differ; change nothing

A generated part stands between ``<!-- generated: NAME -->`` and ``<!-- end: NAME -->``. Schemas are
whole files. Every writer lives in the room that owns the facts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import msgspec

HOUSE = Path(__file__).resolve().parent.parent

PAGES: dict[str, tuple[str, ...]] = {
    "docs/conformance.md": ("turnreel.conformance.gate",),
    "docs/dialects.md": ("turnreel.adapters.comparison",),
    "docs/dialects/claude-stream-json.md": ("turnreel.adapters.claude_stream_json.describe",),
    "docs/dialects/codex-app-server.md": ("turnreel.adapters.codex_app_server.describe",),
    "docs/dialects/codex-exec.md": ("turnreel.adapters.codex_exec.describe",),
    "docs/dialects/hermes-acp.md": ("turnreel.adapters.hermes_acp.describe",),
    "docs/dialects/hermes-chat.md": ("turnreel.adapters.hermes_chat.describe",),
    "docs/dialects/hermes-responses.md": ("turnreel.adapters.hermes_responses.describe",),
    "docs/dialects/hermes-runs.md": ("turnreel.adapters.hermes_runs.describe",),
    "docs/dialects/hermes-session.md": ("turnreel.adapters.hermes_session.describe",),
    "docs/dialects/hermes-tui.md": ("turnreel.adapters.hermes_tui.describe",),
    "docs/dialects/openai-chat.md": ("turnreel.adapters.openai_chat.describe",),
    "docs/faults.md": ("turnreel.replayer.describe", "turnreel.conformance.faulting"),
    "docs/turn-protocol.md": ("turnreel.lifecycle.describe", "turnreel.conformance.coverage"),
    "docs/verifying.md": ("turnreel.conformance.describe",),
}
"""Page to the modules whose SECTIONS write its generated parts."""

FILES: dict[str, tuple[str, str]] = {
    "conformance/schema/report.schema.json": ("turnreel.conformance.reports", "report_schema"),
    "lifecycle/schema/event.schema.json": ("turnreel.lifecycle.events", "event_schema"),
    "replayer/schema/plan.schema.json": ("turnreel.replayer.plan_schema", "plan_schema"),
}
"""Whole generated files: path to (module, function returning JSON data)."""

MARKED = re.compile(r"(<!-- generated: (\S+) -->\n).*?(<!-- end: \2 -->)", re.DOTALL)


def page(path: Path, sections: dict[str, Callable[[], str]]) -> str:
    """The text of a page with its generated parts written anew. Raises KeyError for a marker that
    no section answers."""

    def written(match: re.Match[str]) -> str:
        return f"{match[1]}{sections[match[2]]()}\n{match[3]}"

    return MARKED.sub(written, path.read_text(encoding="utf-8"))


def wanted() -> dict[Path, str]:
    """Every generated document with the text it should have."""
    texts = {}
    for name, modules in PAGES.items():
        sections: dict[str, Callable[[], str]] = {}
        for module in modules:
            sections |= import_module(module).SECTIONS
        texts[HOUSE / name] = page(HOUSE / name, sections)
    for name, (module, function) in FILES.items():
        data = getattr(import_module(module), function)()
        pretty = msgspec.json.format(msgspec.json.encode(data, order="sorted"), indent=2)
        texts[HOUSE / name] = pretty.decode() + "\n"
    return texts


def main(arguments: list[str]) -> int:
    """Write or check; 0 when nothing differs or everything was written."""
    stale = {
        path: text
        for path, text in wanted().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        if "--check" in arguments:
            print(f"{path.relative_to(HOUSE)} is out of date: run make docs")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(HOUSE)}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
