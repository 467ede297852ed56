"""What the documents promise exists: pages, links, commands and their options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from turnreel.cli.catalogue import ENTRIES
from turnreel.cli.root import root

TOP = Path(__file__).parent.parent
PAGES = sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
FENCE = re.compile(r"```\w*\n(.*?)```", re.DOTALL)


def page_id(page: Path) -> str:
    return str(page.relative_to(TOP))


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_link_leads_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_is_in_the_index() -> None:
    index = (TOP / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {str(page.relative_to(TOP / "docs")) for page in (TOP / "docs").rglob("*.md")}
    assert [page for page in sorted(pages - {"README.md"}) if f"({page})" not in index] == []


def examples() -> Iterator[tuple[str, str]]:
    """Every command line of ours: in the fences of pages, and in the commands' own help."""
    for page in PAGES:
        for fence in FENCE.findall(page.read_text(encoding="utf-8").replace("\\\n", " ")):
            yield from ((page_id(page), line) for line in fence.splitlines())
    for name in ENTRIES:
        command = root.get_command(click.Context(root), name)
        assert command is not None
        told = (command.epilog or "").replace("\\\n", " ")
        yield from ((f"turnreel {name} --help", line) for line in told.splitlines())


def command_lines() -> Iterator[tuple[str, str, list[str]]]:
    for where, line in examples():
        text = line.strip().removeprefix("$ ")
        if text.startswith("turnreel "):
            words = shlex.split(re.split(r"\s{2,}|\s[|<>]\s| > ", text)[0], comments=True)
            yield where, text, words[1:]


def test_every_command_and_option_that_is_shown_exists() -> None:
    wrong = []
    for where, text, words in command_lines():
        command: click.Command = root
        context = click.Context(root, info_name="turnreel")
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            found = command.get_command(context, words.pop(0))
            if found is None:
                wrong.append(f"{where}: {text}: no such command")
                break
            command, context = found, click.Context(found, parent=context)
        known = {option for parameter in command.get_params(context) for option in parameter.opts}
        ours = words[: words.index("--")] if "--" in words else words
        wrong += [
            f"{where}: {text}: no option {word}"
            for word in ours
            if word.startswith("-") and word.partition("=")[0] not in known
        ]
    assert wrong == []
