"""How a command ends: with its status, or with one line on stderr. Never with a traceback.

| how it ended | status |
|---|---|
| a command returned a number | that number |
| a mistake of the caller (`TurnreelError`, usage, a path) | 2 |
| a defect of turnreel | 70 |
| Ctrl-C | 130 |
| the reader of stdout went away | 141, silently, as for any program in a pipe |

``TURNREEL_DEBUG=1`` adds the traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

import click

from .root import COMPLETE, root

USAGE: Final = 2
DEFECT: Final = 70
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

EXTRAS: Final = {"mitmproxy": "record", "vcr": "vcr", "yaml": "vcr"}
"""Which extra brings a package that is not part of the core."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line `arguments`; returns the exit status, raises nothing but SystemExit."""
    try:
        result = _invoke(arguments)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # What is still buffered has no reader; without this the interpreter would say so at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if os.environ.get("TURNREEL_DEBUG"):
            import traceback

            traceback.print_exc()
        line, status = explain(error)
        print(f"turnreel: {line}", file=sys.stderr)
        return status


def explain(error: Exception) -> tuple[str, int]:
    """One line for a person, and the exit status, for what a command raised."""
    from turnreel.wire.errors import TurnreelError  # not before: help needs no room

    match error:
        case TurnreelError():
            return _one_line(str(error)), USAGE
        case click.UsageError():
            return _usage(error), USAGE
        case click.ClickException():
            return _one_line(error.format_message()), USAGE
        case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] in EXTRAS:
            package = name.partition(".")[0]
            extra = EXTRAS[package]
            return f"this needs {package} (pip install 'turnreel[{extra}]')", USAGE
        case OSError(filename=str() | bytes() as name, strerror=str(reason)):
            return f"{os.fsdecode(name)}: {_lower(reason)}", USAGE
        case OSError(strerror=str(reason)):
            return _one_line(_lower(reason)), USAGE
        case _:
            what = _one_line(f"{type(error).__name__}: {error}")
            return (
                f"a defect of turnreel, please report it: {what} (TURNREEL_DEBUG=1 shows where)",
                DEFECT,
            )


def _invoke(arguments: Sequence[str]) -> object:
    # As `root.main` does, whose own handling of errors and broken pipes differs between clicks.
    instruction = os.environ.get(COMPLETE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(root, {}, "turnreel", COMPLETE, instruction)
    with root.make_context("turnreel", list(arguments)) as context:
        return root.invoke(context)


def _usage(error: click.UsageError) -> str:
    if type(error).__name__ == "NoArgsIsHelpError":  # its message is the whole help
        path = error.ctx.command_path if error.ctx else "turnreel"
        return f"missing command (see {path} --help)"
    message, _, hint = _one_line(_lower(error.format_message())).rstrip(".").partition(". ")
    see = f"see {error.ctx.command_path} --help" if error.ctx else ""
    remedy = "; ".join(part for part in (_lower(hint), see) if part)
    return f"{message} ({remedy})" if remedy and "turnreel" not in message else message


def _lower(text: str) -> str:
    """`text` as it stands in the middle of a line: no capital that only begins a sentence."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _one_line(text: str) -> str:
    return " ".join(text.split())
