"""A block whose text is JSON source: read token by token, each value treated as the policy says
of its path.

What the deltas add up to parses to what the completed value becomes. Source that is no JSON is
shaped, and so is what stands outside of an object or array.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from .rope import Rope
from .shape import shape
from .slots import Slot, Visit
from .treatments import Treatments
from .tree import Leaf, Node

_INSIDE: Final = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
"""What may stand in a string, up to its end or to a backslash that something must follow."""

_NUMBER: Final = re.compile(r"[0-9.eE+\-]+")
_LETTERS: Final = re.compile(r"[A-Za-z]+")
_USUAL: Final = re.compile(r'(?:[^"\\]|\\[^u])+', re.DOTALL)
_SIMPLE: Final = re.compile(r"(\\[^u])", re.DOTALL)
_ESCAPE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]",
    re.DOTALL,
)
_HIGH: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z")
_WORDS: Final = ("true", "false", "null")


_SHAPED: Final = Leaf(Treatments.bare, Treatments.zero, Treatments.key, by_character=shape)
"""A string that outgrew what may be held."""


class _Level:
    """An open array, or an open object with the key whose value comes next (None: a key comes
    next).
    """

    __slots__ = ("is_object", "key", "node")

    def __init__(self, node: Node, *, is_object: bool) -> None:
        self.node = node
        self.is_object = is_object
        self.key: str | None = None


class JsonBlock:
    """The source of one JSON value under `root`."""

    __slots__ = (
        "_in_text", "_levels", "_more", "_root", "_rope", "_seen", "_text", "_visit",
    )  # fmt: skip

    def __init__(self, root: Node, visit: Visit) -> None:
        self._root = root
        self._visit = visit
        self._rope = Rope()
        self._text = ""
        self._more: list[str] = []  # what follows _text of a string that has not ended
        self._seen = 0  # characters of _text in which a string does not end
        self._levels: list[_Level] = []
        self._in_text: Leaf | None = None  # the leaf of a string that is treated as it comes

    def feed(self, slot: Slot) -> None:
        text, leaf = slot.text, self._in_text
        if leaf and self._rope.is_empty and '"' not in text and "\\" not in text:
            assert leaf.by_character is not None
            slot.take(len(text), leaf.by_character(text))
            slot.settle()
            return
        self._rope.add(slot)
        self._more.append(text)
        if not self._seen or '"' in slot.text:
            self._read(final=False)

    def close(self) -> None:
        self._read(final=True)

    def freeze(self) -> None:
        """What is held of a string that has not ended lands as its shape, and so does the rest."""
        if self._seen:
            self._rope.keep(1)
            self._text = self._text[1:]
            self._seen = 0
            self._in_text = _SHAPED
            self._close_key()
            self._read(final=False)

    def _close_key(self) -> None:
        """The string was a key, if one was due: no line names it."""
        level = self._levels[-1] if self._levels else None
        if level is not None and level.is_object and level.key is None:
            level.key = ""

    def _read(self, *, final: bool) -> None:
        self._text += "".join(self._more)
        self._more.clear()
        at, before = 0, -1
        while before < at < len(self._text):
            before = at
            at += self._inside(at, final) if self._in_text else self._token(at, final)
        self._text = self._text[at:]

    def _token(self, at: int, final: bool) -> int:
        """Reads the token at `at`; returns its length, or 0 if more must come first."""
        match self._text[at]:
            case '"' if self._levels:
                return self._string(at, final)
            case "{" | "[" as bracket:
                self._levels.append(_Level(self._place(), is_object=bracket == "{"))
            case "}" | "]":
                if self._levels:
                    self._levels.pop()
            case char if not self._levels:
                self._rope.replace(1, shape(char))
                return 1
            case ",":
                self._levels[-1].key = None
            case ":":
                pass
            case char if char in "-0123456789":
                return self._number(at, final)
            case char if char.isascii() and char.isalpha():
                return self._word(at, final)
            case char if char not in " \t\r\n":
                self._rope.replace(1, "x")
                return 1
        self._rope.keep(1)
        return 1

    def _place(self) -> Node:
        if not self._levels:
            return self._root
        level = self._levels[-1]
        return (
            level.node.child(level.key or "", self._visit)
            if level.is_object
            else level.node.element()
        )

    def _string(self, at: int, final: bool) -> int:
        level = self._levels[-1]
        is_key = level.is_object and level.key is None
        node = self._place()
        if not is_key and isinstance(node, Leaf) and node.by_character is not None:
            self._in_text = node
            self._rope.keep(1)
            return 1
        inside = _INSIDE.match(self._text, max(at + 1, self._seen))
        assert inside is not None, "it matches anything"
        end = inside.end()
        if not self._text.startswith('"', end):
            self._seen = 0 if final else end - at  # what stands before is taken off
            return self._torn(at) if final else 0
        self._seen = 0
        source = self._text[at : end + 1]
        value = _decoded(source)
        if is_key:
            clean = level.node.name(value, self._visit)
            level.key = value
        else:
            clean = str(node.clean(value, self._visit))
        if clean == value:
            self._rope.keep(len(source))
        else:
            self._rope.replace(len(source), json.dumps(clean))
        return len(source)

    def _torn(self, at: int) -> int:
        """A string that the end of the block cut: no more than its shape."""
        rest = self._text[at + 1 :]
        self._rope.keep(1)
        if rest:
            self._rope.replace(len(rest), shape(rest).replace("\\", "x"))
        return len(rest) + 1

    def _inside(self, at: int, final: bool) -> int:
        text, leaf = self._text, self._in_text
        assert leaf is not None and leaf.by_character is not None
        if text[at] == '"':
            self._in_text = None
            self._rope.keep(1)
            return 1
        if usual := _USUAL.match(text, at):
            self._usual(usual[0], leaf.by_character)
            return len(usual[0])
        if not final and _HIGH.match(text, at):
            return 0
        escape = _ESCAPE.match(text, at)
        if escape is None:
            if not final and len(text) - at < 6:
                return 0
            self._rope.replace(1, "x")
            return 1
        self._rope.replace(len(escape[0]), _escape(escape[0], leaf.by_character))
        return len(escape[0])

    def _usual(self, source: str, treat: Callable[[str], str]) -> None:
        """Characters and simple escapes: at once, if each stays as long as it was."""
        parts = [
            _escape(part, treat) if place % 2 else treat(part)
            for place, part in enumerate(_SIMPLE.split(source))
        ]
        clean = "".join(parts)
        if len(clean) == len(source):
            self._rope.replace(len(source), clean)
            return
        for part, new in zip(_SIMPLE.split(source), parts, strict=True):
            self._rope.replace(len(part), new)

    def _number(self, at: int, final: bool) -> int:
        source = _run(_NUMBER, self._text, at)
        if at + len(source) == len(self._text) and not final:
            return 0
        try:
            value = json.loads(source)
            clean = self._place().clean(value, self._visit)
        except ValueError:
            value, clean = None, 0
        if clean == value:
            self._rope.keep(len(source))
        else:
            self._rope.replace(len(source), json.dumps(clean))
        return len(source)

    def _word(self, at: int, final: bool) -> int:
        source = _run(_LETTERS, self._text, at)
        if at + len(source) == len(self._text) and not final:
            return 0
        if source in _WORDS or (final and any(word.startswith(source) for word in _WORDS)):
            self._rope.keep(len(source))
        else:
            self._rope.replace(len(source), shape(source))
        return len(source)


def _run(pattern: re.Pattern[str], text: str, at: int) -> str:
    match = pattern.match(text, at)
    return match[0] if match else text[at]


@lru_cache(maxsize=512)
def _escape(source: str, treat: Callable[[str], str]) -> str:
    """What becomes of one escaped character."""
    value = _decoded(f'"{source}"')
    clean = treat(value)
    return source if clean == value else json.dumps(clean)[1:-1]


def _decoded(source: str) -> str:
    try:
        return str(json.loads(source, strict=False))
    except ValueError:
        return source[1:-1]
