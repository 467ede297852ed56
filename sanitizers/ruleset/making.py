"""Three ways to write a rule: by its prefix, by the name it stands beside, by a form of its own."""

from __future__ import annotations

import re
from typing import Final

from turnreel.sanitizers.forms import CLASSES, UUID_CLASS
from turnreel.sanitizers.rules import Rule

SEPARATOR: Final = (
    r"[\\\"'`\])}]{0,3}[ \t]{0,3}(?:=>|:=|[:=,]|[ \t])[ \t]{0,3}(?:\\?[\"'`]|b'|b\"){0,2}"
)
"""What stands between a name and its value in code, JSON, YAML, an environment and a command."""

_LEAST: Final = 16

WEAK: Final = 8
"""How much must follow a prefix that words begin with, where the end of a text cuts the token."""


def prefixed(
    name: str,
    source: str,
    prefixes: str,
    alphabet: str,
    length: int,
    *,
    least: int = 0,
    rest: str = "",
    near: tuple[str, ...] = (),
    check: str = "",
    cut: int = 0,
) -> Rule:
    """A token told by its prefix, or by one of several (separated by blanks), then `length`
    characters; `least` of them make a match, further ones belong to it. `rest` are characters
    that may follow besides. A prefix of three characters may begin any word: a text ending in
    one is no secret that was cut short.
    """
    inside = CLASSES[alphabet]
    every = prefixes.split()
    least = least or min(length, max(_LEAST, length // 2))
    head = "|".join(map(re.escape, every))
    return Rule(
        name=name,
        kind="key",
        source=source,
        head=f"(?:{head})[{inside}]{{{least}}}",
        tail=inside + rest,
        forms=tuple(f"{prefix}<{length} {alphabet}>" for prefix in every),
        near_forms=(f"{every[0]}<{least - 1} {alphabet}>", *near),
        check=check,
        cut=cut or (WEAK if len(min(every, key=len)) <= 3 else 0),
    )


def beside(
    name: str, source: str, words: str, alphabet: str, length: int, *, lead: str = ""
) -> Rule:
    """A token without a mark of its own, told by its vendor's name in the name of the variable,
    field, header or flag before it. `words` are the spellings of that name (separated by blanks),
    `lead` is what the token may begin with. An `alphabet` ``uuid`` has no length.
    """
    every = words.split()
    inside = "A-Fa-f0-9-" if alphabet == "uuid" else CLASSES[alphabet]
    value = UUID_CLASS if alphabet == "uuid" else f"[{inside}]{{{length}}}"
    place = "<uuid>" if alphabet == "uuid" else f"<{length} {alphabet}>"
    short = "<8 hex>" if alphabet == "uuid" else f"<{length - 1} {alphabet}>"
    spelled = "|".join(map(re.escape, every))
    led = f"(?:{re.escape(lead)})?" if lead else ""
    first = every[0].replace("-", "_")
    return Rule(
        name=name,
        kind="key",
        source=source,
        head=rf"(?i:{spelled})[A-Za-z0-9_.\- ]{{0,24}}{SEPARATOR}(?P<v>{led}{value})",
        tail=inside,
        boundary=False,
        forms=(
            f"{first.upper()}_API_KEY={place}",
            f'"{first}ApiKey": "{place}"',
            f"--{every[-1]}-key {place}",
            *((f"{first}: {lead}{place}",) if lead else ()),
        ),
        near_forms=(f"{first}_key = {short}!", f"about {first}, and then {short}."),
    )


def formed(
    name: str,
    source: str,
    head: str,
    tail: str,
    *forms: str,
    near: tuple[str, ...] = (),
    kind: str = "key",
    check: str = "",
    until: str = "",
    cut: int = 0,
    anywhere: bool = False,
) -> Rule:
    """A rule with a head of its own. `anywhere`: a letter or digit may stand right before it."""
    return Rule(
        name=name,
        kind=kind,
        source=source,
        head=head,
        tail=tail,
        until=until,
        boundary=not anywhere,
        forms=forms,
        near_forms=near,
        check=check,
        cut=cut,
    )
