"""The review at the end of ``record --review``: a person decides what of the fields that no policy
lists may land. Shows where each stood, its type and count, never a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click

from .project import POLICY_NAME

if TYPE_CHECKING:
    from turnreel.recorder.project_policy import ProjectPolicy
    from turnreel.sanitizers import Unlisted
    from turnreel.sanitizers.policy import Line

TERMINAL: Final = Path("/dev/tty")
_CHOICE: Final = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?(?:=([a-z]+))?")

Choice = tuple[str, "Line"]


class Review:
    """Asks on the terminal, whatever standard input and output are."""

    def __init__(self, policy: ProjectPolicy, path: Path | None) -> None:
        """`policy` is the project's so far, in the file at `path`. Raises `RecorderError` if there
        is no terminal: better before the session than after it.
        """
        from turnreel.recorder.errors import RecorderError

        self.policy = policy
        self._path = path
        try:
            with TERMINAL.open("r+b", buffering=0):
                pass
        except OSError:
            raise RecorderError(
                "--review needs a terminal to ask on", "record without it, then turnreel lint"
            ) from None

    def __call__(
        self, unlisted: tuple[Unlisted, ...], dialects: Mapping[str, str]
    ) -> ProjectPolicy:
        """The policy with the approved lines, which are in its file then. `dialects` are the
        tracks'.
        """
        with (
            TERMINAL.open("w", encoding="utf-8") as out,
            TERMINAL.open(encoding="utf-8") as answers,
        ):
            try:
                return self._ask(unlisted, dialects, out, answers)
            except KeyboardInterrupt:
                print("\nnothing approved", file=out)
                return self.policy

    def _ask(
        self,
        unlisted: tuple[Unlisted, ...],
        dialects: Mapping[str, str],
        out: TextIO,
        answers: TextIO,
    ) -> ProjectPolicy:
        from turnreel.recorder.linting import described
        from turnreel.recorder.project_policy import allowing

        print(f"{len(unlisted)} fields are in no policy. They land masked.", file=out)
        proposed: list[Choice] = []
        for met in unlisted:
            allowed = allowing(met, dialects)
            if allowed is None:
                print(f"     {described(met)}", file=out)
                continue
            proposed.append(allowed)
            print(f"{len(proposed):3}  {described(met)}", file=out)
            print(f"     {allowed[1]}", file=out)
        if not proposed:
            return self.policy
        print("Allow which? Numbers (1 3-5), with another mode (2=id), all, or none.", file=out)
        while True:
            print("> ", end="", file=out, flush=True)
            line = answers.readline()
            try:
                return self._approved(list(chosen(line, proposed)), out)
            except click.BadParameter as error:
                print(error.message, file=out)

    def _approved(self, choices: list[Choice], out: TextIO) -> ProjectPolicy:
        from turnreel.recorder.project_policy import ProjectPolicy

        if not choices:
            print("nothing approved", file=out)
            return self.policy
        policy, added = self.policy, ProjectPolicy()
        for dialect, line in choices:
            policy, added = policy.joined(dialect, [line]), added.joined(dialect, [line])
        path = self._path or Path(POLICY_NAME)
        try:
            append(path, added)
        except OSError as error:
            print(f"{path}: {error.strerror}; nothing approved", file=out)
            return self.policy
        print(f"{len(choices)} lines added to {path}", file=out)
        if self._path is None:
            print(f'name it in pyproject.toml: [tool.turnreel] policy = "{path}"', file=out)
        return policy


def chosen(answer: str, proposed: list[Choice]) -> Iterator[Choice]:
    """The proposed lines that `answer` chooses, in the modes it says. Raises `click.BadParameter`
    for what is no answer.
    """
    from turnreel.sanitizers.policy import PolicyError, lines

    words = answer.replace(",", " ").split()
    if words in ([], ["none"]):
        return
    if words == ["all"]:
        yield from proposed
        return
    for word in words:
        said = _CHOICE.fullmatch(word)
        first, last = (int(said[1]), int(said[2] or said[1])) if said else (0, 0)
        if said is None or not 1 <= first <= last <= len(proposed):
            raise click.BadParameter(f"{word} chooses none of 1-{len(proposed)}")
        for dialect, line in proposed[first - 1 : last]:
            mode = said[3] or line.mode
            try:
                (approved,) = lines(f"{line.record} {line.variant} {line.path} {mode}")
            except PolicyError as error:
                raise click.BadParameter(error.message) from None
            yield dialect, approved


def append(path: Path, added: ProjectPolicy) -> None:
    """Add lines to the file at `path`, which is made if it is not there. Raises `OSError`."""
    begins = not path.exists() or path.stat().st_size == 0
    with path.open("a", encoding="utf-8") as file:
        file.write(added.text() if begins else f"\n{added.text()}")
